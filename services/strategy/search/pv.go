package search

// pvSearch returns the value of a position for the side to move if it lies between alpha and beta,
// and then sets pv to the principal variation; else it returns a bound, as zeroWindow does.
func (w *worker[W]) pvSearch(b *board[W], depth, alpha, beta int, pv *[]int16) int {
	*pv = (*pv)[:0]
	switch {
	case depth == 0:
		return w.evaluateLeaf(b, w.contents(b))
	case depth != toEnd && depth >= int(b.empties):
		return w.pvSearch(b, toEnd, floorDiv(alpha, unit), -floorDiv(-beta, unit), pv) * unit
	}
	if !w.Visit() {
		return 0
	}
	e, _ := w.probe(w.canonicalKey(b, depth))
	first := len(w.stack)
	w.generate(b, depth, e.bestMove)
	if len(w.stack) == first {
		return w.pvPass(b, depth, alpha, beta, pv)
	}
	best, bestMove := -unbounded, int16(noMove)
	var childPV []int16
	for i := first; i < len(w.stack) && best < beta; i++ {
		c := w.pick(i)
		at := c.at
		value := w.searchChild(&c.board, below(depth), max(alpha, best), beta, i == first, &childPV)
		if w.Stopped() {
			break
		}
		if value > best {
			best, bestMove = value, at
			if value > alpha {
				*pv = append(append((*pv)[:0], at), childPV...)
			}
		}
	}
	w.stack = w.stack[:first]
	if !w.Stopped() {
		w.storeBounds(b, depth, alpha, beta, best, bestMove)
	}
	return best
}

// searchChild returns the value of a move for the side that makes it. Each move after the first
// gets a zero-window search, and a full one only if it is better.
func (w *worker[W]) searchChild(
	next *board[W], depth, alpha, beta int, isFirst bool, pv *[]int16,
) int {
	if !isFirst {
		value := -w.zeroWindow(next, depth, -alpha-1)
		if value <= alpha || value >= beta || w.Stopped() {
			*pv = (*pv)[:0]
			return value
		}
	}
	return -w.pvSearch(next, depth, -beta, -alpha, pv)
}

// pvPass is pvSearch for a position without a placement.
func (w *worker[W]) pvPass(b *board[W], depth, alpha, beta int, pv *[]int16) int {
	passed := b.pass()
	if !w.canPlace(&passed) {
		return w.finalValue(b, depth)
	}
	var childPV []int16
	value := -w.pvSearch(&passed, depth, -beta, -alpha, &childPV)
	*pv = append(append((*pv)[:0], noMove), childPV...)
	return value
}

func (w *worker[W]) storeBounds(b *board[W], depth, alpha, beta, value int, bestMove int16) {
	c := w.canonicalKey(b, depth)
	if value > alpha {
		w.store(c, b, depth, value, true, bestMove)
	}
	if value < beta {
		w.store(c, b, depth, value, false, bestMove)
	}
}
