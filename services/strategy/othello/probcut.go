package othello

import "math"

// Where a much shallower search says that a score lies far outside the window, the deeper one would most likely say
// so too, and is spared (multi-probcut). How far is far was measured: see package train, which compares the scores of
// searches of different depth on boards from its games.

// probCutDepth is the least depth at which a branch may be cut on the word of a shallower search.
const probCutDepth = 5

// thresholds are how many standard deviations outside the window a shallower score must lie, by precision.
var thresholds = [certain]float64{0.8, 1.1, 1.5, 2.0, 2.6}

// percents are the confidence of each precision: how much of the normal distribution lies within its threshold.
var percents = [certain + 1]int{58, 73, 87, 95, 99, 100}

// shallowDepth is the depth of the search that is asked about one of this depth: a little under half of it, and of the
// same parity, because scores of odd and even depths differ.
func shallowDepth(depth int) int { return depth/4*2 + depth&1 }

// deviation is the standard deviation, in discs, of the difference between the scores of a search of depth and one of
// shallow plies with n empty cells; with depth n, of the final score. Fitted to 2400 boards with 12 to 51 empty cells,
// depths to 8 and endings from 18: the deeper the shallow search the better, the gap matters little, the number of
// empty cells not at all.
func deviation(n, depth, shallow int) float64 {
	if depth == n {
		return 7.5 * math.Pow(float64(shallow)/2, -0.37)
	}
	return 4.7 * math.Pow(float64(shallow)/2, -0.4) * math.Pow(float64(depth-shallow)/2, 0.25)
}

// probCuts holds, for each precision, number of empty cells and depth, how far outside the window is far enough.
var probCuts = makeProbCuts()

func makeProbCuts() (table [certain][65][65]int8) {
	for level := range table {
		for n := range 65 {
			for depth := probCutDepth; depth <= n; depth++ {
				table[level][n][depth] = int8(min(thresholds[level]*deviation(n, depth, shallowDepth(depth))+0.5, 127))
			}
		}
	}
	return table
}

// probCut asks a shallower search whether the score is so far from the window that the deeper one can be spared. It
// asks only on the side where the evaluation already lies.
func (w *worker) probCut(b Board, moves uint64, alpha, n, depth int) (score int, cut bool) {
	if w.precision >= certain || depth < probCutDepth {
		return 0, false
	}
	margin := int(probCuts[w.precision][n][depth])
	value := w.evaluate(n)
	if high := alpha + margin; value > alpha && high < 64 {
		if w.search(b, moves, high, n, shallowDepth(depth)) > high {
			return alpha + 1, !w.abort
		}
	}
	if low := alpha - margin; value <= alpha && low >= -64 {
		if w.search(b, moves, low, n, shallowDepth(depth)) <= low {
			return alpha, !w.abort
		}
	}
	return 0, false
}
