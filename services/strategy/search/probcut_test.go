package search

import (
	"math"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// TestCutsChangeNothingExact: what is proved is the same with and without cuts on the way, and nothing doubts it.
func TestCutsChangeNothingExact(t *testing.T) {
	t.Parallel()
	cut := 0
	for seed := range uint64(12) {
		p := nearEnd(t, hexagon(5), 13+int(seed)%3, seed)
		selective, full := analyze(t, p, limits.Options{}), analyze(t, p, limits.Options{FullWidth: true})
		got, want := selective[len(selective)-1], full[len(full)-1]
		if !got.Exact || !want.Exact || got.Best().Score != want.Best().Score || got.Confidence != 100 {
			t.Errorf("%s: %d with cuts, exact %v, at %d %%; %d without, exact %v", p.Notation(),
				got.Best().Score, got.Exact, got.Confidence, want.Best().Score, want.Exact)
		}
		wantLineTrue(t, p, got.Best())
		for _, known := range selective {
			if known.Confidence < 100 {
				cut++
				break
			}
		}
	}
	if cut == 0 {
		t.Error("nothing was cut on the way")
	}
}

// TestNothingExactWithCuts: what is told with less than full confidence is not called exact, and the other way round.
func TestNothingExactWithCuts(t *testing.T) {
	t.Parallel()
	for name, setup := range manyRules {
		for seed := range uint64(4) {
			for _, known := range analyze(t, random(t, start(t, setup), int(seed)*5, seed), limits.Options{Limits: limits.Limits{Nodes: 20_000}}) {
				if known.Exact && known.Confidence != 100 || known.Confidence != 100 && known.Confidence != cutConfidence {
					t.Errorf("%s: at depth %d the confidence is %d %%, exact %v", name, known.Depth, known.Confidence, known.Exact)
				}
			}
		}
	}
}

func TestCutsSaveWork(t *testing.T) {
	t.Parallel()
	selective, full, off := int64(0), int64(0), 0.0
	const positions, depth = 12, 8
	for seed := range uint64(positions) {
		p := nearEnd(t, hexagon(5), 35, seed)
		cut, all := analyze(t, p, limits.Options{Limits: limits.Limits{Depth: depth}}), analyze(t, p, limits.Options{Limits: limits.Limits{Depth: depth}, FullWidth: true})
		for _, known := range all {
			if known.Confidence != 100 {
				t.Errorf("in full width the confidence is %d %% at depth %d", known.Confidence, known.Depth)
			}
		}
		selective += cut[len(cut)-1].Nodes
		full += all[len(all)-1].Nodes
		off += math.Abs(float64(cut[len(cut)-1].Best().Score - all[len(all)-1].Best().Score))
	}
	if selective*2 > full {
		t.Errorf("%d nodes with cuts, %d without", selective, full)
	}
	if mean := off / positions; mean > 2 {
		t.Errorf("cuts change scores by %.1f discs on average", mean)
	}
}

// TestDeviations: the constants fit the weights. They are wrong by less than half in other positions than those they
// were measured in.
func TestDeviations(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]reversi.Setup{"hexagon5": hexagon(5), "hexagon": hexagon(7), "square": square(10)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := modelsFor(start(t, setup).Board())[0]
			const depth = 5
			shallow := ShallowDepths(depth)[1]
			squares, positions := 0.0, 30
			for seed := range positions {
				p := random(t, start(t, setup), 10+seed, uint64(seed))
				full := analyze(t, p, limits.Options{Limits: limits.Limits{Depth: depth}, FullWidth: true})
				off := float64(full[len(full)-1].Best().Score - full[shallow-1].Best().Score)
				off /= model.deviations[probeOf(p).phaseNow()] * DeviationRatio(depth, shallow)
				squares += off * off
			}
			if got := math.Sqrt(squares / float64(positions)); model.name != name || got < 0.5 || got > 1.5 {
				t.Errorf("of %s the differences are %.2f times what is expected", model.name, got)
			}
		})
	}
}
