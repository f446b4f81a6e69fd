package triosearch

import (
	"cmp"
	"math"
	"slices"
)

// swindle replaces the best move of an exact result that is no win by the move that is most likely
// to win against an opponent who errs, if time allows. It reports whether there is one.
func (w *worker) swindle(r *result) bool {
	best := w.bestSwindle(r.best[0])
	if best.move == r.best[0].move {
		return false
	}
	pv := w.principalVariation(best, true)
	if w.Stopped() {
		return false
	}
	r.best, r.pvs = []root{best}, [][]move{pv}
	return true
}

// swindleNodes bounds the nodes that a swindle visits: about a tenth of a second.
const swindleNodes = 1_000_000

// bestSwindle returns the root with the most expected points against an opponent who does not look
// ahead, among the roots that keep the exact value. It looks one move further ahead in each round,
// until it has visited swindleNodes; it leaves out roots that it has not reached by then.
func (w *worker) bestSwindle(best root) root {
	if best.value > 0 {
		return best
	}
	end, result := w.Nodes+swindleNodes, max(best.value, -1)
	others := slices.DeleteFunc(slices.Clone(w.roots), func(r root) bool {
		return r.move == best.move
	})
	for ahead := 1; 2*ahead <= w.board.left+1; ahead++ {
		best.swindle = w.pointsOfMove(best.move, result, ahead)
		for i, r := range others {
			if best.swindle == win || w.Stopped() || w.Nodes > end {
				return best
			}
			r.swindle = w.pointsOfMove(r.move, result, ahead)
			if r.swindle > best.swindle && w.keepsValue(r.move, best.value) {
				r.value = best.value
				best, r = r, best
			}
			others[i] = r
		}
		slices.SortStableFunc(others, func(a, b root) int { return cmp.Compare(b.swindle, a.swindle) })
	}
	return best
}

// keepsValue reports whether a move keeps the value of the position.
func (w *worker) keepsValue(m move, value int) bool {
	return w.searchRoot(m, w.board.left, value-1, value, false) >= value && !w.Stopped()
}

// The points of a game.
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

// pointsOfMove returns the expected points of a move: the average over the likely replies to it and
// to our next moves, ahead moves in all, with perfect play from there. The move must keep the
// result, 0 for a draw and -1 for a loss; if it does not, the expectation can be too high.
func (w *worker) pointsOfMove(m move, result, ahead int) float64 {
	b := w.board
	undo := b.makeMove(m)
	defer b.unmakeMove(m, undo)
	if b.left == 0 {
		return points(-b.final())
	}
	replies, sum := b.likelyReplies(), 0.0
	for _, r := range replies {
		undo := b.makeMove(r)
		sum += w.pointsOfPosition(result, ahead-1)
		b.unmakeMove(r, undo)
	}
	return sum / float64(len(replies))
}

// pointsOfPosition returns the expected points of the side to move in a position worth result or
// more: those of the best move that keeps the result.
func (w *worker) pointsOfPosition(result, ahead int) float64 {
	b := w.board
	result = max(result, w.search(b.left, result, 1, w.ply()))
	most, base := points(result), len(w.moves)
	if ahead == 0 || b.left == 0 || most == win {
		return most
	}
	w.generate(w.ply(), noMove)
	for _, k := range w.moves[base:] {
		p := w.pointsOfMove(k.move(), result, ahead)
		if p > most && (result < 0 || w.keepsValue(k.move(), result)) {
			most = p
		}
		if w.Stopped() || most == win {
			break
		}
	}
	w.moves = w.moves[:base]
	return most
}

// likelyReplies returns the moves of a player who does not look ahead: those with the least exposed
// card. No strategy that compares single moves plays better, and the errors of weaker ones need no
// prediction.
func (b *board) likelyReplies() (likely []move) {
	hand, opponent, least := &b.hands[b.turn], &b.hands[1-b.turn], math.MaxInt
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		open := b.openSides(cell)
		for i := hand.slots.next[0]; i != 0; i = hand.slots.next[i] {
			exposed := exposure(&opponent.attackers, b.slots[b.turn][i].values, open)
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
