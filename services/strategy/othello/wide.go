package othello

// This file searches the principal variation: boards whose exact score is wanted, not only whether it exceeds one.
// They are few, so nothing here is cut on another's word, and the variation goes on to the last cell.

// searchWide is search for any window.
func (w *worker) searchWide(b Board, moves uint64, alpha, beta, n, depth int) int {
	switch {
	case alpha+1 == beta:
		return w.search(b, moves, alpha, n, depth)
	case depth == 0 && n > 0:
		return w.searchLeaf(b, n)
	case moves == 0:
		return w.searchWidePassed(b, alpha, beta, n, depth)
	case depth == 1 && n > 1:
		return w.searchLast(b, moves, beta-1, n)
	}
	w.nodes++
	known := w.shared.probe(b.Mover, b.Opponent)
	if int(known.depth) >= depth && known.precision >= w.precisionAt(depth) && known.lower == known.upper {
		return int(known.lower)
	}
	if w.stopped() {
		return alpha
	}
	list := w.order(b, moves, n, depth, known.moves)
	best, bestMove, low := none, Pass, alpha
	for i := range list.size {
		v := w.searchOneWide(b, &list.moves[i], i == 0, [2]int{low, beta}, n, depth)
		if w.abort {
			return alpha
		}
		if v > best {
			best, bestMove, low = v, list.moves[i].x, max(low, v)
			if best >= beta {
				break
			}
		}
	}
	w.remember(b, depth, alpha, beta, scored{best, bestMove})
	return best
}

// searchOneWide searches one move of a board on the principal variation: the first with the whole window, the others
// with a null window that only asks whether they are better, and again if they are.
func (w *worker) searchOneWide(b Board, m *move, leads bool, window [2]int, n, depth int) int {
	low, beta := window[0], window[1]
	if !leads {
		v := -w.searchAfter(b, m, -low-1, n, depth)
		if v <= low || v >= beta || w.abort {
			return v
		}
	}
	w.advance(m, n)
	return -w.searchWide(b.after(m.x, m.flips), m.replies, -beta, -low, n-1, depth-1)
}

// searchWidePassed is searchWide where the side to move has no move.
func (w *worker) searchWidePassed(b Board, alpha, beta, n, depth int) int {
	w.nodes++
	passed := b.Pass()
	replies := passed.Moves()
	if replies == 0 {
		return w.scoring.Final(b)
	}
	w.frames[n].Swap()
	score := -w.searchWide(passed, replies, -beta, -alpha, n, depth)
	w.frames[n].Swap()
	return score
}
