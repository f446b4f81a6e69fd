package othello

import (
	"math"
	"math/bits"
)

// Multi-ProbCut: if a much shallower search scores far outside the window, the deep search is
// skipped, because its score would most likely lie outside too (Buro, "Experiments with
// Multi-ProbCut and a New High-Quality Evaluation Function for Othello", 1997). The required
// distance comes from measurements: `flipside-train error` compares the scores of searches to
// different depths.

// selectivity is the level of a search: from 0, where ProbCut cuts most, to noSelectivity.
type selectivity uint8

// noSelectivity is the level of a full-width search.
const noSelectivity selectivity = 5

// thresholds holds, for each selectivity, the number of standard deviations between the window and
// a shallow score that allows a cut.
var thresholds = [noSelectivity]float64{0.8, 1.1, 1.5, 2.0, 2.6}

// percents holds the confidence of each selectivity: the percentage of a normal distribution within
// its threshold.
var percents = [noSelectivity + 1]int{58, 73, 87, 95, 99, 100}

// ProbCutDepth is the least depth at which ProbCut cuts.
const ProbCutDepth = 3

// selectivityAt returns the selectivity of a search to this depth.
func (w *worker) selectivityAt(depth int) selectivity {
	if depth < ProbCutDepth {
		return noSelectivity
	}
	return w.selectivity
}

// ShallowDepth returns the depth of the shallow search for a deep one: slightly less than half, and
// of the same parity, because scores of odd and even depths differ.
func ShallowDepth(depth int) int { return depth/4*2 + depth&1 }

// Deviation returns the standard deviation, in discs, of the difference between the scores of a
// deep and a shallow search on boards with n empty cells. Depth n stands for the final score.
//
// The formula is a fit to 10,000 boards with 12 to 56 empty cells, depths up to 9 and endgames from
// 20 empty cells. A deeper shallow search has a smaller deviation, and the gap between the depths
// has a small effect. Early boards have a smaller deviation than late ones.
func Deviation(n, depth, shallow int) float64 {
	if depth == n {
		return 7.5 * math.Pow(float64(shallow)/2, -0.37)
	}
	return (5.35 - 0.057*float64(n)) *
		math.Pow(float64(shallow)/2, -0.33) * math.Pow(float64(depth-shallow)/2, 0.3)
}

// probCutMargins holds the required distance from the window, in discs, by selectivity, number of
// empty cells and depth.
var probCutMargins = makeProbCutMargins()

func makeProbCutMargins() (table [noSelectivity][65][65]int8) {
	for level := range table {
		for n := range 65 {
			for depth := ProbCutDepth; depth <= n; depth++ {
				margin := thresholds[level] * Deviation(n, depth, ShallowDepth(depth))
				table[level][n][depth] = int8(min(margin+0.5, 127))
			}
		}
	}
	return table
}

// fewDiscs is the number of discs below which a side can lose all of them within a few plies. The
// evaluation does not see that: it likes few discs. So ProbCut would cut the variations that do.
const fewDiscs = 4

// probCut tries a shallow search on the side of the window where the evaluation lies. It reports a
// cutoff if the shallow score is beyond the margin.
func (w *worker) probCut(
	b Board, moves uint64, k key, alpha, n, depth int,
) (score int, cutoff bool) {
	if w.selectivity >= noSelectivity || depth < ProbCutDepth ||
		min(bits.OnesCount64(b.Mover), bits.OnesCount64(b.Opponent)) < fewDiscs {
		return 0, false
	}
	margin := int(probCutMargins[w.selectivity][n][depth])
	evaluation := w.evaluate(n)
	if high := alpha + margin; evaluation > alpha && high < 64 {
		if w.zeroWindow(b, moves, k, high, n, ShallowDepth(depth)) > high {
			return alpha + 1, !w.abort
		}
	}
	if low := alpha - margin; evaluation <= alpha && low >= -64 {
		if w.zeroWindow(b, moves, k, low, n, ShallowDepth(depth)) <= low {
			return alpha, !w.abort
		}
	}
	return 0, false
}
