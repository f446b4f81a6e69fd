package triosearch

// worker is one thread of a search.
type worker struct {
	clock
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

func newWorker(b *board, t *table, e *effort, roots []root) *worker {
	w := &worker{clock: clock{effort: e}, board: b, table: t, killers: make([][2]move, b.left+1)}
	w.stride = max(len(b.slots[first]), len(b.slots[second]))
	for side := range w.history {
		w.history[side] = make([]int32, (b.cells+1)*w.stride)
	}
	w.arrange(roots)
	return w
}

// search returns the value of the position to the side to move, if that is between alpha and beta, and else a bound
// on that side.
func (w *worker) search(depth, alpha, beta, ply int) int {
	b := w.board
	if w.visit(); w.stopped {
		return 0
	}
	if b.left <= 1 {
		return b.end()
	}
	if depth == 0 {
		return b.estimate()
	}
	var seen known
	if depth > 1 {
		seen = w.table.find(b.key)
		if seen.depth == depth {
			switch {
			case seen.bound == exactly, seen.bound == atLeast && seen.value >= beta, seen.bound == atMost && seen.value <= alpha:
				return seen.value
			}
		}
	}
	base := len(w.moves)
	w.list(ply, seen.best)
	best, bestMove, kind := -infinity, noMove, atMost
	n := len(w.moves) - base
	for i := range n {
		m := pick(w.moves[base:], i).move()
		was := b.lay(m)
		var v int
		if i == 0 {
			v = -w.search(depth-1, -beta, -alpha, ply+1)
		} else {
			v = -w.search(depth-1, -alpha-1, -alpha, ply+1)
			if v > alpha && v < beta {
				v = -w.search(depth-1, -beta, -alpha, ply+1)
			}
		}
		b.takeBack(m, was)
		if w.stopped {
			w.moves = w.moves[:base]
			return 0
		}
		if v > best {
			best, bestMove = v, m
			if v > alpha {
				alpha, kind = v, exactly
			}
			if v >= beta {
				kind = atLeast
				w.cut(m, depth, ply)
				break
			}
		}
	}
	w.moves = w.moves[:base]
	if depth > 1 {
		w.table.keep(b.key, known{best, depth, kind, bestMove})
	}
	return best
}

func (w *worker) cut(m move, depth, ply int) {
	if k := &w.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	h := &w.history[w.board.turn][int(m.cell())*w.stride+int(m.slot())]
	*h += int32(depth * depth)
}

// end returns the value of a position with one move left or none.
func (b *board) end() int {
	if b.left == 0 {
		return b.final()
	}
	most := 0
	hand := &b.hands[b.turn]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := hand.held.next[0]; i != 0; i = hand.held.next[i] {
			most = max(most, b.flips(cell, b.slots[b.turn][i].values))
		}
	}
	return b.final() + 2*cardValue*most
}
