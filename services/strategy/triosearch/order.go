package triosearch

import "slices"

// ranked is a move and, in the upper bits, how early it is to be tried; the move is turned round, so that of equal ones
// the first in reading order is the highest.
type ranked int64

func rank(m move, early int) ranked { return ranked(early)<<16 | ranked(^m) }

func (r ranked) move() move { return ^move(r) }

// Weights of what makes a move come early.
const (
	tableFirst  = 1 << 40
	killerEarly = 3000
	flipEarly   = 200
)

// list appends all moves to w.moves, the most promising highest.
func (w *worker) list(ply int, best move) {
	b := w.board
	me, hand := b.turn, &b.hands[b.turn]
	against := &b.hands[1-me]
	killers := w.killers[ply]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		contact, open := false, [directions]bool{}
		for d, at := range b.next[cell] {
			switch b.owner[at] {
			case 1 - me:
				contact = true
			case nobody:
				open[d] = true
			}
		}
		for i := hand.held.next[0]; i != 0; i = hand.held.next[i] {
			m, v := moveOf(cell, i), b.slots[me][i].values
			early := int(w.history[me][int(cell)*w.stride+int(i)])
			if contact {
				early += flipEarly * b.flips(cell, v)
			}
			for d, is := range open {
				if is {
					early -= int(b.risk[against.size][against.reach.of(d, v.at(d))])
				}
			}
			switch m {
			case best:
				early = tableFirst
			case killers[0], killers[1]:
				early += killerEarly
			}
			w.moves = append(w.moves, rank(m, early))
		}
	}
}

// few is how many moves are picked one by one before the rest is sorted, since most often one of the first is enough.
const few = 4

// pick moves the i-th highest of the moves to place i, if the i before it are in place.
func pick(moves []ranked, i int) ranked {
	if i == few {
		slices.SortFunc(moves[i:], func(a, b ranked) int {
			if a > b {
				return -1
			}
			return 1
		})
	}
	if i < few {
		at := i
		for j := i + 1; j < len(moves); j++ {
			if moves[j] > moves[at] {
				at = j
			}
		}
		moves[i], moves[at] = moves[at], moves[i]
	}
	return moves[i]
}
