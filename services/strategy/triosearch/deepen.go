package triosearch

import "slices"

// result holds the best roots of a worker at some depth, with their principal variations.
type result struct {
	depth int
	exact bool
	best  []root
	pvs   [][]move
}

// deepen searches from one depth to another and reports after each iteration, until report returns
// false or a limit is reached. It reports at least once. After an interrupted iteration it reports
// only if the best move has changed. After an exact result it also reports a swindle.
func (w *worker) deepen(from, to, lines int, report func(result) bool) {
	r := result{best: w.roots[:1]}
	reported := false
	for depth := min(from, to); depth <= to; depth = w.nextDepth(depth, to) {
		before := r.best[0]
		finished := w.searchIteration(depth, lines, &r)
		if !finished && reported && r.best[0] == before || !report(r) || !finished {
			return
		}
		reported = true
	}
	// Helpers report nothing, so a swindle of theirs would only spend the nodes that all share.
	if r.exact && lines == 1 && w.leads && w.swindle(&r) {
		report(r)
	}
}

// searchIteration searches to one depth. It returns false if a limit interrupted it.
func (w *worker) searchIteration(depth, lines int, r *result) (finished bool) {
	if depth == w.board.left && lines == 1 {
		finished = w.solve(r)
	} else {
		finished = w.searchWindow(r, depth, -infinity, infinity, lines)
	}
	if finished {
		r.depth, r.exact = depth, depth == w.board.left
	}
	r.pvs = nil
	for _, best := range r.best {
		r.pvs = append(r.pvs, w.principalVariation(best, r.exact))
	}
	return finished
}

// skippedPlies is the number of plies before the end of the game from which the search skips to the
// end: the iterations between cost more time than their move ordering saves.
const skippedPlies = 4

// nextDepth returns the depth of the next iteration.
func (w *worker) nextDepth(depth, to int) int {
	if depth < to && to == w.board.left && to-depth <= skippedPlies {
		return to
	}
	return depth + 1
}

// searchWindow searches the roots to one depth. If a limit interrupts it, it keeps the best move so
// far, which is at least as good as that of the iteration before, since that is searched first.
func (w *worker) searchWindow(r *result, depth, alpha, beta, lines int) (finished bool) {
	finished = w.searchRoots(depth, alpha, beta, lines)
	if len(w.best) > 0 && (finished || lines == 1) {
		r.best = slices.Clone(w.best)
	}
	return finished
}

// solve searches to the end of the game: first for the winner, which takes less time, then for the
// score.
func (w *worker) solve(r *result) (finished bool) {
	depth := w.board.left
	if !w.searchWindow(r, depth, -1, 1, 1) {
		return false
	}
	switch {
	case len(w.best) == 0:
		return w.searchWindow(r, depth, -infinity, 0, 1)
	case w.best[0].value > 0:
		return w.searchWindow(r, depth, w.best[0].value-1, infinity, 1)
	}
	return true
}
