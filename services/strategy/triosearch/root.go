package triosearch

import (
	"cmp"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// root is a move at the root.
type root struct {
	// index is its index in reading order.
	index int
	move  move
	// value is its value in the last iteration.
	value int
	// swindle is the expected points of the move against an opponent who errs (swindle.go).
	swindle float64
}

// roots returns the roots of some moves. Of identical cards it returns only the first.
func (g *game) roots(p *threetrios.Position, moves []rules.Move) []root {
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
	for _, m := range moves {
		move := moveOf(cells[m.Cell], slots[m.Card])
		if !seen[move] {
			seen[move] = true
			all = append(all, root{index: len(all), move: move})
		}
	}
	return all
}

// orderRoots sets up the roots in the usual move ordering. An earlier search can have left a table
// move.
func (w *worker) orderRoots(roots []root) {
	w.generate(0, w.table.probe(w.board.key).bestMove)
	var keys [1 << 16]orderKey // by move
	for _, k := range w.moves {
		keys[k.move()] = k
	}
	w.moves = w.moves[:0]
	w.roots = slices.Clone(roots)
	slices.SortFunc(w.roots, func(a, b root) int { return cmp.Compare(keys[b.move], keys[a.move]) })
}

// searchRoots searches the roots and leaves the best of them in w.best, the best one first and
// equal ones in reading order. It leaves out values of alpha or less. A value of beta or more is a
// lower bound and ends the search. It returns false if a limit interrupted it; then w.best is the
// best of the roots searched so far.
func (w *worker) searchRoots(depth, alpha, beta, lines int) (finished bool) {
	w.best = w.best[:0]
	for _, r := range w.roots {
		minimum := alpha
		if len(w.best) == lines {
			minimum = w.best[lines-1].value
			if lines > 1 && r.index < w.best[lines-1].index {
				minimum-- // an equal root that comes earlier in reading order takes its place
			}
		}
		r.value = w.searchRoot(r.move, depth, minimum, beta, len(w.best) > 0)
		if w.Stopped() {
			return false
		}
		if r.value > minimum {
			w.insert(r, lines)
		}
		if lines == 1 && r.value >= beta {
			break
		}
	}
	w.moveToFront()
	return true
}

// searchRoot returns the value of a move. With zeroWindow set, it starts with a zero-window search,
// since it expects a value of alpha or less.
func (w *worker) searchRoot(m move, depth, alpha, beta int, zeroWindow bool) int {
	undo := w.board.makeMove(m)
	defer w.board.unmakeMove(m, undo)
	if zeroWindow {
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

// moveToFront moves the best roots to the front, where the next iteration searches them first.
func (w *worker) moveToFront() {
	for _, best := range slices.Backward(w.best) {
		at := slices.IndexFunc(w.roots, func(r root) bool { return r.index == best.index })
		copy(w.roots[1:at+1], w.roots[:at])
		w.roots[0] = best
	}
}
