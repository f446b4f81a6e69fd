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
			v := b.slots[b.turn][i].values
			value = max(value, b.valueOfLastButOne(cell, v, max(alpha, value)))
			if value >= beta {
				return value
			}
		}
	}
	return value
}

// valueOfLastButOne returns the value of a move with one move left after it. A value of alpha or
// less is an upper bound. It makes only that part of the move on which the last move depends.
func (b *board) valueOfLastButOne(cell uint8, v values, alpha int) int {
	since, me := len(b.flipped), b.turn
	b.battle(cell, v)
	value := b.final() + 2*cardValue*(len(b.flipped)-since)
	if value > alpha {
		b.empty.remove(cell)
		b.owner[cell], b.cards[cell], b.turn = me, v, 1-me
		value -= 2 * cardValue * b.mostFlips()
		b.owner[cell], b.turn = emptyCell, me
		b.empty.restore(cell)
	}
	b.unflip(since)
	return value
}

// solveLast returns the value of a position with one move left or none. A value of beta or more is
// a lower bound: the last move only gains cards. It counts what the move flips without making it.
func (b *board) solveLast(beta int) int {
	value := b.final()
	if b.left == 0 || value >= beta {
		return value
	}
	return value + 2*cardValue*b.mostFlips()
}

// mostFlips returns the greatest number of cards that a move of the side to move flips.
func (b *board) mostFlips() int {
	most, hand := 0, &b.hands[b.turn]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := hand.slots.next[0]; i != 0; i = hand.slots.next[i] {
			most = max(most, b.flips(cell, b.slots[b.turn][i].values))
		}
	}
	return most
}
