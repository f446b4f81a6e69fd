package othello

// likelyLine is the principal variation from this move on, as far as the table knows it.
func (w *worker) likelyLine(b Board, x Square) (line []Square) {
	for {
		line = append(line, x)
		b = b.played(x)
		moves := b.Moves()
		if moves == 0 {
			if b.Over() {
				return line
			}
			x = Pass
			continue
		}
		x = w.shared.probe(b.Mover, b.Opponent).moves[0]
		if x == Pass || moves>>x&1 == 0 {
			return line
		}
	}
}

// exactLine is best play to the end of the game from this move on, which leads to this score. Boards low in the tree
// are in no table, so each is asked once more which move keeps the score; the tables make that cheap. It breaks off
// when the task stops.
func (w *worker) exactLine(b Board, x Square, score int) (line []Square) {
	for {
		line = append(line, x)
		b, score = b.played(x), -score
		moves := b.Moves()
		switch {
		case moves != 0:
			x = w.moveWorth(b, moves, score)
		case b.Over():
			return line
		default:
			x = Pass
			continue
		}
		if w.abort {
			return line
		}
	}
}

// moveWorth is a move that leads to this score, the best there is.
func (w *worker) moveWorth(b Board, moves uint64, score int) Square {
	n := b.Empties()
	list := moveList{}
	list.fastestFirst(b, moves, w.memory(n).probe(b.Mover, b.Opponent).moves)
	for _, m := range list.moves[:list.size-1] {
		after := b.after(m.x, m.flips)
		w.place(after)
		if v := w.search(after, m.replies, -score, n-1, n-1); v <= -score || w.abort {
			return m.x
		}
	}
	return list.moves[list.size-1].x
}

// played is the board after a move or a pass.
func (b Board) played(x Square) Board {
	if x == Pass {
		return b.Pass()
	}
	return b.Play(x)
}
