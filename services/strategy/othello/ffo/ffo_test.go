package ffo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuiteHasAllPositions(t *testing.T) {
	t.Parallel()
	for i, e := range Suite(1, 49) {
		if e.ID != i+1 || e.Mover&e.Opponent != 0 || e.Score%2 != 0 || len(e.Best) == 0 {
			t.Errorf("position %d: parsed as %+v", i+1, e)
		}
	}
	if got := len(Suite(1, 100)); got != 49 {
		t.Errorf("%d positions, want 49", got)
	}
}

// Black is to move in position 1, White in position 8.
func TestSuiteParsesTheSideToMove(t *testing.T) {
	t.Parallel()
	first, eighth := Suite(1, 1)[0], Suite(8, 8)[0]
	if got := first.Mover & 0xff; got != 0b01111100 {
		t.Errorf("discs of the side to move in the first row of position 1: %08b", got)
	}
	if got := eighth.Mover >> 16 & 0xff; got != 0b00010000 {
		t.Errorf("discs of the side to move in the third row of position 8: %08b", got)
	}
	want := Endgame{ID: 1, Mover: first.Mover, Opponent: first.Opponent, Score: 18, Best: []string{"g8"}}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("position 1 (-want +got):\n%s", diff)
	}
}
