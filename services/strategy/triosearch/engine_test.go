package triosearch

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// searchWith searches a position with an engine.
func searchWith(
	t rapid.TB, e *Engine, p *threetrios.Position, l limits.Limits,
) strategy.Analysis {
	t.Helper()
	meter := limits.NewMeter(context.Background())
	return last(slices.Collect(e.AnalyzePosition(meter, p, limits.Options{Limits: l})))
}

// twoPlies returns the position after the best move and the reply that a search expects.
func twoPlies(t *testing.T, p *threetrios.Position, found strategy.Analysis) *threetrios.Position {
	t.Helper()
	for _, m := range found.Best().Moves[:2] {
		p = after(t, p, m)
	}
	return p
}

// plies plays the first legal move again and again.
func plies(t *testing.T, p *threetrios.Position, count int) *threetrios.Position {
	t.Helper()
	for range count {
		p = after(t, p, p.Legal()[0])
	}
	return p
}

// The position after two plies of a search to depth 5 is in the table with depth 3.
func TestTheSecondMoveOfAGameReusesTheTable(t *testing.T) {
	for name, test := range map[string]struct {
		p             *threetrios.Position
		first, second limits.Limits
	}{
		"five by five": {
			plies(t, resolve(t, square(5, 1)), 12), limits.Limits{Depth: 5}, limits.Limits{Depth: 3},
		},
		"five by five, Same": {
			plies(t, resolve(t, square(5, 2, threetrios.Same)), 12), limits.Limits{Depth: 5}, limits.Limits{Depth: 3},
		},
		"to the end": {plies(t, resolve(t, square(4, 1)), 6), limits.Limits{}, limits.Limits{}},
	} {
		t.Run(name, func(t *testing.T) {
			e := new(Engine)
			if Continuation(test.p)(e) {
				t.Error("a new engine continues a game")
			}
			next := twoPlies(t, test.p, searchWith(t, e, test.p, test.first))
			if !Continuation(test.p)(e) || !Continuation(next)(e) {
				t.Fatal("the engine does not continue its game")
			}
			fresh, continued := searchWith(t, new(Engine), next, test.second), searchWith(t, e, next, test.second)
			if continued.Depth != fresh.Depth || 3*continued.Nodes > fresh.Nodes {
				t.Errorf("it takes %d nodes to depth %d, and %d to depth %d without the table",
					continued.Nodes, continued.Depth, fresh.Nodes, fresh.Depth)
			}
			if continued.Best().Score != fresh.Best().Score {
				t.Errorf("its score is %d, and %d without the table", continued.Best().Score, fresh.Best().Score)
			}
		})
	}
}

// A game is searched move by move with one table. The score of each exact answer is the minimax
// score.
func TestAKeptTableLeavesExactScoresUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, p := new(Engine), drawPosition(t, 5)
		for p.Turn() != rules.NoSide {
			found := searchWith(t, e, p, limits.Limits{})
			if want := minimax(p, map[string]int{}); !found.Exact || found.Best().Score != want {
				t.Fatalf("%s is worth %+v, not %d", p.Notation(), found, want)
			}
			checkLines(t, p, found)
			for range rapid.IntRange(1, 2).Draw(t, "plies") {
				if p.Turn() != rules.NoSide {
					p = after(t, p, rapid.SampledFrom(p.Legal()).Draw(t, "move"))
				}
			}
		}
	})
}

func TestASearchDoesNotContinueAnotherGame(t *testing.T) {
	e, setup := new(Engine), square(4, 1)
	p := resolve(t, setup)
	next := twoPlies(t, p, searchWith(t, e, p, limits.Limits{Depth: 4}))
	same, counted, hole := setup, setup, setup
	same.Rules, counted.CountOwnCards = []threetrios.Rule{threetrios.Same}, new(true)
	hole.Grid = strings.Replace(setup.Grid, "CC", "XX", 1)
	for name, other := range map[string]*threetrios.Position{
		"other cards":         resolve(t, square(4, 2)),
		"another rule":        resolve(t, same),
		"own cards count":     resolve(t, counted),
		"other holes":         resolve(t, hole),
		"a larger grid":       resolve(t, square(5, 1)),
		"the other side":      next.WithTurn(next.Turn().Other()).(*threetrios.Position),
		"moves not looked at": plies(t, next, 2),
	} {
		if Continuation(other)(e) {
			t.Errorf("%s: it continues", name)
		}
	}
}
