package search

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestSymmetricPositionsShareATableEntry(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]reversi.Setup{"hexagon": hexagon(4), "square": square(6)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := start(t, setup)
			for seed := range uint64(24) {
				p := random(t, from, int(seed%5), seed)
				q := transformed(t, p, int(seed%12), false)
				if got, want := newTestGame(q).tableKey(), newTestGame(p).tableKey(); got != want {
					t.Fatalf("%s and %s have different table keys", q.Notation(), p.Notation())
				}
				best := p.Legal()[0].Cell
				got := newTestGame(q).bestMoveFrom(newTestGame(p), best)
				if after, want := play(t, q, rules.Place(got)), play(t, p, rules.Place(best)); newTestGame(after).tableKey() !=
					newTestGame(want).tableKey() {
					t.Errorf("%s: the best move is %v, but %v in %s", p.Notation(), best, got, q.Notation())
				}
			}
		})
	}
}

// Later in the game symmetric positions are rare.
func TestPositionsWithManyDiscsHaveTheirOwnKey(t *testing.T) {
	t.Parallel()
	p := random(t, start(t, hexagon(4)), 8, 1)
	if g := newTestGame(p); g.tableKey() != g.key() {
		t.Errorf("the table holds an image of %s", p.Notation())
	}
}
