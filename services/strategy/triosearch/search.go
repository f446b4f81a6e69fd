package triosearch

import "github.com/flipside-games/flipside/services/strategy/limits"

// worker is one thread of a search.
type worker struct {
	limits.Counter
	// leads is set in the thread that reports; the others are helpers.
	leads bool
	board *board
	table *table
	// roots are the moves at the root in the order of the search. best are the best of them in the
	// current iteration.
	roots, best []root
	// moves is the stack of the moves of all plies, one list after the other.
	moves   []orderKey
	killers [][2]move
	// history sums up, by side, cell and slot, the squares of the depths at which the move caused a
	// cutoff.
	history [2][]int32
	// stride is the number of slots for each cell in history.
	stride int
}

// movesPerCheck is about how many moves a thread generates in a millisecond, between two checks of
// the limits.
const movesPerCheck = 20_000

func newWorker(b *board, t *table, meter *limits.Meter, roots []root) *worker {
	w := &worker{board: b, table: t, killers: make([][2]move, b.left+1)}
	w.Counter = limits.Counter{
		Meter: meter, ExactNodes: true,
		Interval: max(1, min(limits.Interval, movesPerCheck/int64(len(roots)))),
	}
	w.stride = max(len(b.slots[first]), len(b.slots[second]))
	for side := range w.history {
		w.history[side] = make([]int32, (b.cells+1)*w.stride)
	}
	w.orderRoots(roots)
	return w
}

// ply returns the number of moves made since the root position.
func (w *worker) ply() int { return len(w.killers) - 1 - w.board.left }

// search returns the value of the position for the side to move. A value of alpha or less is an
// upper bound, one of beta or more a lower bound. A search to the end of the game is exact.
func (w *worker) search(depth, alpha, beta, ply int) int {
	b := w.board
	if !w.Visit() {
		return 0
	}
	switch {
	case b.left <= 1:
		return b.solveLast(beta)
	case depth == 0:
		return b.evaluate()
	case depth > 1 && b.left == 2:
		return w.solveLastTwo(alpha, beta)
	case depth == 1, b.left == 3: // A probe would take longer than the search.
		value, _ := w.searchMoves(noMove, depth, alpha, beta, ply)
		return value
	}
	e := w.table.probe(b.key)
	if e.depth >= depth && e.cutoff(alpha, beta) {
		return e.value
	}
	value, bestMove := w.searchMoves(e.bestMove, depth, alpha, beta, ply)
	if !w.Stopped() {
		w.table.store(b.key, newEntry(value, alpha, beta, depth, bestMove))
	}
	return value
}

// searchMoves searches the moves in order until one reaches beta, and returns the best value and
// move. Each move after the first gets a zero-window search, and a second one if it is better.
func (w *worker) searchMoves(
	tableMove move, depth, alpha, beta, ply int,
) (value int, bestMove move) {
	b, base := w.board, len(w.moves)
	w.generate(ply, tableMove)
	value = -infinity
	for i := range len(w.moves) - base {
		m := pick(w.moves[base:], i).move()
		undo := b.makeMove(m)
		v := 0
		if i > 0 {
			v = -w.search(depth-1, -alpha-1, -alpha, ply+1)
		}
		if i == 0 || v > alpha && v < beta && !w.Stopped() {
			v = -w.search(depth-1, -beta, -alpha, ply+1)
		}
		b.unmakeMove(m, undo)
		if w.Stopped() {
			break
		}
		if v > value {
			value, bestMove = v, m
		}
		if v >= beta {
			w.recordCutoff(m, depth, ply)
			break
		}
		alpha = max(alpha, v)
	}
	w.moves = w.moves[:base]
	return value, bestMove
}

// recordCutoff adds a move that caused a cutoff to the killers and the history.
func (w *worker) recordCutoff(m move, depth, ply int) {
	if k := &w.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	w.history[w.board.turn][int(m.cell())*w.stride+int(m.slot())] += int32(depth * depth)
}
