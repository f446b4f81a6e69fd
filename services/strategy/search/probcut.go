package search

import "math"

// Where a much shallower search says that a value lies far outside of the window, the deeper one would most likely say
// so too, and is spared (multi-probcut, after Buro). How far is far was measured, by `train error`, whose comment has
// the commands: it compares the scores of searches in full width, to different depths, of positions from self-play.

// deviations tell, for each phase, the root of the mean square of what a score differs by, in discs, from that of a
// search two plies deeper.
type deviations [phases]float64

// threshold is how many deviations outside of the window the value of the shallower search has to lie, and
// cutConfidence the percentage of the normal distribution within them.
const (
	threshold     = 1.5
	cutConfidence = 87
)

// ProbCutDepth is the least depth at which branches are cut. The root and the first sparedPlies placements after it are
// looked at in full, so that one mistaken cut does not hide a move.
const (
	ProbCutDepth     = 3
	sparedPlies = 2
)

// ShallowDepths are the depths of the searches that may speak for one of this depth, from ProbCutDepth on: the first takes next to
// nothing, the second about the square root. They have its parity, since a score is higher by several discs for the side
// that moved last.
func ShallowDepths(depth int) [2]int { return [2]int{2 - depth&1, depth/4*2 + depth&1} }

// DeviationRatio is by how much more than with two plies between them, from a shallow depth of one, the scores of two depths
// differ: the difference grows with the gap nearly as in a random walk with a drift, and a little less where the
// shallower depth is more to go by. It was fitted to all boards together.
func DeviationRatio(depth, shallow int) float64 {
	return math.Pow(float64(depth-shallow)/2, gapPower) * math.Pow(float64(shallow), shallowPower)
}

const (
	gapPower     = 0.42
	shallowPower = -0.15
)

// margins hold, for each phase and depth, how far outside of the window is far enough for either of the depths asked, in
// units.
type margins [phases][deepestCut + 1][2]int32

// deepestCut is the greatest depth at which branches are cut.
const deepestCut = 40

func (d *deviations) margins() *margins {
	var m margins
	for phase, deviation := range d {
		for depth := ProbCutDepth; depth <= deepestCut; depth++ {
			for i, shallow := range ShallowDepths(depth) {
				m[phase][depth][i] = int32(threshold * deviation * DeviationRatio(depth, shallow) * unit)
			}
		}
	}
	return &m
}

// probCut asks shallower searches whether a position's value, to the side to move, is so far above alpha, or below it,
// that the deeper search can be spared. It asks on the side where the evaluation lies.
func (s *searcher[W]) probCut(b *board[W], depth, alpha int) (value int, cut bool) {
	estimate, _ := s.evaluate(b)
	margins := &s.eval.margins[s.phase(b.empties)][depth]
	asked := ShallowDepths(depth)
	for i, shallow := range asked {
		if i > 0 && shallow == asked[0] {
			break
		}
		if estimate > alpha {
			bar := alpha + int(margins[i])
			value, cut = alpha+1, s.scout(b, shallow, bar) > bar
		} else {
			bar := alpha - int(margins[i])
			value, cut = alpha, s.scout(b, shallow, bar) <= bar
		}
		if s.Stopped() {
			return 0, false
		}
		if cut {
			s.estimated = true
			if !s.selective.Load() { // a store each time would make the threads wait for each other
				s.selective.Store(true)
			}
			return value, true
		}
	}
	return 0, false
}
