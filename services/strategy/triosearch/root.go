package triosearch

import (
	"cmp"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
)

// root is a move to choose from: its place in reading order, its value as far as it was found out, and what it promises
// (traps.go).
type root struct {
	index   int
	move    move
	value   int
	promise float64
}

// roots returns the roots of some moves. Of identical cards only the first is one.
func (g *game) roots(p *threetrios.Position, moves []strategy.Candidate) []root {
	side := sideOf(p.Turn())
	slots, cells := map[string]uint8{}, map[rules.Cell]uint8{}
	for _, card := range p.Hand(p.Turn()) {
		slots[card.Name] = uint8(g.slotOf(int(side), valuesOf(card)))
	}
	for cell := 1; cell <= g.cells; cell++ {
		cells[g.at[cell]] = uint8(cell)
	}
	all := make([]root, 0, len(moves))
	var seen [1 << 16]bool
	for _, c := range moves {
		m := moveOf(cells[c.Move.Cell], slots[c.Move.Card])
		if !seen[m] {
			seen[m] = true
			all = append(all, root{index: len(all), move: m})
		}
	}
	return all
}

// arrange sets the roots up in the order in which moves are tried anywhere else.
func (w *worker) arrange(roots []root) {
	w.list(0, noMove)
	var ranks [1 << 16]ranked // by move
	for _, r := range w.moves {
		ranks[r.move()] = r
	}
	w.moves = w.moves[:0]
	w.roots = slices.Clone(roots)
	slices.SortFunc(w.roots, func(a, b root) int { return cmp.Compare(ranks[b.move], ranks[a.move]) })
}

// searchRoots searches the moves to choose from and leaves the best lines of them in w.best, best first and those of equal
// value in reading order. Values of alpha or less are not among them; a value of beta or more, which is a bound, ends
// the search. It reports false if it was stopped before the end; then w.best is the best of those searched so far.
func (w *worker) searchRoots(depth, alpha, beta, lines int) bool {
	w.best = w.best[:0]
	for _, r := range w.roots {
		bar := alpha
		if len(w.best) == lines {
			bar = w.best[lines-1].value
			if lines > 1 && r.index < w.best[lines-1].index {
				bar--
			}
		}
		r.value = w.searchRoot(r.move, depth, bar, beta, len(w.best) > 0)
		if w.Stopped() {
			return false
		}
		if r.value > bar {
			w.insert(r, lines)
		}
		if lines == 1 && r.value >= beta {
			break
		}
	}
	w.bringForward()
	return true
}

// searchRoot returns the value of a move. A move that is expected to be no better than alpha is first only asked
// whether it is.
func (w *worker) searchRoot(m move, depth, alpha, beta int, late bool) int {
	was := w.board.lay(m)
	defer w.board.takeBack(m, was)
	if late {
		if v := -w.search(depth-1, -alpha-1, -alpha, 1); v <= alpha || w.Stopped() {
			return v
		}
	}
	return -w.search(depth-1, -beta, -alpha, 1)
}

// insert puts a root in its place among the best.
func (w *worker) insert(r root, lines int) {
	i, _ := slices.BinarySearchFunc(w.best, r, func(a, b root) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.index, b.index))
	})
	w.best = slices.Insert(w.best, i, r)
	w.best = w.best[:min(len(w.best), lines)]
}

// bringForward moves the best roots to the front, where the next depth looks first.
func (w *worker) bringForward() {
	for _, best := range slices.Backward(w.best) {
		at := slices.IndexFunc(w.roots, func(r root) bool { return r.index == best.index })
		copy(w.roots[1:at+1], w.roots[:at])
		w.roots[0] = best
	}
}
