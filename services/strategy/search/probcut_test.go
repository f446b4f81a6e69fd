package search

import (
	"math"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

func TestSelectiveCutsDoNotChangeExactScores(t *testing.T) {
	t.Parallel()
	cut := 0
	for seed := range uint64(12) {
		p := nearEnd(t, hexagon(5), 13+int(seed)%3, seed)
		selective, full := analyze(t, p, limits.Options{}), analyze(t, p, limits.Options{FullWidth: true})
		got, want := last(selective), last(full)
		if !got.Exact || !want.Exact || got.Best().Score != want.Best().Score || got.Confidence != 100 {
			t.Errorf("%s: %d with cuts, exact %v, at %d %%; %d without, exact %v", p.Notation(),
				got.Best().Score, got.Exact, got.Confidence, want.Best().Score, want.Exact)
		}
		wantExactLine(t, p, got.Best())
		for _, analysis := range selective {
			if analysis.Confidence < 100 {
				cut++
				break
			}
		}
	}
	if cut == 0 {
		t.Error("no search made a selective cut")
	}
}

func TestAnExactAnalysisHasFullConfidence(t *testing.T) {
	t.Parallel()
	for name, setup := range manyRules {
		for seed := range uint64(4) {
			p := random(t, start(t, setup), int(seed)*5, seed)
			for _, a := range analyze(t, p, limits.Options{Limits: limits.Limits{Nodes: 20_000}}) {
				if a.Exact && a.Confidence != 100 || a.Confidence != 100 && a.Confidence != cutConfidence {
					t.Errorf("%s: at depth %d the confidence is %d %%, exact %v", name, a.Depth, a.Confidence, a.Exact)
				}
			}
		}
	}
}

func TestSelectiveCutsSaveNodes(t *testing.T) {
	t.Parallel()
	selective, full, difference := int64(0), int64(0), 0.0
	const positions, depth = 12, 9
	for seed := range uint64(positions) {
		p := nearEnd(t, hexagon(5), 35, seed)
		o := limits.Options{Limits: limits.Limits{Depth: depth}}
		cut := last(analyze(t, p, o))
		o.FullWidth = true
		all := analyze(t, p, o)
		for _, a := range all {
			if a.Confidence != 100 {
				t.Errorf("at full width the confidence is %d %% at depth %d", a.Confidence, a.Depth)
			}
		}
		selective += cut.Nodes
		full += last(all).Nodes
		difference += math.Abs(float64(cut.Best().Score - last(all).Best().Score))
	}
	if selective*2 > full {
		t.Errorf("%d nodes with cuts, %d without", selective, full)
	}
	if mean := difference / positions; mean > 2 {
		t.Errorf("cuts change scores by %.1f discs on average", mean)
	}
}

// The measured deviations also fit other positions than those of the measurement, within half.
func TestTheDeviationsFitTheWeights(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]reversi.Setup{
		"hexagon4": hexagon(4), "hexagon5": hexagon(5), "hexagon6": hexagon(6), "hexagon7": hexagon(7),
		"square6": square(6), "square10": square(10), "square12": square(12),
		"hexagon": hexagon(8), "square": square(14),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, setup)
			cells := len(newGeometry(p).cells)
			model := modelFor(p.Board(), cells)
			const depth = 5
			shallow := ShallowDepths(depth)[1]
			squares, positions := 0.0, 30
			for seed := range positions {
				p := random(t, p, min(10+seed, cells/2), uint64(seed))
				full := analyze(t, p, limits.Options{Limits: limits.Limits{Depth: depth}, FullWidth: true})
				difference := float64(last(full).Best().Score - full[shallow-1].Best().Score)
				difference /= model.deviations[newTestGame(p).currentPhase()] * DeviationRatio(depth, shallow)
				squares += difference * difference
			}
			if got := math.Sqrt(squares / float64(positions)); model.name != name || got < 0.5 || got > 1.5 {
				t.Errorf("the deviations of %s are %.2f times the expected ones", model.name, got)
			}
		})
	}
}
