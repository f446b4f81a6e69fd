package othello

// This file searches with an open window: nodes of the principal variation, whose score must be
// exact between alpha and beta. They are few, so ProbCut cuts none of them, and the variation
// continues to the last cell.

// pvSearch is principal variation search (Marsland and Campbell, "Parallel Search of Strongly
// Ordered Game Trees", 1982) with the arguments of zeroWindow. It is fail-soft.
func (w *worker) pvSearch(b Board, moves uint64, win window, n, depth int) int {
	switch {
	case win.alpha+1 == win.beta:
		return w.zeroWindow(b, moves, keyOf(b.Mover, b.Opponent), win.alpha, n, depth)
	case depth == 0 && n > 0:
		return w.evaluateLeaf(b, n)
	case moves == 0:
		return w.pvPass(b, win, n, depth)
	case depth == 1 && n > 1:
		return w.zeroWindowLast(b, moves, win.beta-1, n)
	}
	w.Nodes++
	k := keyOf(b.Mover, b.Opponent)
	e := w.shared.probe(k)
	if int(e.depth) >= depth && e.selectivity >= w.selectivityAt(depth) && e.lower == e.upper {
		return int(e.lower)
	}
	if w.stopped() {
		return win.alpha
	}
	list := w.order(b, moves, n, depth, e.moves)
	best, bestMove, open := noScore, Pass, win
	for i := range list.size {
		v := w.pvMove(b, list.at(i), i == 0, open, n, depth)
		if w.abort {
			return win.alpha
		}
		if v > best {
			best, bestMove, open.alpha = v, list.at(i).x, max(open.alpha, v)
			if best >= win.beta {
				break
			}
		}
	}
	w.store(k, depth, win, best, bestMove)
	return best
}

// pvMove searches one move of a node of the principal variation. It searches the first move with
// the whole window. For any other it first makes a zero-window search and repeats it with the
// window if the move is better.
func (w *worker) pvMove(b Board, m *move, isFirst bool, win window, n, depth int) int {
	if !isFirst {
		v := -w.zeroWindowMove(b, m, -win.alpha-1, n, depth)
		if v <= win.alpha || v >= win.beta || w.abort {
			return v
		}
	}
	w.makeMove(m.x, m.flips, n)
	child := window{-win.beta, -win.alpha}
	return -w.pvSearch(b.makeMove(m.x, m.flips), m.replies, child, n-1, depth-1)
}

// pvPass is pvSearch for a side to move without a legal move.
func (w *worker) pvPass(b Board, win window, n, depth int) int {
	w.Nodes++
	passed := b.Pass()
	replies := passed.Moves()
	if replies == 0 {
		return w.scoring.Final(b)
	}
	w.frames[n].Swap()
	score := -w.pvSearch(passed, replies, window{-win.beta, -win.alpha}, n, depth)
	w.frames[n].Swap()
	return score
}

// principalVariation returns the principal variation that starts with this move, as far as the
// shared table has it.
func (w *worker) principalVariation(b Board, x Square) (pv []Square) {
	for {
		pv = append(pv, x)
		b = b.playOrPass(x)
		moves := b.Moves()
		if moves == 0 {
			if b.Over() {
				return pv
			}
			x = Pass
			continue
		}
		x = w.shared.probe(keyOf(b.Mover, b.Opponent)).moves[0]
		if x == Pass || moves>>x&1 == 0 {
			return pv
		}
	}
}

// exactVariation returns best play from this move, which has this score, to the end of the game. No
// table has the boards low in the tree, so it searches each of them again for a move that keeps the
// score; the tables make these searches short. It returns early if the search stops.
func (w *worker) exactVariation(b Board, x Square, score int) (pv []Square) {
	for {
		pv = append(pv, x)
		b, score = b.playOrPass(x), -score
		moves := b.Moves()
		switch {
		case moves != 0:
			x = w.moveWithScore(b, moves, score)
		case b.Over():
			return pv
		default:
			x = Pass
			continue
		}
		if w.abort {
			return pv
		}
	}
}

// moveWithScore returns a move that leads to this score, the best possible one.
func (w *worker) moveWithScore(b Board, moves uint64, score int) Square {
	n := b.Empties()
	tableMoves := w.tableFor(n).probe(keyOf(b.Mover, b.Opponent)).moves
	list := *w.orderFastestFirst(b, moves, n, tableMoves)
	for i := range list.size - 1 {
		m := list.at(i)
		child := b.makeMove(m.x, m.flips)
		w.setContents(child)
		k := keyOf(child.Mover, child.Opponent)
		if v := w.zeroWindow(child, m.replies, k, -score, n-1, n-1); v <= -score || w.abort {
			return m.x
		}
	}
	return list.at(list.size - 1).x
}
