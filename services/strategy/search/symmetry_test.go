package search

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// TestTurnedPositionsAreOne: while few discs lie, the table keeps a position where it keeps what that is turned and
// mirrored to, and turns the best move along.
func TestTurnedPositionsAreOne(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]reversi.Setup{"hexagon": hexagon(4), "square": square(6)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := start(t, setup)
			for seed := range uint64(24) {
				p := random(t, from, int(seed%5), seed)
				q := transformed(t, p, int(seed%12), false)
				if got, want := probeOf(q).turnedKey(), probeOf(p).turnedKey(); got != want {
					t.Fatalf("%s is kept apart from %s", q.Notation(), p.Notation())
				}
				best := p.Legal()[0].Cell
				got := probeOf(q).recalls(probeOf(p), best)
				if after, want := play(t, q, rules.Place(got)), play(t, p, rules.Place(best)); probeOf(after).turnedKey() !=
					probeOf(want).turnedKey() {
					t.Errorf("%s: the best move is %v, but %v in %s", p.Notation(), best, got, q.Notation())
				}
			}
		})
	}
}

// TestFullBoardsAreNotTurned: later on positions hardly ever come about in several ways.
func TestFullBoardsAreNotTurned(t *testing.T) {
	t.Parallel()
	p := random(t, start(t, hexagon(4)), 8, 1)
	if g := probeOf(p); g.turnedKey() != g.key() {
		t.Errorf("%s is turned", p.Notation())
	}
}
