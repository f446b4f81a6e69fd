package othello

import "math/bits"

// precision says how far a search may err: below certain, branches are cut on the word of a shallower search.
type precision uint8

// certain searches cut nothing that could matter.
const certain precision = 5

// Where the solver changes its means, by empty cells.
const (
	// Up to this many cells no replies are counted and nothing is remembered: moves go in the order of parity. One cell
	// fewer makes 12 % fewer nodes and takes longer, one more makes 19 % more.
	shallowEmpties = 5
	// Up to this many, boards are remembered in the worker's own table, which stays in the processor's cache. Without
	// their memory there are a fifth more nodes.
	localEmpties = 10
	// From this many on, the table is asked about all replies before one is searched.
	probeAheadEmpties = 10
)

// solve is the exact score for p, to move, with these legal moves and n empty cells: fail-soft, for the null window
// from alpha. It needs no evaluation and no features, and serves where the rest of the game is small.
func (w *worker) solve(p, o, moves uint64, alpha, n int) int {
	switch {
	case moves == 0:
		return w.solvePassed(p, o, alpha, n)
	case n <= shallowEmpties:
		return w.solveShallow(p, o, moves, alpha, n)
	}
	w.nodes++
	if upper, cut := stabilityCut(p, o, alpha, n); cut {
		return upper
	}
	memory := w.memory(n)
	known := memory.probe(p, o)
	if score, cut := known.cuts(alpha, n, certain); cut {
		return score
	}
	if w.stopped() {
		return alpha
	}
	list := &w.lists[n]
	list.fastestFirst(Board{p, o}, moves, known.moves)
	if n >= probeAheadEmpties {
		if score, cut := list.probeAhead(w.memory(n-1), Board{p, o}, alpha, n-1, certain); cut {
			return score
		}
	}
	best, bestMove := none, Pass
	for i := range list.size {
		m := &list.moves[i]
		v := -w.solve(o^m.flips, p^m.flips|1<<(m.x&63), m.replies, -alpha-1, n-1)
		if w.abort {
			return alpha
		}
		if v > best {
			if best, bestMove = v, m.x; best > alpha {
				break
			}
		}
	}
	memory.store(Board{p, o}, alpha, alpha+1, best,
		bound{depth: uint8(n), precision: certain, moves: [2]Square{bestMove, Pass}})
	return best
}

// memory is the table for boards with this many empty cells.
func (w *worker) memory(n int) *table {
	if n <= localEmpties {
		return w.local
	}
	return w.shared
}

// cuts reports whether a bound of enough depth and precision answers a null window.
func (b *bound) cuts(alpha, depth int, least precision) (score int, cut bool) {
	if int(b.depth) < depth || b.precision < least {
		return 0, false
	}
	if int(b.lower) > alpha {
		return int(b.lower), true
	}
	if int(b.upper) <= alpha {
		return int(b.upper), true
	}
	return 0, false
}

// probeAhead asks a table about the boards after each move: one known to be bad enough for the opponent ends the
// search (enhanced transposition cut-off). Saves 5 % of the nodes.
func (l *moveList) probeAhead(memory *table, b Board, alpha, depth int, least precision) (score int, cut bool) {
	for i := range l.size {
		after := b.after(l.moves[i].x, l.moves[i].flips)
		reply := memory.probe(after.Mover, after.Opponent)
		if int(reply.depth) >= depth && reply.precision >= least && -int(reply.upper) > alpha {
			return -int(reply.upper), true
		}
	}
	return 0, false
}

// solvePassed is solve where p has no move.
func (w *worker) solvePassed(p, o uint64, alpha, n int) int {
	w.nodes++
	if replies := legalMoves(o, p); replies != 0 {
		return -w.solve(o, p, replies, -alpha-1, n)
	}
	return w.scoring.final(p, o)
}

// solveShallow is solve with five empty cells or fewer: ordering by replies would cost more than it saves.
func (w *worker) solveShallow(p, o, moves uint64, alpha, n int) int {
	if n <= 4 {
		return w.solveLast(p, o, ^(p | o), alpha, n)
	}
	w.nodes++
	if upper, cut := stabilityCut(p, o, alpha, n); cut {
		return upper
	}
	best := none
	odd := oddQuadrants(^(p | o))
	for _, set := range [2]uint64{moves & odd, moves &^ odd} {
		for ; set != 0; set &= set - 1 {
			x := first(set)
			f := flips(p, o, x)
			v := -w.solveNext(o^f, p^f|1<<x, -alpha-1, n-1)
			if v > best {
				if best = v; best > alpha {
					return best
				}
			}
		}
	}
	return best
}

// solveNext is solve where the legal moves are not known yet; the last cells need none.
func (w *worker) solveNext(p, o uint64, alpha, n int) int {
	if n <= 4 {
		return w.solveLast(p, o, ^(p | o), alpha, n)
	}
	return w.solve(p, o, legalMoves(p, o), alpha, n)
}

// solveLast is solve with at most four empty cells.
func (w *worker) solveLast(p, o, empty uint64, alpha, n int) int {
	if n == 4 {
		return w.last4(p, o, empty, alpha)
	}
	x := first(empty)
	empty &= empty - 1
	y := first(empty)
	switch n {
	case 3:
		return w.last3(p, o, alpha, x, y, first(empty&(empty-1)))
	case 2:
		return w.last2(p, o, alpha, x, y)
	case 1:
		return w.last1(p, x)
	default:
		return w.scoring.final(p, o)
	}
}

// stabilityCut reports whether the opponent's stable discs alone keep the score from exceeding alpha. It looks only
// where alpha is high for so many empty cells: elsewhere the answer is nearly always no. Saves 7 % of the nodes.
func stabilityCut(p, o uint64, alpha, n int) (upper int, cut bool) {
	if alpha < 2*n-4 {
		return 0, false
	}
	upper = 64 - 2*bits.OnesCount64(stable(o, p))
	return upper, upper <= alpha
}
