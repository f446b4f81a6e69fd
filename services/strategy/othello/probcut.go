package othello

// probCutDepth is the least depth at which a branch may be cut on the word of a shallower search.
const probCutDepth = 5

// probCut asks a shallower search whether the score is so far from the window that the deeper one can be spared.
func (w *worker) probCut(p, o, moves uint64, alpha, n, depth int) (score int, cut bool) {
	return 0, false
}
