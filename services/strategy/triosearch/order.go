package triosearch

import (
	"cmp"
	"slices"
)

// ranked is a move and, in the upper bits, how early it is to be tried; the move is turned round, so that of equal ones
// the first in reading order is the highest.
type ranked int64

func rank(m move, early int) ranked { return ranked(early)<<16 | ranked(^m) }

func (r ranked) move() move { return ^move(r) }

// How early a move comes: the one that the table knows first, then those that have cut the search short elsewhere, or lie
// where few cards can beat them. What a move flips is not asked: it makes the search no smaller, and takes a third longer.
const (
	tableEarly  = 1 << 40
	killerEarly = 3000
	// exposedLate is for a card that every card of the other hand beats from one side.
	exposedLate = 600
)

// list appends all moves to w.moves, in no order but by their rank.
func (w *worker) list(ply int, best move) {
	b := w.board
	me, hand, against := b.turn, &b.hands[b.turn], &b.hands[1-b.turn]
	late := exposedLate / max(1, against.size)
	history, killers := w.history[me], &w.killers[ply]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		open := b.open(cell)
		for i := hand.held.next[0]; i != 0; i = hand.held.next[i] {
			m := moveOf(cell, i)
			early := int(history[int(cell)*w.stride+int(i)]) - late*exposure(&against.reach, b.slots[me][i].values, open)
			switch m {
			case best:
				early = tableEarly
			case killers[0], killers[1]:
				early += killerEarly
			default: // nothing speaks for it beyond that
			}
			w.moves = append(w.moves, rank(m, early))
		}
	}
}

// open returns which sides of a cell, a bit each, have an empty cell beside them.
func (b *board) open(cell uint8) (directionSet uint) {
	for d, at := range b.next[cell] {
		if b.owner[at] == nobody {
			directionSet |= 1 << d
		}
	}
	return directionSet
}

// exposure is, added up over the open sides of a card, how many cards of a hand beat it from there.
func exposure(from *reach, v values, open uint) int {
	n := 0
	for d := range directions {
		if open>>d&1 != 0 {
			n += int(from.of(d, v.at(d)))
		}
	}
	return n
}

// few is how many moves are picked one by one before the rest is sorted, since most often one of the first is enough.
const few = 4

// pick brings the i-th highest of the moves to place i, if the i before it are in place, and returns it.
func pick(moves []ranked, i int) ranked {
	if i == few {
		slices.SortFunc(moves[i:], func(a, b ranked) int { return cmp.Compare(b, a) })
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
