package othello

import "github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"

// From this many empty cells on the last plies are searched like the midgame: moves ordered by evaluation, branches
// cut on the word of shallower searches while the precision allows. Below, counting replies is cheaper and as good:
// 17 in its place makes 16 % more nodes, no evaluation at all three times as many.
const evaluatedEmpties = 14

// search is the score for the side to move, which has these legal moves, after a search of this depth with n empty
// cells: fail-soft, for the null window from alpha. The depth counts moves, not passes; n means to the end. The
// contents of the board are in frames[n].
func (w *worker) search(b Board, moves uint64, alpha, n, depth int) int {
	switch {
	case depth >= n && n < evaluatedEmpties:
		return w.solve(b.Mover, b.Opponent, moves, alpha, n)
	case depth == 0:
		return w.searchLeaf(b, n)
	case moves == 0:
		return w.searchPassed(b, alpha, n, depth)
	case depth == 1:
		return w.searchLast(b, moves, alpha, n)
	}
	w.nodes++
	if depth == n {
		if upper, cut := stabilityCut(b.Mover, b.Opponent, alpha, n); cut {
			return upper
		}
	}
	known := w.shared.probe(b.Mover, b.Opponent)
	if score, cut := known.cuts(alpha, depth, w.precisionAt(depth)); cut {
		return score
	}
	if w.stopped() {
		return alpha
	}
	if score, cut := w.probCut(b, moves, alpha, n, depth); cut {
		return score
	}
	list := w.order(b, moves, n, depth, known.moves)
	if score, cut := list.probeAhead(w.shared, b, alpha, depth-1, w.precisionAt(depth-1)); cut {
		return score
	}
	best, bestMove := w.searchMoves(b, list, alpha, n, depth)
	if w.abort {
		return alpha
	}
	w.remember(b, depth, alpha, alpha+1, scored{best, bestMove})
	return best
}

// searchMoves searches the moves of a board until one ends it, together with idle workers if there are any.
func (w *worker) searchMoves(b Board, list *moveList, alpha, n, depth int) (best int, bestMove Square) {
	best, bestMove = none, Pass
	for i := range list.size {
		if i > 0 && w.shareable(depth, list.size-i) {
			return w.share(job{b, alpha, n, depth, i, best, bestMove})
		}
		m := &list.moves[i]
		v := -w.searchAfter(b, m, -alpha-1, n, depth)
		if w.abort {
			return best, bestMove
		}
		if v > best {
			if best, bestMove = v, m.x; best > alpha {
				break
			}
		}
	}
	return best, bestMove
}

// searchAfter is search for the opponent, after a move.
func (w *worker) searchAfter(b Board, m *move, alpha, n, depth int) int {
	w.advance(m, n)
	return w.search(b.after(m.x, m.flips), m.replies, alpha, n-1, depth-1)
}

// advance brings the contents of the board after a move up to date.
func (w *worker) advance(m *move, n int) {
	w.frames[n-1].After(&w.frames[n], int(m.x), m.flips)
}

// searchPassed is search where the side to move has no move.
func (w *worker) searchPassed(b Board, alpha, n, depth int) int {
	w.nodes++
	passed := b.Pass()
	replies := passed.Moves()
	if replies == 0 {
		return w.scoring.Final(b)
	}
	w.frames[n].Swap()
	score := -w.search(passed, replies, -alpha-1, n, depth)
	w.frames[n].Swap()
	return score
}

// searchLast is search of depth one: the boards after the moves are evaluated, in no order.
func (w *worker) searchLast(b Board, moves uint64, alpha, n int) int {
	w.nodes++
	best := none
	for ; moves != 0; moves &= moves - 1 {
		x := first(moves)
		flipped := flips(b.Mover, b.Opponent, x)
		w.frames[n-1].After(&w.frames[n], int(x), flipped)
		if v := -w.searchLeaf(b.after(x, flipped), n-1); v > best {
			if best = v; best > alpha {
				return best
			}
		}
	}
	return best
}

// searchLeaf is search of depth none: the evaluation. It does not look for moves, so it values a board whose side to
// move must pass like any other; only a board without its discs is known to be the end.
func (w *worker) searchLeaf(b Board, n int) int {
	w.nodes++
	if b.Mover == 0 {
		return w.scoring.Final(b)
	}
	return w.evaluate(n)
}

// evaluate is the value of the board in frames[n] in discs, never quite won or lost: those scores are for real ends.
func (w *worker) evaluate(n int) int {
	const lowest = 64
	discs := (w.weights.Value(&w.frames[n], n)+pattern.Unit/2+lowest*pattern.Unit)/pattern.Unit - lowest
	return min(max(discs, -63), 63)
}

// precisionAt is the precision of a search of this depth: too shallow for cuts on another's word means certain.
func (w *worker) precisionAt(depth int) precision {
	if depth < probCutDepth {
		return certain
	}
	return w.precision
}

// scored is what a search found: a score and the move that reaches it.
type scored struct {
	score int
	move  Square
}

// remember stores a result in the shared table.
func (w *worker) remember(b Board, depth, alpha, beta int, found scored) {
	w.shared.store(b, alpha, beta, found.score,
		bound{depth: uint8(depth), precision: w.precisionAt(depth), moves: [2]Square{found.move, Pass}})
}
