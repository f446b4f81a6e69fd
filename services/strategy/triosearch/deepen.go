package triosearch

import "slices"

// finding is what a worker found at a depth, or up to there: the best roots and the lines of play behind them.
type finding struct {
	depth int
	exact bool
	best  []root
	lines [][]move
}

// deepen searches deeper and deeper, from one depth to another, and reports what it finds until told to stop. It
// reports at least once, and of a depth that is stopped early only what is news.
func (w *worker) deepen(from, to, lines int, report func(finding) bool) {
	to = min(to, w.board.left)
	f := finding{best: w.roots[:1]}
	reported := false
	for depth := min(from, to); depth <= to; depth = w.after(depth, to) {
		before := f.best[0]
		finished := w.searchTo(depth, lines, &f)
		if !finished && reported && f.best[0] == before || !report(f) || !finished {
			return
		}
		reported = true
	}
}

// searchTo searches to one depth. It reports false if it was stopped early.
func (w *worker) searchTo(depth, lines int, f *finding) (finished bool) {
	if depth == w.board.left && lines == 1 {
		finished = w.solve(f)
	} else {
		finished = w.iterate(f, depth, -infinity, infinity, lines)
	}
	if finished {
		f.depth, f.exact = depth, depth == w.board.left
	}
	f.lines = nil
	for _, r := range f.best {
		f.lines = append(f.lines, w.line(r, f.exact))
	}
	// Helpers set no traps: nobody would hear of them, and they would spend the positions that all of them share.
	if f.exact && lines == 1 && w.leads {
		w.tempt(f)
	}
	return finished
}

// leap is how many plies before the end of the game the search goes for the end at once: what is found at the depths
// between does not make up for the time it takes.
const leap = 4

// after returns the depth to search after another.
func (w *worker) after(depth, to int) int {
	if depth < to && to == w.board.left && to-depth <= leap {
		return to
	}
	return depth + 1
}

// iterate searches to one depth. Of a search that is stopped early it keeps the best move so far, which is no worse than
// what the depth before found best, since that is searched first.
func (w *worker) iterate(f *finding, depth, alpha, beta, lines int) bool {
	finished := w.searchRoots(depth, alpha, beta, lines)
	if len(w.best) > 0 && (finished || lines == 1) {
		f.best = slices.Clone(w.best)
	}
	return finished
}

// solve searches to the end of the game: first only for who wins, which is known sooner, and then by how much.
func (w *worker) solve(f *finding) bool {
	depth := w.board.left
	if !w.iterate(f, depth, -1, 1, 1) {
		return false
	}
	switch {
	case len(w.best) == 0:
		return w.iterate(f, depth, -infinity, 0, 1)
	case w.best[0].value > 0:
		return w.iterate(f, depth, w.best[0].value-1, infinity, 1)
	}
	return true
}
