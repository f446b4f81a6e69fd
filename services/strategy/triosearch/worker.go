package triosearch

import "github.com/flipside-games/flipside/services/strategy/limits"

// worker is one thread of a search.
type worker struct {
	limits.Counter
	// leads is set in the one thread that answers.
	leads bool
	board *board
	table *table
	// roots are the moves to choose from in the order in which they are searched, best the best of them so far.
	roots, best []root
	// moves holds the moves of all plies under way, one list after the other.
	moves   []ranked
	killers [][2]move
	// history has a number for each side, cell and slot that tells how often the move has cut a search short.
	history [2][]int32
	// stride is the number of slots of a cell in history.
	stride int
}

func newWorker(b *board, t *table, meter *limits.Meter, roots []root) *worker {
	w := &worker{board: b, table: t, killers: make([][2]move, b.left+1)}
	w.Counter = limits.Counter{Meter: meter, ExactNodes: true, Interval: max(1, min(limits.Interval, movesBetweenChecks/int64(len(roots))))}
	w.stride = max(len(b.slots[first]), len(b.slots[second]))
	for side := range w.history {
		w.history[side] = make([]int32, (b.cells+1)*w.stride)
	}
	w.arrange(roots)
	return w
}

// movesBetweenChecks is how many moves a thread generates between two checks of the limits: about a millisecond's worth.
const movesBetweenChecks = 20_000

// ply is how many moves were made since the position that is asked about.
func (w *worker) ply() int { return len(w.killers) - 1 - w.board.left }

// search returns the value of the position to the side to move so many plies deep, if that is between alpha and beta, and
// else a bound on that side. A search that reaches the end of the game is exact.
func (w *worker) search(depth, alpha, beta, ply int) int {
	b := w.board
	if !w.Visit() {
		return 0
	}
	switch {
	case b.left <= 1:
		return b.end()
	case depth == 0:
		return b.estimate()
	case depth == 1:
		value, _ := w.tryAll(noMove, depth, alpha, beta, ply)
		return value
	}
	known := w.table.find(b.key)
	if known.depth == depth && known.decides(alpha, beta) {
		return known.value
	}
	value, best := w.tryAll(known.best, depth, alpha, beta, ply)
	if !w.Stopped() {
		w.table.keep(b.key, remember(value, alpha, beta, depth, best))
	}
	return value
}

// tryAll tries the moves one after the other until one is as good as beta, and returns the best. All but the first are
// expected to be no better than what was found before, and at first only asked whether they are.
func (w *worker) tryAll(likely move, depth, alpha, beta, ply int) (value int, best move) {
	b, base := w.board, len(w.moves)
	w.list(ply, likely)
	value = -infinity
	for i := range len(w.moves) - base {
		m := pick(w.moves[base:], i).move()
		was := b.lay(m)
		v := 0
		if i > 0 {
			v = -w.search(depth-1, -alpha-1, -alpha, ply+1)
		}
		if i == 0 || v > alpha && v < beta && !w.Stopped() {
			v = -w.search(depth-1, -beta, -alpha, ply+1)
		}
		b.takeBack(m, was)
		if w.Stopped() {
			break
		}
		if v > value {
			value, best = v, m
		}
		if v >= beta {
			w.praise(m, depth, ply)
			break
		}
		alpha = max(alpha, v)
	}
	w.moves = w.moves[:base]
	return value, best
}

// praise remembers that a move has cut a search short.
func (w *worker) praise(m move, depth, ply int) {
	if k := &w.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	w.history[w.board.turn][int(m.cell())*w.stride+int(m.slot())] += int32(depth * depth)
}

// end returns the value of a position with one move left or none. A last move need not be made to count what it flips.
func (b *board) end() int {
	if b.left == 0 {
		return b.final()
	}
	most, hand := 0, &b.hands[b.turn]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := hand.held.next[0]; i != 0; i = hand.held.next[i] {
			most = max(most, b.flips(cell, b.slots[b.turn][i].values))
		}
	}
	return b.final() + 2*cardValue*most
}
