package triosearch

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// The owners of a cell. The sides start at 0, so that they serve as an index.
const (
	first uint8 = iota
	second
	emptyCell
	noCell
)

// board is a position of a game. Moves are made and unmade in place, without allocation.
type board struct {
	*game
	owner [256]uint8
	cards [256]values
	// flipKeys holds, for the card on each cell, the change of the key when it flips.
	flipKeys [256]uint64
	empty    linkedSet
	hands    [2]hand
	turn     uint8
	// left is the number of moves until the game is over.
	left int
	// lead is the number of cards that First owns, on the grid and in hand, less those of Second.
	lead int
	key  uint64
	// flipped lists the flipped cells of all moves that are made and not unmade.
	flipped    []uint8
	evaluation evaluation
}

// hand holds the cards of a side.
type hand struct {
	// slots are the slots with a card left, and count the number of cards in each.
	slots     linkedSet
	count     [256]uint8
	size      int
	attackers attackers
	// power is the sum of the power of the cards.
	power int
}

// move is the cell, in the upper byte, and the slot of the card.
type move uint16

func moveOf(cell, slot uint8) move { return move(cell)<<8 | move(slot) }

func (m move) cell() uint8 { return uint8(m >> 8) }
func (m move) slot() uint8 { return uint8(m) }

const noMove move = 0

// undo is the state that unmakeMove cannot compute.
type undo struct {
	key  uint64
	lead int
	// flipped is the length of board.flipped.
	flipped int
}

func newBoard(g *game, p *threetrios.Position) *board {
	b := &board{
		game: g, turn: sideOf(p.Turn()), flipped: make([]uint8, 0, g.cells*g.cells/2+1),
		lead: p.Score().Margin(rules.First), left: movesLeft(p), evaluation: newEvaluation(),
	}
	for i := range b.owner {
		b.owner[i] = noCell
	}
	for cell := 1; cell <= g.cells; cell++ {
		b.setCell(uint8(cell), p.At(g.at[cell].RowColumn()))
	}
	b.empty = newLinkedSet(g.cells, func(cell int) bool { return b.owner[cell] == emptyCell })
	for s, side := range [2]rules.Side{rules.First, rules.Second} {
		b.setHand(s, p.Hand(side))
	}
	return b
}

func sideOf(s rules.Side) uint8 { return uint8(s) - uint8(rules.First) }

func (b *board) setCell(cell uint8, c threetrios.GridCell) {
	if c.Owner == rules.NoSide {
		b.owner[cell] = emptyCell
		return
	}
	b.owner[cell], b.cards[cell] = sideOf(c.Owner), valuesOf(c.Card)
	b.addKey(cell, b.kinds[b.cards[cell]])
}

// addKey adds the card on a cell to the key.
func (b *board) addKey(cell, kind uint8) {
	keys := b.keysOf(cell, kind)
	b.flipKeys[cell] = keys.flip
	b.key ^= keys.first
	if b.owner[cell] == second {
		b.key ^= keys.flip
	}
}

// setHand sets up the hand of a side.
func (b *board) setHand(side int, cards []threetrios.Card) {
	h := &b.hands[side]
	for _, card := range cards {
		i := b.slotOf(side, valuesOf(card))
		s := &b.slots[side][i]
		b.key ^= s.keys[h.count[i]]
		h.attackers.add(&s.attackers)
		h.power += s.power
		h.count[i]++
		h.size++
	}
	h.slots = newLinkedSet(len(b.slots[side])-1, func(i int) bool { return h.count[i] > 0 })
}

// movesLeft returns the number of moves until the grid is full or the side to move has no card.
func movesLeft(p *threetrios.Position) int {
	own, opponent := len(p.Hand(p.Turn())), len(p.Hand(p.Turn().Other()))
	return min(len(p.EmptyCells()), 2*own, 2*opponent+1)
}

// makeMove plays a card of the side to move.
func (b *board) makeMove(m move) undo {
	u := undo{b.key, b.lead, len(b.flipped)}
	cell, me := m.cell(), b.turn
	s := &b.slots[me][m.slot()]
	b.empty.remove(cell)
	b.owner[cell], b.cards[cell] = me, s.values
	b.addKey(cell, s.kind)
	b.removeCard(m.slot())
	b.battle(cell, s.values)
	for _, at := range b.flipped[u.flipped:] {
		b.key ^= b.flipKeys[at]
	}
	b.lead += b.leadChange(len(b.flipped) - u.flipped)
	b.turn = 1 - me
	b.left--
	return u
}

// leadChange returns the change of First's lead when the side to move flips cards.
func (b *board) leadChange(flips int) int {
	if b.turn == first {
		return 2 * flips
	}
	return -2 * flips
}

// unmakeMove unmakes the last move.
func (b *board) unmakeMove(m move, u undo) {
	b.left++
	b.turn = 1 - b.turn
	b.unflip(u.flipped)
	b.owner[m.cell()] = emptyCell
	b.empty.restore(m.cell())
	b.restoreCard(m.slot())
	b.key, b.lead = u.key, u.lead
}

// unflip returns the cards that the side to move has flipped to the opponent, from index since of
// b.flipped on.
func (b *board) unflip(since int) {
	for _, at := range b.flipped[since:] {
		b.owner[at] = 1 - b.turn
	}
	b.flipped = b.flipped[:since]
}

// removeCard removes a card from the hand of the side to move.
func (b *board) removeCard(slot uint8) {
	h, s := &b.hands[b.turn], &b.slots[b.turn][slot]
	h.size--
	h.count[slot]--
	b.key ^= s.keys[h.count[slot]]
	if h.count[slot] == 0 {
		h.slots.remove(slot)
	}
	h.attackers.subtract(&s.attackers)
	h.power -= s.power
}

// restoreCard returns a card to the hand of the side to move. It leaves the key alone.
func (b *board) restoreCard(slot uint8) {
	h, s := &b.hands[b.turn], &b.slots[b.turn][slot]
	h.attackers.add(&s.attackers)
	h.power += s.power
	if h.count[slot] == 0 {
		h.slots.restore(slot)
	}
	h.count[slot]++
	h.size++
}

// flips returns the number of cards that a card of the side to move would flip from an empty cell.
func (b *board) flips(cell uint8, v values) int {
	since := len(b.flipped)
	b.battle(cell, v)
	n := len(b.flipped) - since
	if n > 0 {
		b.unflip(since)
	}
	return n
}
