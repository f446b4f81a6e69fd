package triosearch

// temptMost chooses among the moves that are proved to lead to the same score, where that is no win, the one that leaves
// the opponent the fewest replies that keep his result, so that one who does not see as far is the most likely to
// miss them. It takes no more positions than proving the score did, and what it has not looked at by then is not chosen.
func (w *worker) temptMost(f *finding) {
	best := f.best[0]
	if best.value > 0 {
		return
	}
	enough := 2 * w.nodes
	fewest := w.keepingReplies(best.move, best.value)
	for _, r := range w.roots[1:] {
		if w.nodes > enough || w.stopped {
			return
		}
		if w.searchRoot(r.move, w.board.left, best.value-1, best.value, false) < best.value || w.stopped {
			continue
		}
		if n := w.keepingReplies(r.move, best.value); n < fewest && !w.stopped {
			fewest = n
			f.best[0] = root{r.index, r.move, best.value}
		}
	}
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
