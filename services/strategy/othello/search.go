package othello

import "github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"

// From this many empty cells on the last plies are searched like the midgame: moves ordered by evaluation, branches
// cut on the word of shallower searches while the precision allows. Below, counting replies is cheaper and as good.
const evaluatedEmpties = 14

// search is the score for p, to move, after a search of this depth with n empty cells: fail-soft, for the null window
// from alpha. The depth counts moves, not passes; n means to the end. The contents of the board are in frames[n].
func (w *worker) search(p, o, moves uint64, alpha, n, depth int) int {
	switch {
	case depth >= n && n < evaluatedEmpties:
		return w.solve(p, o, moves, alpha, n)
	case depth == 0:
		return w.searchLeaf(p, o, n)
	case moves == 0:
		return w.searchPassed(p, o, alpha, n, depth)
	case depth == 1:
		return w.searchLast(p, o, moves, alpha, n)
	}
	w.nodes++
	if depth == n {
		if upper, cut := stabilityCut(p, o, alpha, n); cut {
			return upper
		}
	}
	known := w.shared.probe(p, o)
	if score, cut := known.cuts(alpha, depth, w.precisionAt(depth)); cut {
		return score
	}
	if w.stopped() {
		return alpha
	}
	if score, cut := w.probCut(Board{p, o}, moves, alpha, n, depth); cut {
		return score
	}
	list := &w.lists[n]
	w.order(list, p, o, moves, n, depth, known.moves)
	if score, cut := list.probeAhead(w.shared, Board{p, o}, alpha, depth-1, w.precisionAt(depth-1)); cut {
		return score
	}
	best, bestMove := none, Pass
	for i := range list.size {
		if i > 0 && w.shareable(depth, list.size-i) {
			best, bestMove = w.share(job{Board{p, o}, alpha, n, depth, i, best, bestMove})
			if w.abort {
				return alpha
			}
			break
		}
		m := &list.moves[i]
		v := -w.searchAfter(p, o, m, -alpha-1, n, depth)
		if w.abort {
			return alpha
		}
		if v > best {
			if best, bestMove = v, m.x; best > alpha {
				break
			}
		}
	}
	w.remember(p, o, alpha, alpha+1, best, bestMove, depth)
	return best
}

// searchAfter is search for the opponent, after a move.
func (w *worker) searchAfter(p, o uint64, m *move, alpha, n, depth int) int {
	w.advance(m, n)
	return w.search(o^m.flips, p^m.flips|1<<(m.x&63), m.replies, alpha, n-1, depth-1)
}

// advance brings the contents of the board after a move up to date.
func (w *worker) advance(m *move, n int) {
	w.frames[n-1].After(&w.frames[n], int(m.x), m.flips)
}

// searchPassed is search where p has no move.
func (w *worker) searchPassed(p, o uint64, alpha, n, depth int) int {
	w.nodes++
	replies := legalMoves(o, p)
	if replies == 0 {
		return w.scoring.final(p, o)
	}
	w.frames[n].Swap()
	score := -w.search(o, p, replies, -alpha-1, n, depth)
	w.frames[n].Swap()
	return score
}

// searchLast is search of depth one: the boards after the moves are evaluated, in no order.
func (w *worker) searchLast(p, o, moves uint64, alpha, n int) int {
	w.nodes++
	best := none
	for ; moves != 0; moves &= moves - 1 {
		x := first(moves)
		f := flips(p, o, x)
		w.frames[n-1].After(&w.frames[n], int(x), f)
		if v := -w.searchLeaf(o^f, p^f|1<<x, n-1); v > best {
			if best = v; best > alpha {
				return best
			}
		}
	}
	return best
}

// searchLeaf is search of depth none: the evaluation. It does not look for moves, so it values a board where p must
// pass like any other; only a board without p's discs is known to be the end.
func (w *worker) searchLeaf(p, o uint64, n int) int {
	w.nodes++
	if p == 0 {
		return w.scoring.final(p, o)
	}
	return w.evaluate(n)
}

// evaluate is the value of the board in frames[n] in discs, never quite won or lost: those scores are for real ends.
func (w *worker) evaluate(n int) int {
	v := w.weights.Value(&w.frames[n], n)
	return min(max((v+pattern.Unit/2+64*pattern.Unit)/pattern.Unit-64, -63), 63)
}

// precisionAt is the precision of a search of this depth: too shallow for cuts on another's word means certain.
func (w *worker) precisionAt(depth int) precision {
	if depth < probCutDepth {
		return certain
	}
	return w.precision
}

// remember stores a result in the shared table.
func (w *worker) remember(p, o uint64, alpha, beta, best int, bestMove Square, depth int) {
	w.shared.store(p, o, alpha, beta, best,
		bound{depth: uint8(depth), precision: w.precisionAt(depth), moves: [2]Square{bestMove, Pass}})
}

// searchWide is search for any window. Only boards on the principal variation come here.
func (w *worker) searchWide(p, o, moves uint64, alpha, beta, n, depth int) int {
	switch {
	case alpha+1 == beta:
		return w.search(p, o, moves, alpha, n, depth)
	case depth == 0 && n > 0:
		return w.searchLeaf(p, o, n)
	case moves == 0:
		return w.searchWidePassed(p, o, alpha, beta, n, depth)
	case depth == 1 && n > 1:
		return w.searchLast(p, o, moves, beta-1, n)
	}
	w.nodes++
	known := w.shared.probe(p, o)
	if int(known.depth) >= depth && known.precision >= w.precisionAt(depth) && known.lower == known.upper {
		return int(known.lower)
	}
	if w.stopped() {
		return alpha
	}
	list := &w.lists[n]
	w.order(list, p, o, moves, n, depth, known.moves)
	best, bestMove, low := none, Pass, alpha
	for i := range list.size {
		v := w.searchOneWide(p, o, &list.moves[i], i == 0, [2]int{low, beta}, n, depth)
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
	w.remember(p, o, alpha, beta, best, bestMove, depth)
	return best
}

// searchOneWide searches one move of a board on the principal variation: the first with the whole window, the others
// with a null window that only asks whether they are better, and again if they are.
func (w *worker) searchOneWide(p, o uint64, m *move, leads bool, window [2]int, n, depth int) int {
	low, beta := window[0], window[1]
	if !leads {
		v := -w.searchAfter(p, o, m, -low-1, n, depth)
		if v <= low || v >= beta || w.abort {
			return v
		}
	}
	w.advance(m, n)
	return -w.searchWide(o^m.flips, p^m.flips|1<<(m.x&63), m.replies, -beta, -low, n-1, depth-1)
}

// searchWidePassed is searchWide where p has no move.
func (w *worker) searchWidePassed(p, o uint64, alpha, beta, n, depth int) int {
	w.nodes++
	replies := legalMoves(o, p)
	if replies == 0 {
		return w.scoring.final(p, o)
	}
	w.frames[n].Swap()
	score := -w.searchWide(o, p, replies, -beta, -alpha, n, depth)
	w.frames[n].Swap()
	return score
}
