package triosearch

import (
	"cmp"
	"slices"
)

// orderKey is a move with its score for the move ordering in the upper bits. The move is inverted,
// so that of equal scores the first move in reading order has the highest key.
type orderKey int64

func newOrderKey(m move, score int) orderKey { return orderKey(score)<<16 | orderKey(^m) }

func (k orderKey) move() move { return ^move(k) }

// The scores of the move ordering: the table move first, then moves that caused cutoffs elsewhere
// or that few cards can beat. Flips do not count: they save no nodes and take a third more time.
const (
	tableScore  = 1 << 40
	killerScore = 3000
	// exposedPenalty is for a card that every card of the opponent beats from one side.
	exposedPenalty = 600
)

// generate appends all moves to w.moves, unsorted, with their order keys.
func (w *worker) generate(ply int, tableMove move) {
	b := w.board
	me, hand, opponent := b.turn, &b.hands[b.turn], &b.hands[1-b.turn]
	penalty := exposedPenalty / max(1, opponent.size)
	history, killers := w.history[me], &w.killers[ply]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		open := b.openSides(cell)
		for i := hand.slots.next[0]; i != 0; i = hand.slots.next[i] {
			m := moveOf(cell, i)
			exposed := exposure(&opponent.attackers, b.slots[me][i].values, open)
			score := int(history[int(cell)*w.stride+int(i)]) - penalty*exposed
			switch m {
			case tableMove:
				score = tableScore
			case killers[0], killers[1]:
				score += killerScore
			default: // the score stays
			}
			w.moves = append(w.moves, newOrderKey(m, score))
		}
	}
}

// openSides returns the sides of a cell, a bit each, that have an empty cell beside them.
func (b *board) openSides(cell uint8) (directionSet uint) {
	for d, at := range b.next[cell] {
		if b.owner[at] == emptyCell {
			directionSet |= 1 << d
		}
	}
	return directionSet
}

// exposure returns, summed over the open sides of a card, the number of attackers that beat it.
func exposure(from *attackers, v values, open uint) int {
	n := 0
	for d := range directions {
		if open>>d&1 != 0 {
			n += int(from.count(d, v.at(d)))
		}
	}
	return n
}

// pickedSingly is the number of moves that pick selects one by one before it sorts the others,
// since usually one of the first causes a cutoff.
const pickedSingly = 4

// pick moves the i-th highest key to index i and returns it. The keys before index i must be in
// place.
func pick(moves []orderKey, i int) orderKey {
	if i == pickedSingly {
		slices.SortFunc(moves[i:], func(a, b orderKey) int { return cmp.Compare(b, a) })
	}
	if i < pickedSingly {
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
