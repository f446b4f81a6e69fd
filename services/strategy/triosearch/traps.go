package triosearch

import (
	"cmp"
	"math"
	"slices"
)

// tempt changes a finding to the move that promises most, if there is time.
func (w *worker) tempt(f *finding) {
	r := w.mostPromising(f.best[0])
	if r.move == f.best[0].move {
		return
	}
	if line := w.line(r, true); !w.Stopped() {
		f.best, f.lines = []root{r}, [][]move{line}
	}
}

// enoughPositions are about as many as are visited in a tenth of a second.
const enoughPositions = 1_000_000

// mostPromising chooses among the moves that are proved to lead to the same score, where that is no win, the one that
// promises most against an opponent who does not look ahead. It looks a move further each time, until enoughPositions
// are visited; moves that it has not come to by then are not considered.
func (w *worker) mostPromising(best root) root {
	if best.value > 0 {
		return best
	}
	enough, result := w.Nodes+enoughPositions, max(best.value, -1)
	others := slices.DeleteFunc(slices.Clone(w.roots), func(r root) bool { return r.move == best.move })
	for ahead := 1; 2*ahead <= w.board.left+1; ahead++ {
		best.promise = w.promise(best.move, result, ahead)
		for i, r := range others {
			if best.promise == win || w.Stopped() || w.Nodes > enough {
				return best
			}
			r.promise = w.promise(r.move, result, ahead)
			if r.promise > best.promise && w.keeps(r.move, best.value) {
				r.value = best.value
				best, r = r, best
			}
			others[i] = r
		}
		slices.SortStableFunc(others, func(a, b root) int { return cmp.Compare(b.promise, a.promise) })
	}
	return best
}

// keeps reports whether a move is worth what its position is worth.
func (w *worker) keeps(m move, value int) bool {
	return w.searchRoot(m, w.board.left, value-1, value, false) >= value && !w.Stopped()
}

// The points that a game brings.
const (
	loss = 0.0
	draw = 0.5
	win  = 1.0
)

func points(value int) float64 {
	switch {
	case value > 0:
		return win
	case value == 0:
		return draw
	default:
		return loss
	}
}

// promise returns the points that a move brings on average if the opponent answers with any of the moves he is likely to
// choose, for so many moves of ours, and all is played well from there. The move is one that gives away nothing of a
// result, 0 for a draw and -1 for a loss; if it is another, the promise may be too high.
func (w *worker) promise(m move, result, ahead int) float64 {
	b := w.board
	was := b.lay(m)
	defer b.takeBack(m, was)
	if b.left == 0 {
		return points(-b.final())
	}
	replies, sum := b.likely(), 0.0
	for _, r := range replies {
		was := b.lay(r)
		sum += w.prospect(result, ahead-1)
		b.takeBack(r, was)
	}
	return sum / float64(len(replies))
}

// prospect returns the points of a position, which is worth a result or more, to the side to move: those of the move that
// promises most and gives away nothing.
func (w *worker) prospect(result, ahead int) float64 {
	b := w.board
	result = max(result, w.search(b.left, result, 1, w.ply()))
	most, base := points(result), len(w.moves)
	if ahead == 0 || b.left == 0 || most == win {
		return most
	}
	w.list(w.ply(), noMove)
	for _, r := range w.moves[base:] {
		if p := w.promise(r.move(), result, ahead); p > most && (result < 0 || w.keeps(r.move(), result)) {
			most = p
		}
		if w.Stopped() || most == win {
			break
		}
	}
	w.moves = w.moves[:base]
	return most
}

// likely returns the moves that one who does not look ahead is likely to choose: those of the least exposed cards. Nobody
// who judges moves one by one plays better, and of those who play worse there is no need to know what they choose.
func (b *board) likely() (likely []move) {
	hand, against, least := &b.hands[b.turn], &b.hands[1-b.turn], math.MaxInt
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		open := b.open(cell)
		for i := hand.held.next[0]; i != 0; i = hand.held.next[i] {
			exposed := exposure(&against.reach, b.slots[b.turn][i].values, open)
			if exposed < least {
				least, likely = exposed, likely[:0]
			}
			if exposed == least {
				likely = append(likely, moveOf(cell, i))
			}
		}
	}
	return likely
}
