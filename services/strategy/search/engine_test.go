package search

import (
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// searchWith searches a position with an engine.
func searchWith(
	t *testing.T, e *Engine, p *reversi.Position, l limits.Limits,
) (found strategy.Analysis) {
	t.Helper()
	o := limits.Options{Limits: l, Table: 1 << 22}
	for found = range e.AnalyzePosition(limits.NewMeter(t.Context()), p, o) {
	}
	return found
}

// twoPlies returns the position after the best move and the reply that a search expects.
func twoPlies(t *testing.T, p *reversi.Position, found strategy.Analysis) *reversi.Position {
	t.Helper()
	for _, m := range found.Best().Moves[:2] {
		p = play(t, p, m)
	}
	return p
}

func TestASearchContinuesTheOneOfTheMoveBefore(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]reversi.Setup{
		"hexagon of 5": hexagon(5), "square of 6": square(6), "square of 10": square(10),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, p := new(Engine), random(t, start(t, setup), 12, 1)
			if Continuation(p)(e) {
				t.Error("a new engine continues a game")
			}
			next := twoPlies(t, p, searchWith(t, e, p, limits.Limits{Nodes: 200_000}))
			if !Continuation(p)(e) || !Continuation(next)(e) {
				t.Error("the engine does not continue its game")
			}
			l := limits.Limits{Depth: 7}
			fresh, continued := searchWith(t, new(Engine), next, l), searchWith(t, e, next, l)
			if continued.Nodes*4 > fresh.Nodes*3 {
				t.Errorf("it visits %d nodes, and %d without the table", continued.Nodes, fresh.Nodes)
			}
			if !continued.Exact && continued.Confidence != cutConfidence {
				t.Errorf("its confidence is %d, but the table has selective values", continued.Confidence)
			}
		})
	}
}

func TestASearchDoesNotContinueAnotherGame(t *testing.T) {
	t.Parallel()
	e, p := new(Engine), start(t, square(6))
	searchWith(t, e, p, limits.Limits{Nodes: 10_000})
	twoFlips, emptiesToWinner := square(6), square(6)
	twoFlips.MinFlips, emptiesToWinner.EmptiesToWinner = 2, new(true)
	for name, other := range map[string]*reversi.Position{
		"other moves":           random(t, p, 20, 1),
		"a larger board":        start(t, square(10)),
		"another shape":         start(t, hexagon(3)),
		"two flips at least":    start(t, twoFlips),
		"empties to the winner": start(t, emptiesToWinner),
	} {
		if Continuation(other)(e) {
			t.Errorf("%s: it continues", name)
		}
	}
}

// The corner disc is on no line, so it is in no key, but it counts.
func TestASearchDoesNotContinueAGameWithOtherFixedDiscs(t *testing.T) {
	t.Parallel()
	withCorner := func(disc string) *reversi.Position {
		rows := "_OX___OX___OX___/" + strings.Repeat("________________/", 14) + "_______________" + disc
		return start(t, reversi.Setup{StartFrom: "reversi/square:16 " + rows + " X 0"})
	}
	e := new(Engine)
	searchWith(t, e, withCorner("X"), limits.Limits{Nodes: 10_000})
	if !Continuation(withCorner("X"))(e) || Continuation(withCorner("O"))(e) {
		t.Error("it continues the game with the disc of the opponent, or not its own")
	}
}

func TestAnEngineGetsALargerTableWhenItNeedsOne(t *testing.T) {
	t.Parallel()
	e := new(Engine)
	for _, test := range []struct{ bytes, want int }{
		{1 << 12, 64}, {1<<13 - 1, 64}, {1 << 13, 128}, {1 << 12, 128},
	} {
		if got := e.tableOf(test.bytes).Len(); got != test.want {
			t.Errorf("%d bytes: %d buckets, want %d", test.bytes, got, test.want)
		}
	}
}
