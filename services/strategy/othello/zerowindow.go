package othello

// evaluatedEmpties is the least number of empty cells at which a search to the end of the game
// orders moves by evaluation and, depending on its selectivity, cuts with ProbCut. Below, the
// solver is faster and as good. A limit of 17 makes 16 % more nodes, no evaluation at all three
// times as many.
const evaluatedEmpties = 14

// etcDepth is the least depth at which a search tries enhanced transposition cutoffs: lower down
// the probes cost more time than they save.
const etcDepth = 4

// unevaluatedDepth is the greatest depth at which a search with a zero window orders moves without
// evaluation. This makes 6 % more nodes in 17 % less time.
const unevaluatedDepth = 2

// zeroWindow is a fail-soft zero-window search: it resolves whether the score exceeds alpha. The
// score is for the side to move, with these legal moves and n empty cells; k is the key of the
// board. The depth counts moves, not passes; depth n searches to the end of the game. The pattern
// contents of the board are in frames[n].
func (w *worker) zeroWindow(b Board, moves uint64, k key, alpha, n, depth int) int {
	switch {
	case depth >= n && n < evaluatedEmpties:
		return w.solve(b.Mover, b.Opponent, moves, alpha, n)
	case depth == 0:
		return w.evaluateLeaf(b, n)
	case moves == 0:
		return w.zeroWindowPass(b, alpha, n, depth)
	case depth == 1:
		return w.zeroWindowLast(b, moves, alpha, n)
	}
	w.Nodes++
	if depth == n {
		if upper, cutoff := stabilityCutoff(b.Mover, b.Opponent, alpha, n); cutoff {
			return upper
		}
	}
	e := w.shared.probe(k)
	if score, cutoff := e.cutoff(alpha, depth, w.selectivityAt(depth)); cutoff {
		return score
	}
	if w.stopped() {
		return alpha
	}
	if score, cutoff := w.probCut(b, moves, k, alpha, n, depth); cutoff {
		return score
	}
	var list *moveList
	if depth <= unevaluatedDepth {
		list = w.orderFastestFirst(b, moves, n, e.moves)
	} else {
		list = w.order(b, moves, n, depth, e.moves)
	}
	if depth >= etcDepth {
		if score, cutoff := list.transpositionCutoff(
			w.shared, alpha, depth-1, w.selectivityAt(depth-1)); cutoff {
			return score
		}
	}
	best, bestMove := w.zeroWindowMoves(b, list, alpha, n, depth)
	if w.abort {
		return alpha
	}
	w.store(k, depth, window{alpha, alpha + 1}, best, bestMove)
	return best
}

// zeroWindowMoves searches moves until one scores above alpha. It splits the search if helpers are
// idle.
func (w *worker) zeroWindowMoves(
	b Board, list *moveList, alpha, n, depth int,
) (best int, bestMove Square) {
	best, bestMove = noScore, Pass
	for i := range list.size {
		if i > 0 && w.canSplit(depth, list.size-i) {
			return w.splitSearch(partialNode{b, alpha, n, depth, i, best, bestMove})
		}
		m := list.at(i)
		v := -w.zeroWindowMove(b, m, -alpha-1, n, depth)
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

// zeroWindowMove searches the board after a move. Alpha and the score are the opponent's.
func (w *worker) zeroWindowMove(b Board, m *move, alpha, n, depth int) int {
	w.makeMove(m.x, m.flips, n)
	return w.zeroWindow(b.makeMove(m.x, m.flips), m.replies, m.key, alpha, n-1, depth-1)
}

// zeroWindowPass is zeroWindow for a side to move without a legal move.
func (w *worker) zeroWindowPass(b Board, alpha, n, depth int) int {
	w.Nodes++
	passed := b.Pass()
	replies := passed.Moves()
	if replies == 0 {
		return w.scoring.Final(b)
	}
	w.frames[n].Swap()
	k := keyOf(passed.Mover, passed.Opponent)
	score := -w.zeroWindow(passed, replies, k, -alpha-1, n, depth)
	w.frames[n].Swap()
	return score
}

// besideCorners holds the neighbours of the corners.
var besideCorners = around(corners) &^ corners

// zeroWindowLast is zeroWindow at depth one: it evaluates the boards after the moves. Those in
// corners come first, those beside corners last, which saves 8 % of the nodes.
func (w *worker) zeroWindowLast(b Board, moves uint64, alpha, n int) int {
	w.Nodes++
	best := noScore
	contents := w.frames[n].Passed()
	ordered := [3]uint64{
		moves & corners, moves &^ (corners | besideCorners), moves & besideCorners,
	}
	for _, set := range ordered {
		for ; set != 0; set &= set - 1 {
			x := first(set)
			flipped := flips(b.Mover, b.Opponent, x)
			if v := -w.evaluateAfter(b, x, flipped, &contents, n-1); v > best {
				if best = v; best > alpha {
					return best
				}
			}
		}
	}
	return best
}

// store adds a result to the shared table.
func (w *worker) store(k key, depth int, searched window, score int, bestMove Square) {
	w.shared.store(k, searched, score, entry{
		depth: uint8(depth), selectivity: w.selectivityAt(depth), moves: [2]Square{bestMove, Pass},
	})
}
