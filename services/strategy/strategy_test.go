package strategy_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

const (
	start    = "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0"
	mustPass = "reversi/square:4 XXXX/XXO_/XXXX/XXXX O 0"
	over     = "reversi/square:4 XXXX/XXXX/XXXX/XXX_ - 0"
)

func position(t testing.TB, notation string) rules.Position {
	t.Helper()
	p, err := reversi.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// keepAt keeps the candidates at some indices of the list.
type keepAt []int

func (s keepAt) Keep(
	_ *limits.Meter, _ rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	var kept []strategy.Candidate
	for _, i := range s {
		kept = append(kept, candidates[i])
	}
	return kept, nil
}

func TestSeedZeroChoosesTheFirstCandidate(t *testing.T) {
	p := position(t, start)
	all := strategy.Placements(p)
	choice, err := strategy.Choose(t.Context(), keepAt{1, 3, 4}, p, 0)
	want := strategy.Choice{
		Chosen: all[1], Candidates: []strategy.Candidate{all[1], all[3], all[4]}, Analysis: strategy.Analysis{Final: true},
	}
	if diff := cmp.Diff(want, choice, equal...); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

var equal = []cmp.Option{cmp.Comparer(func(a, b rules.Cell) bool { return a == b }), cmpopts.IgnoreFields(strategy.Analysis{}, "Time")}

func TestAStrategyThatKeepsNothingHasAllCandidates(t *testing.T) {
	p := position(t, start)
	choice, err := strategy.Choose(t.Context(), keepAt{}, p, 0)
	if diff := cmp.Diff(strategy.Placements(p), choice.Candidates, equal...); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

func TestAPassIsChosenOnlyIfItIsTheOnlyMove(t *testing.T) {
	for _, test := range []struct {
		name, position string
		passes         bool
	}{
		{"voluntary passing with placements", start, false},
		{"forced pass", mustPass, true},
		{"voluntary passing without placements", "reversi/hex:1 XO/O_X/XO X 0", true},
		{"voluntary passing without placements, the second in a row", "reversi/hex:1 XO/O_X/XO O 1", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range int64(20) {
				choice, err := strategy.Choose(t.Context(), keepAt{}, position(t, test.position), seed)
				if err != nil {
					t.Fatal(err)
				}
				if passes := choice.Chosen.Move == rules.Pass; passes != test.passes {
					t.Errorf("chose %+v", choice.Chosen.Move)
				}
			}
		})
	}
}

func TestAnEndedGameIsAnError(t *testing.T) {
	_, err := strategy.Choose(t.Context(), keepAt{}, position(t, over), 0)
	if fault.ReasonOf(err) != fault.GameOver {
		t.Errorf("Choose returns %v", err)
	}
	if _, err = strategy.Analyze(t.Context(), depths{}, position(t, over), 1); fault.ReasonOf(err) != fault.GameOver {
		t.Errorf("Analyze returns %v", err)
	}
}

func TestASeedPicksAmongEqualCandidates(t *testing.T) {
	p := position(t, start)
	picked := map[rules.Move]int{}
	for seed := int64(-60); seed < 60; seed++ {
		choice, err := strategy.Choose(t.Context(), keepAt{0, 2, 5}, p, seed)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := strategy.Choose(t.Context(), keepAt{0, 2, 5}, p, seed)
		if again.Chosen != choice.Chosen || !slices.Contains(choice.Candidates, choice.Chosen) {
			t.Errorf("seed %d picks %v, then %v", seed, choice.Chosen, again.Chosen)
		}
		picked[choice.Chosen.Move]++
	}
	if len(picked) != 3 {
		t.Errorf("the seeds pick these of three equal moves: %v", picked)
	}
}

func TestOneSeedPicksDifferentIndicesInAGame(t *testing.T) {
	positions, _ := rulestest.RandomGame(t, position(t, "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"), 1)
	picked := map[bool]int{}
	for _, p := range positions {
		if len(p.Legal()) >= 2 {
			choice, err := strategy.Choose(t.Context(), keepAt{0, 1}, p, 7)
			if err != nil {
				t.Fatal(err)
			}
			picked[choice.Chosen == choice.Candidates[0]]++
		}
	}
	if picked[true] == 0 || picked[false] == 0 {
		t.Errorf("it picked the first of two %d times and the second %d times", picked[true], picked[false])
	}
}

// depths is a search that takes a second for each iteration.
type depths []strategy.Analysis

func (depths) Keep(*limits.Meter, rules.Position, []strategy.Candidate) ([]strategy.Candidate, error) {
	panic("Choose calls Analyze, not Keep, of a search")
}

func (d depths) Analyze(meter *limits.Meter, p rules.Position, _ int) iter.Seq[strategy.Analysis] {
	return func(yield func(strategy.Analysis) bool) {
		for _, analysis := range d {
			time.Sleep(time.Second)
			if !meter.Visit() && analysis.Depth > 1 || !yield(analysis) {
				return
			}
		}
	}
}

func line(score int, moves ...rules.Move) []strategy.Line {
	return []strategy.Line{{Score: score, Moves: moves}}
}

func TestAnalysis(t *testing.T) {
	p := position(t, start)
	a, b := p.Legal()[0], p.Legal()[1]
	search := depths{
		{Depth: 1, Lines: line(3, a)}, {Depth: 2, Lines: line(-1, b, a)}, {Depth: 3, Lines: line(1, b, a, b), Exact: true},
	}
	for _, test := range []struct {
		name string
		time time.Duration
		want []int
	}{
		{"it yields each depth, and the last one again", time.Minute, []int{1, 2, 3, 3}},
		{"it ends with the last depth before the deadline", 2500 * time.Millisecond, []int{1, 2, 2}},
		{"it always yields the first depth", time.Millisecond, []int{1, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.time)
				defer cancel()
				analyses, err := strategy.Analyze(ctx, search, p, 1)
				if err != nil {
					t.Fatal(err)
				}
				var got []int
				start := time.Now()
				for analysis := range analyses {
					got = append(got, analysis.Depth)
					if last := len(got) == len(test.want); analysis.Final != last {
						t.Errorf("depth %d is final: %t", analysis.Depth, analysis.Final)
					}
					// Each depth takes a second.
					if took := time.Since(start); !analysis.Final && took != time.Duration(analysis.Depth)*time.Second {
						t.Errorf("depth %d arrives after %v", analysis.Depth, took)
					}
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("it yields the depths %v, want %v", got, test.want)
				}
			})
		})
	}
}

func TestTheCallerMayBreakOffAnAnalysis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := position(t, start)
		analyses, err := strategy.Analyze(t.Context(), depths{
			{Depth: 1, Lines: line(0, p.Legal()[0])}, {Depth: 2, Lines: line(0, p.Legal()[0])},
		}, p, 1)
		if err != nil {
			t.Fatal(err)
		}
		for range analyses {
			break
		}
	})
}

func TestASearchChoosesTheMoveOfItsBestLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := position(t, start)
		a, b := p.Legal()[0], p.Legal()[1]
		choice, err := strategy.Choose(t.Context(), depths{
			{Depth: 1, Lines: line(3, a)}, {Depth: 2, Lines: line(-1, b, a), Exact: true},
		}, p, 0)
		best := strategy.Candidate{Move: b, Value: -1, Measure: strategy.Score}
		want := strategy.Choice{
			Chosen: best, Candidates: []strategy.Candidate{best},
			Analysis: strategy.Analysis{Depth: 2, Exact: true, Lines: line(-1, b, a), Nodes: 2, Time: 2 * time.Second, Final: true},
		}
		if diff := cmp.Diff(want, choice, equal[0]); err != nil || diff != "" {
			t.Errorf("error %v (-want +got):\n%s", err, diff)
		}
	})
}

func TestASearchReportsEachDepth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := position(t, start)
		a, b := p.Legal()[0], p.Legal()[1]
		all := depths{{Depth: 1, Lines: line(3, a)}, {Depth: 2, Lines: line(-1, b, a)}}
		var reported []strategy.Analysis
		choice, err := strategy.ChooseAndReport(t.Context(), all, p, 0, func(a strategy.Analysis) {
			reported = append(reported, a)
		})
		if err != nil || choice.Chosen.Move != b {
			t.Errorf("it chose %v: %v", choice.Chosen, err)
		}
		if diff := cmp.Diff([]strategy.Analysis(all), reported, equal...); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestHighestLowestAndOnly(t *testing.T) {
	p := position(t, start)
	all := strategy.Placements(p)
	values := map[rules.Move]int{}
	for i, v := range []int{2, 5, 1, 5, 1, 3} {
		values[all[i].Move] = v
	}
	value := func(m rules.Move) (int, error) { return values[m], nil }
	highest, _ := strategy.Highest(all, strategy.Flips, value)
	lowest, _ := strategy.Lowest(all, strategy.Exposure, value)
	only := strategy.Only(highest, func(m rules.Move) bool { return m == all[3].Move })
	for _, test := range []struct {
		name      string
		got, want []strategy.Candidate
	}{
		{"highest", highest, []strategy.Candidate{{all[1].Move, 5, strategy.Flips}, {all[3].Move, 5, strategy.Flips}}},
		{"lowest", lowest, []strategy.Candidate{{all[2].Move, 1, strategy.Exposure}, {all[4].Move, 1, strategy.Exposure}}},
		{"only keeps the measured values", only, []strategy.Candidate{{all[3].Move, 5, strategy.Flips}}},
	} {
		if diff := cmp.Diff(test.want, test.got, equal...); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	unmeasured := func(rules.Move) (int, error) { return 0, strategy.Unfinished() }
	kept, err := strategy.Highest(all, strategy.Flips, unmeasured)
	if fault.ReasonOf(err) != fault.BudgetExceeded || kept != nil {
		t.Errorf("an error of value gives %v, %v", kept, err)
	}
}
