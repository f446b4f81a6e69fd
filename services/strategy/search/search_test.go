package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// minimax is plain minimax by the rules to a depth in placements, with the evaluation of the search
// at the leaves. Values are in units.
func minimax(p *reversi.Position, depth int) int {
	placements, other := p.Placements(), p.WithTurn(p.Turn().Other()).(*reversi.Position)
	over := len(placements) == 0 && len(other.Placements()) == 0
	switch {
	case p.Turn() == rules.NoSide:
		panic("minimax needs a side to move")
	case over:
		return p.FinalScore().Margin(p.Turn()) * unit
	case depth == 0:
		return newTestGame(p).evaluation()
	case len(placements) == 0:
		return -minimax(other, depth)
	}
	value := -unbounded
	for _, at := range placements {
		value = max(value, minimaxAfter(p, at.Cell, depth-1))
	}
	return value
}

// minimaxAfter returns the value of a placement for the side that makes it.
func minimaxAfter(p *reversi.Position, at rules.Cell, depth int) int {
	played, _, err := p.Play(rules.Place(at))
	if err != nil {
		panic(err)
	}
	next := played.(*reversi.Position)
	if next.Turn() == rules.NoSide {
		return next.FinalScore().Margin(p.Turn()) * unit
	}
	return -minimax(next, depth)
}

// manyRules are setups with all rules that affect the search.
var manyRules = map[string]reversi.Setup{
	"hexagon":           hexagon(3),
	"hexagon of five":   hexagon(5),
	"square":            square(6),
	"voluntary passing": {Shape: reversi.Hexagon, Size: 3, PassRule: reversi.Voluntary},
	"two flips at least": {
		StartFrom: "reversi/square:6 __X___/_OOX__/XOXXO_/_XXOO_/__OX__/______ X 0 min_flips=2",
	},
	"empties to the winner": {
		Shape: reversi.Hexagon, Size: 3, PassRule: reversi.Forced, EmptiesToWinner: new(true),
	},
	"all cells fillable": {StartFrom: "reversi/hex:3 ____/_____/__XO__/__OOX__/__XO__/_____/____ X 0 pass_rule=forced"},
}

func TestTheSearchFindsTheMinimaxValue(t *testing.T) {
	t.Parallel()
	for name, setup := range manyRules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := start(t, setup)
			for seed := range uint64(40) {
				p, depth := random(t, from, int(seed), seed), 1+int(seed)%3
				if got, _ := newTestGame(p).search(depth); got != minimax(p, depth) {
					t.Errorf("at depth %d %s is worth %d, want %d", depth, p.Notation(), got, minimax(p, depth))
				}
			}
		})
	}
}

func TestTheSolverFindsTheMinimaxScore(t *testing.T) {
	t.Parallel()
	for name, setup := range manyRules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(30) {
				p := nearEnd(t, setup, 1+int(seed)%6, seed)
				want := minimax(p, toEnd) / unit
				if got, _ := newTestGame(p).search(toEnd); got != want {
					t.Errorf("%s is worth %d, want %d", p.Notation(), got, want)
				}
			}
		})
	}
}

// It solves games from the first move and from later positions.
func TestTheSolverFindsThePublishedScores(t *testing.T) {
	t.Parallel()
	for _, v := range rulestest.ReversiVectors(t, "value", "line") {
		if v.Rule != string(reversi.Forced) {
			continue // the search plays as if passing were forced
		}
		setup := square(v.Size)
		if v.Hexagonal {
			setup = hexagon(v.Size)
		}
		p := start(t, setup)
		if p.Turn() == rules.NoSide {
			continue // a game on one ring starts ended
		}
		if v.Kind == "line" {
			p = rulestest.Replay(t, p, v.Moves(t, v.Key)).(*reversi.Position)
		}
		wantExact(t, v.Name(), p, rulestest.Number(t, v.Value))
	}
}

func TestTheSolverSolvesThreeRings(t *testing.T) {
	t.Parallel()
	wantExact(t, "three rings", start(t, hexagon(3)), -19)
}

// wantExact checks the exact score for Black and its line.
func wantExact(t *testing.T, name string, p *reversi.Position, score int) {
	t.Helper()
	found := last(analyze(t, p, limits.Options{}))
	line := found.Best()
	if p.Turn() == rules.Second {
		score = -score
	}
	if !found.Exact || line.Score != score {
		t.Errorf("%s: score %d, exact %v; want %d", name, line.Score, found.Exact, score)
	}
	wantExactLine(t, p, line)
}

// wantExactLine checks that a line is legal, reaches the last placement and its score.
func wantExactLine(t *testing.T, p *reversi.Position, line strategy.Line) {
	t.Helper()
	end := rulestest.Replay(t, p, line.Moves).(*reversi.Position)
	if end.CountPlacements() > 0 || end.WithTurn(end.Turn().Other()).(*reversi.Position).CountPlacements() > 0 {
		t.Errorf("the line %v from %s ends early", line.Moves, p.Notation())
	}
	if got := end.FinalScore().Margin(p.Turn()); got != line.Score {
		t.Errorf("the line %v from %s leads to %d, not %d", line.Moves, p.Notation(), got, line.Score)
	}
}

func analyze(t testing.TB, p *reversi.Position, o limits.Options) []strategy.Analysis {
	t.Helper()
	found := slices.Collect(Analyze(limits.NewMeter(t.Context()), p, o))
	if len(found) == 0 || len(found[0].Lines) == 0 {
		t.Fatalf("there is no analysis of %s", p.Notation())
	}
	return found
}

func last(analyses []strategy.Analysis) strategy.Analysis { return analyses[len(analyses)-1] }

func TestEachLineIsLegalAndReachesItsDepth(t *testing.T) {
	t.Parallel()
	for name, setup := range manyRules {
		for seed := range uint64(6) {
			p := random(t, start(t, setup), int(seed)*6, seed)
			for _, a := range analyze(t, p, limits.Options{Limits: limits.Limits{Nodes: 5000}, Lines: 3}) {
				for _, line := range a.Lines {
					if a.Exact {
						wantExactLine(t, p, line)
					} else if end := rulestest.Replay(t, p, line.Moves); len(line.Moves) < a.Depth && end.Turn() != rules.NoSide {
						t.Errorf("%s: at depth %d of %s the line %v ends early", name, a.Depth, p.Notation(), line.Moves)
					}
				}
			}
		}
	}
}

func TestTheLinesAreThoseOfTheBestMoves(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		p := nearEnd(t, hexagon(3), 7, seed)
		if p.CountPlacements() == 0 {
			p = play(t, p, rules.Pass)
		}
		var values []int
		for _, at := range p.Placements() {
			values = append(values, minimaxAfter(p, at.Cell, toEnd)/unit)
		}
		slices.SortFunc(values, func(a, b int) int { return b - a })
		var got []int
		for _, line := range last(analyze(t, p, limits.Options{Lines: 3})).Lines {
			got = append(got, line.Score)
			if value := minimaxAfter(p, line.Moves[0].Cell, toEnd) / unit; value != line.Score {
				t.Errorf("%v is worth %d, not %d", line.Moves[0], value, line.Score)
			}
		}
		if want := values[:min(3, len(values))]; !slices.Equal(got, want) {
			t.Errorf("the best lines of %s score %v, want %v", p.Notation(), got, want)
		}
	}
}

func TestSymmetryAndColoursKeepTheValue(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]reversi.Setup{"hexagon": hexagon(3), "hexagon of five": hexagon(5), "square": square(6)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range 24 {
				p := nearEnd(t, setup, 1+seed%10, uint64(seed))
				q := transformed(t, p, seed%12, seed >= 12)
				for _, depth := range []int{4, toEnd} {
					got, _ := newTestGame(q).search(depth)
					want, _ := newTestGame(p).search(depth)
					if got != want {
						t.Errorf("at depth %d %s is worth %d, %s %d", depth, q.Notation(), got, p.Notation(), want)
					}
				}
				if got, want := newTestGame(q).evaluation(), newTestGame(p).evaluation(); got != want {
					t.Errorf("the evaluation of %s is %d, of %s %d", q.Notation(), got, p.Notation(), want)
				}
			}
		})
	}
}

// transformed returns an image of the position under a symmetry, with the colours swapped if swap
// is set.
func transformed(t testing.TB, p *reversi.Position, symmetry int, swap bool) *reversi.Position {
	t.Helper()
	letters := map[rules.Side]string{rules.NoSide: "_", rules.First: "X", rules.Second: "O"}
	if swap {
		letters[rules.First], letters[rules.Second] = "O", "X"
	}
	var rows []string
	row := -1
	last := rules.Cell{}
	for i, c := range p.Board().Cells() {
		if _, at := coordinates(c); i == 0 || at != row && c.Hexagonal() || !c.Hexagonal() && !sameRow(c, last) {
			rows, row = append(rows, ""), at
		}
		last = c
		images := images(c, p.Board().Size())
		rows[len(rows)-1] += letters[p.At(images[symmetry%len(images)])]
	}
	words := strings.Fields(p.Notation())
	words[1], words[2] = strings.Join(rows, "/"), letters[p.Turn()]
	q, err := reversi.Parse(strings.Join(words, " "))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func sameRow(a, b rules.Cell) bool {
	rowA, _ := a.RowColumn()
	rowB, _ := b.RowColumn()
	return rowA == rowB
}

// The answers are the same beside other searches.
func TestOneThreadIsDeterministic(t *testing.T) { //nolint:tparallel // the group waits for its answers
	t.Parallel()
	p := random(t, start(t, hexagon(5)), 12, 1)
	for _, o := range []limits.Options{{Limits: limits.Limits{Depth: 7}, Lines: 2}, {Limits: limits.Limits{Nodes: 10_000}}} {
		answers := make([]string, 4)
		t.Run("", func(t *testing.T) {
			for i := range answers {
				t.Run("", func(t *testing.T) {
					t.Parallel()
					for _, a := range analyze(t, p, o) {
						answers[i] += fmt.Sprintln(a.Depth, a.Exact, a.Nodes, a.Lines)
					}
				})
			}
		})
		for _, answer := range answers {
			if answer != answers[0] {
				t.Errorf("%+v: two answers are\n%sand\n%s", o, answers[0], answer)
			}
		}
	}
}

func TestThreadsFindTheSameExactScore(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		p := nearEnd(t, hexagon(5), 13, seed)
		one, three := last(analyze(t, p, limits.Options{})), last(analyze(t, p, limits.Options{Threads: 3}))
		if got, want := three.Best(), one.Best(); got.Score != want.Score {
			t.Errorf("three threads find %d, one %d", got.Score, want.Score)
		}
		wantExactLine(t, p, three.Best())
	}
}

func TestTheSearchStops(t *testing.T) {
	t.Parallel()
	p := start(t, hexagon(12))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name    string
		ctx     context.Context
		options limits.Options
		// most is the number of analyses after which the caller breaks off; 0 means never.
		most int
	}{
		{"at the depth limit", t.Context(), limits.Options{Limits: limits.Limits{Depth: 3}}, 0},
		{"at the node limit", t.Context(), limits.Options{Limits: limits.Limits{Nodes: 5000}}, 0},
		{"at the time limit", t.Context(), limits.Options{Limits: limits.Limits{Time: 30 * time.Millisecond}}, 0},
		{"if the context has ended before", ended, limits.Options{}, 0},
		{"when the caller breaks off", t.Context(), limits.Options{Threads: 2}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			read := 0
			for a := range Analyze(limits.NewMeter(test.ctx), p, test.options) {
				if _, _, err := p.Play(a.Best().Moves[0]); err != nil {
					t.Errorf("the best move is not legal: %v", err)
				}
				if limit := test.options.Nodes; limit > 0 && a.Nodes > limit+limits.Interval {
					t.Errorf("it visited %d nodes with a limit of %d", a.Nodes, limit)
				}
				if read++; read == test.most {
					break
				}
			}
			if read == 0 {
				t.Error("it yields no analysis")
			}
		})
	}
}

// It counts nodes instead of time, since other tests use the processor too.
func TestTheSearchStopsWhenTheContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	meter := limits.NewMeter(ctx)
	for a := range Analyze(meter, start(t, hexagon(5)), limits.Options{}) {
		if a.Depth == 8 {
			cancel()
			before, _ := meter.Spent()
			defer func() {
				if after, _ := meter.Spent(); after-before > limits.Interval {
					t.Errorf("it visited %d nodes after the context had ended", after-before)
				}
			}()
		}
	}
}

func TestTheSearchPassesOnlyToWinAtOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, notation string
		pass           bool
	}{
		{"the opponent has passed and the side to move leads", "reversi/hex:2 ___/_XX_/_X_X_/_XO_/___ X 1", true},
		{"it does not lead", "reversi/hex:2 ___/_XX_/_X_X_/_XO_/___ O 1", false},
		{"the opponent has not passed", "reversi/hex:2 ___/_XX_/_X_X_/_XO_/___ X 0", false},
		{"passing is forced", "reversi/square:4 ____/_XX_/_OX_/____ X 0", false},
	} {
		p, err := reversi.Parse(test.notation)
		if err != nil {
			t.Fatal(err)
		}
		found := last(analyze(t, p, limits.Options{}))
		if got := found.Best().Moves[0] == rules.Pass; got != test.pass {
			t.Errorf("%s: the best line is %v", test.name, found.Best())
		}
		if test.pass && (found.Best().Score != 4 || !found.Exact) {
			t.Errorf("%s: the score is %d, exact %v", test.name, found.Best().Score, found.Exact)
		}
	}
}

func TestTheSearchAnalyzesAForcedPass(t *testing.T) {
	t.Parallel()
	for _, notation := range []string{
		"reversi/hex:1 XO/O_X/XO X 0",
		"reversi/hex:2 ___/_XX_/_X_X_/_XX_/___ X 0",
		"reversi/square:4 XXXX/XXXX/XXXX/XXO_ O 0 pass_rule=voluntary",
	} {
		p, err := reversi.Parse(notation)
		if err != nil {
			t.Fatal(err)
		}
		if got := last(analyze(t, p, limits.Options{})); got.Best().Moves[0] != rules.Pass || !got.Exact {
			t.Errorf("the analysis of %s is %+v", notation, got)
		}
	}
}
