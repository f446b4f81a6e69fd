package triosearch

// tempt changes a finding to the move that tempts the opponent most, if there is time.
func (w *worker) tempt(f *finding) {
	r := w.mostTempting(f.best[0])
	if r.move == f.best[0].move {
		return
	}
	if line := w.line(r, true); !w.stopped {
		f.best, f.lines = []root{r}, [][]move{line}
	}
}

// fewPositions are so few that the time they take does not matter.
const fewPositions = 10_000

// mostTempting chooses among the moves that are proved to lead to the same score, where that is no win, the one that
// leaves the opponent the fewest replies that keep his result, so that one who does not see as far is the most likely to
// miss them. It visits no more positions than proving the score did, or little more, and what it has not looked at by
// then is not chosen.
func (w *worker) mostTempting(best root) root {
	if best.value > 0 {
		return best
	}
	enough, most := 2*w.nodes+fewPositions, best
	fewest := w.keepingReplies(best.move, best.value)
	for _, r := range w.roots {
		if w.nodes > enough || w.stopped {
			break
		}
		if r.move == best.move || w.searchRoot(r.move, w.board.left, best.value-1, best.value, false) < best.value {
			continue
		}
		if n := w.keepingReplies(r.move, best.value); n < fewest && !w.stopped {
			fewest, most = n, root{r.index, r.move, best.value}
		}
	}
	return most
}

// keepingReplies returns after how many replies to a move of a known score the opponent still draws, or wins if the score
// says that he does.
func (w *worker) keepingReplies(m move, score int) int {
	b, base, result := w.board, len(w.moves), 0
	if score < 0 {
		result = 1
	}
	was := b.lay(m)
	n := 0
	if b.left > 0 {
		w.list(1, noMove)
	}
	for _, reply := range w.moves[base:] {
		was := b.lay(reply.move())
		if -w.search(b.left, -result, 1-result, 2) >= result {
			n++
		}
		b.takeBack(reply.move(), was)
	}
	w.moves = w.moves[:base]
	b.takeBack(m, was)
	return n
}
