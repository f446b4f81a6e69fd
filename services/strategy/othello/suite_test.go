//go:build !race

package othello

import (
	"slices"
	"testing"

	"github.com/flipside-games/flipside/services/strategy/othello/ffo"
)

// The race detector would make this the longest test of all and find nothing: it is a single goroutine's work.

func TestSuiteTo19(t *testing.T) {
	for _, e := range ffo.Suite(1, 19) {
		board := Board{Mover: e.Mover, Opponent: e.Opponent}
		got := New(Options{TableBytes: 1 << 24, Scoring: EmptiesToWinner}).Search(t.Context(), board, Limits{}, nil)[0]
		if got.Score != e.Score || !got.Exact {
			t.Errorf("position %d: %+v, want %d", e.ID, got, e.Score)
		}
		if !slices.Contains(e.Best, got.Line[0].String()) {
			t.Errorf("position %d: best %v, want %v", e.ID, got.Line[0], e.Best)
		}
		if end := playLine(board, got.Line); !end.Over() || EmptiesToWinner.Final(end) != e.Score*sideAfter(got.Line) {
			t.Errorf("position %d: %v does not lead to %+d", e.ID, got.Line, e.Score)
		}
	}
}
