package triosearch

// solveLastTwo returns the value of a position with two moves left, like search. The order of so
// few moves and the table cost more time than they save.
func (w *worker) solveLastTwo(alpha, beta int) int {
	b, value := w.board, -infinity
	hand := &b.hands[b.turn]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := hand.slots.next[0]; i != 0; i = hand.slots.next[i] {
			if !w.Visit() {
				return value
			}
			m := moveOf(cell, i)
			undo := b.makeMove(m)
			value = max(value, -b.solveLast(-max(alpha, value)))
			b.unmakeMove(m, undo)
			if value >= beta {
				return value
			}
		}
	}
	return value
}

// solveLast returns the value of a position with one move left or none. A value of beta or more is
// a lower bound: the last move only gains cards. It counts what the move flips without making it.
func (b *board) solveLast(beta int) int {
	value := b.final()
	if b.left == 0 || value >= beta {
		return value
	}
	most, hand := 0, &b.hands[b.turn]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := hand.slots.next[0]; i != 0; i = hand.slots.next[i] {
			most = max(most, b.flips(cell, b.slots[b.turn][i].values))
		}
	}
	return value + 2*cardValue*most
}
