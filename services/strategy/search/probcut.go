package search

import "math"

// If a much shallower search returns a value far outside of the window, the deeper search would
// most likely do so too, and is cut: multi-ProbCut (M. Buro, "Experiments with Multi-ProbCut",
// 1997). The necessary distance comes from measurements of the error between full-width searches to
// different depths on self-play positions; the README describes them.

// deviations are, by phase, the root mean square of the difference in discs between the scores at
// depths 3 and 1.
type deviations [phases]float64

// threshold is the necessary distance in deviations, and cutConfidence the percentage of the normal
// distribution within it.
const (
	threshold     = 1.5
	cutConfidence = 87
)

// ProbCutDepth is the least depth of a cut. The root and the first fullWidthPlies placements after
// it are searched at full width, so that one wrong cut does not hide a move.
const (
	ProbCutDepth   = 3
	fullWidthPlies = 2
)

// ShallowDepths returns the depths of the shallow searches for a cut at some depth, at least
// [ProbCutDepth]: the first takes almost no time, the second about the square root. Both have the
// parity of depth, since a score is several discs higher for the side that moved last.
func ShallowDepths(depth int) [2]int { return [2]int{2 - depth&1, depth/4*2 + depth&1} }

// DeviationRatio returns the ratio between the deviation at two depths and that at depths 3 and 1.
// It grows with the gap almost as a random walk with drift, and falls slightly with the shallower
// depth. It was fitted to all boards together.
func DeviationRatio(depth, shallow int) float64 {
	return math.Pow(float64(depth-shallow)/2, gapPower) * math.Pow(float64(shallow), shallowPower)
}

const (
	gapPower     = 0.42
	shallowPower = -0.15
)

// margins are, by phase, depth and index in ShallowDepths, the necessary distances in units.
type margins [phases][maxProbCutDepth + 1][2]int32

// maxProbCutDepth is the greatest depth of a cut.
const maxProbCutDepth = 40

func (d *deviations) margins() *margins {
	var m margins
	for phase, deviation := range d {
		for depth := ProbCutDepth; depth <= maxProbCutDepth; depth++ {
			for i, shallow := range ShallowDepths(depth) {
				m[phase][depth][i] = int32(threshold * deviation * DeviationRatio(depth, shallow) * unit)
			}
		}
	}
	return &m
}

// probCut searches to shallow depths and reports whether the value is far enough above alpha, or
// below it, to cut the deeper search. It tests the side on which the static evaluation lies.
func (w *worker[W]) probCut(b *board[W], depth, alpha int) (value int, cut bool) {
	estimate, _ := w.evaluate(b, w.contents(b))
	margins := &w.eval.margins[w.phase(b.empties)][depth]
	depths := ShallowDepths(depth)
	for i, shallow := range depths {
		if i > 0 && shallow == depths[0] {
			break
		}
		if estimate > alpha {
			bound := alpha + int(margins[i])
			value, cut = alpha+1, w.zeroWindow(b, shallow, bound) > bound
		} else {
			bound := alpha - int(margins[i])
			value, cut = alpha, w.zeroWindow(b, shallow, bound) <= bound
		}
		if w.Stopped() {
			return 0, false
		}
		if cut {
			w.estimated = true
			if !w.table.selective.Load() { // repeated stores would slow down the other threads
				w.table.selective.Store(true)
			}
			return value, true
		}
	}
	return 0, false
}
