package heuristic_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

var (
	maxCapture   = heuristic.MaxCapture{}
	greedy       = heuristic.Greedy{}
	avoidCorners = heuristic.AvoidNextToCorners{}
	takeCorners  = heuristic.TakeCorners{}
)

// Positions with Black to move.
const (
	// a3 flips one disc, b5 three.
	oneOrThree = "reversi/square:8 ________/________/_OX_____/________/__OOOX__/________/________/________ X 0"
	// a1 is a corner and flips one disc; b5 flips three; a7 is next to a corner and flips one.
	threeKinds = "reversi/square:8 _OX_____/________/________/________/__OOOX__/________/_OX_____/________ X 0"
	// After a3 White has no placement; after f3 White can place on g3.
	lockedIn = "reversi/square:8 ________/________/_OXXO___/________/________/________/________/________ X 0"
	// The six placements of the start are all next to corners on two rings, and none is on three.
	twoRings   = "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0"
	threeRings = "reversi/hex:3 ____/_____/__XO__/__O_X__/__XO__/_____/____ X 0"
)

func position(t testing.TB, notation string) rules.Position {
	t.Helper()
	p, err := reversi.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var measures = map[strategy.Measure]string{strategy.Flips: "flips", strategy.Replies: "replies"}

// words writes candidates as "a3 b5=3 flips".
func words(p rules.Position, candidates []strategy.Candidate) string {
	var all []string
	for _, c := range candidates {
		word := p.MoveNotation(c.Move)
		if c.Measure != strategy.NoMeasure {
			word += fmt.Sprintf("=%d %s", c.Value, measures[c.Measure])
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func TestTheMovesThatStrategiesKeep(t *testing.T) {
	minimax := func(assumed strategy.Strategy) strategy.Strategy { return heuristic.Minimax{Assumed: assumed} }
	tryTwo := func(first, second strategy.Strategy) strategy.Strategy {
		return heuristic.TryTwo{First: first, Second: second}
	}
	allOfTwoRings := "1,-2 -1,-1 2,-1 -2,1 1,1 -1,2"
	for _, test := range []struct {
		name     string
		strategy strategy.Strategy
		position string
		want     string
	}{
		{"max_capture keeps the moves that flip most", maxCapture, oneOrThree, "b5=3 flips"},
		{"max_capture keeps equals in reading order", maxCapture, twoRings,
			"1,-2=1 flips -1,-1=1 flips 2,-1=1 flips -2,1=1 flips 1,1=1 flips -1,2=1 flips"},
		{"greedy keeps the first of them in reading order", greedy, twoRings, "1,-2=1 flips"},
		{"avoid_next_to_corners keeps corners and distant cells", avoidCorners, threeKinds, "a1 b5"},
		{"avoid_next_to_corners can keep all moves", avoidCorners, threeRings, allOfTwoRings},
		{"avoid_next_to_corners can keep none", avoidCorners, twoRings, ""},
		{"take_corners keeps corners", takeCorners, threeKinds, "a1"},
		{"take_corners can keep none", takeCorners, oneOrThree, ""},
		{"minimax counts the replies that the assumed strategy keeps", minimax(maxCapture), lockedIn, "a3=0 replies"},
		{"minimax counts 0 if the assumed strategy keeps none", minimax(takeCorners), lockedIn,
			"a3=0 replies f3=0 replies"},
		{"minimax nests", minimax(minimax(maxCapture)), oneOrThree, "a3=1 replies b5=1 replies"},
		{"try_two keeps the moves that both keep", tryTwo(takeCorners, maxCapture), threeKinds, "a1=1 flips"},
		{"try_two passes to the second the moves that the first keeps", tryTwo(avoidCorners, maxCapture), threeKinds, "b5=3 flips"},
		{"try_two is the second if the first keeps none", tryTwo(takeCorners, maxCapture), oneOrThree, "b5=3 flips"},
		{"try_two is the first if the second keeps none", tryTwo(maxCapture, takeCorners), oneOrThree, "b5=3 flips"},
		{"try_two keeps none if neither keeps any", tryTwo(takeCorners, takeCorners), oneOrThree, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := position(t, test.position)
			kept, err := test.strategy.Keep(limits.NewMeter(t.Context()), p, strategy.Placements(p))
			if err != nil {
				t.Fatal(err)
			}
			if got := words(p, kept); got != test.want {
				t.Errorf("kept %q, want %q", got, test.want)
			}
		})
	}
}

func TestMinimaxWithoutTimeIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := position(t, oneOrThree)
	deep := heuristic.TryTwo{First: takeCorners, Second: heuristic.Minimax{Assumed: heuristic.Minimax{Assumed: maxCapture}}}
	_, err := strategy.Choose(ctx, deep, p, 0)
	if got := fault.ReasonOf(err); got != fault.BudgetExceeded {
		t.Errorf("without time the error is %v, with reason %q", err, got)
	}
}

func TestGreedyPlaysThePublishedGames(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "greedy003") {
		t.Run(v.Name(), func(t *testing.T) {
			_, start, err := reversi.Setup{Shape: reversi.Square, Size: v.Size, PassRule: reversi.PassRule(v.Rule)}.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			p := rules.Position(start)
			for i, want := range v.Moves(t, v.Note) {
				got, err := strategy.Choose(t.Context(), greedy, p, 0)
				if err != nil || got.Chosen.Move != want {
					t.Fatalf("move %d of %s is %s (%v), want %s", i+1, p.Notation(),
						p.MoveNotation(got.Chosen.Move), err, p.MoveNotation(want))
				}
				p = rulestest.Replay(t, p, []rules.Move{want})
			}
			if p.Turn() != rules.NoSide || p.Score() != v.Discs(t) {
				t.Errorf("the game ends at %s", p.Notation())
			}
		})
	}
}
