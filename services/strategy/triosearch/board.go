package triosearch

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Who owns the card on a cell. The sides are numbered from 0 here, so that they can be an index.
const (
	first uint8 = iota
	second
	nobody // the cell is empty
	beyond // there is no card cell
)

// board is the position that a search plays on. Moves are made and taken back in place; nothing is allocated.
type board struct {
	*game
	owner [256]uint8
	cards [256]values
	// turned is what the key of the position changes by when the card on a cell changes sides.
	turned [256]uint64
	empty  ring
	hands  [2]hand
	turn   uint8
	// left is how many moves there are until the game is over.
	left int
	// lead is how many more cards First owns, on the grid and in hand, than Second.
	lead int
	key  uint64
	// flipped are the cells whose cards changed sides, of all moves that were made and not taken back.
	flipped    []uint8
	estimating estimating
}

// hand is the cards that a side holds: how many of each slot, and which slots there are.
type hand struct {
	held  ring
	count [256]uint8
	size  int
	reach reach
	// power is the sum of what the cards are worth to hold.
	power int
}

// move lays a card of the side to move: the cell in the upper byte, the slot in the lower.
type move uint16

func moveOf(cell, slot uint8) move { return move(cell)<<8 | move(slot) }

func (m move) cell() uint8 { return uint8(m >> 8) }
func (m move) slot() uint8 { return uint8(m) }

const noMove move = 0

// before is what cannot be worked out backwards when a move is taken back.
type before struct {
	key  uint64
	lead int
	// flipped is how long board.flipped was.
	flipped int
}

func newBoard(g *game, p *threetrios.Position) *board {
	b := &board{game: g, turn: sideOf(p.Turn()), flipped: make([]uint8, 0, g.cells*g.cells/2+1)}
	for i := range b.owner {
		b.owner[i] = beyond
	}
	for cell := 1; cell <= g.cells; cell++ {
		b.put(uint8(cell), p.At(g.at[cell].RowColumn()))
	}
	b.empty = newRing(g.cells, func(cell int) bool { return b.owner[cell] == nobody })
	for s, side := range [2]rules.Side{rules.First, rules.Second} {
		b.deal(&b.hands[s], g.slots[s])
		b.hands[s].size = len(p.Hand(side))
	}
	b.lead = p.Score().Margin(rules.First)
	b.left = movesLeft(p)
	b.estimating = newEstimating()
	return b
}

func sideOf(s rules.Side) uint8 { return uint8(s) - uint8(rules.First) }

// put sets up one cell.
func (b *board) put(cell uint8, square threetrios.GridCell) {
	if square.Owner == rules.NoSide {
		b.owner[cell] = nobody
		return
	}
	b.owner[cell], b.cards[cell] = sideOf(square.Owner), valuesOf(square.Card)
	keys := b.keysOf(cell, b.kinds[b.cards[cell]])
	b.turned[cell] = keys.turned
	b.key ^= keys.lie
	if b.owner[cell] == second {
		b.key ^= keys.turned
	}
}

// deal sets up a hand with all cards of its slots.
func (b *board) deal(h *hand, slots []slot) {
	h.held = newRing(len(slots)-1, func(int) bool { return true })
	for i, s := range slots {
		h.count[i] = uint8(len(s.held))
		for _, key := range s.held {
			b.key ^= key
			h.reach.add(&s.reach)
			h.power += s.power
		}
	}
}

// movesLeft counts the moves until the grid is full, or until a side that has no card left is to move.
func movesLeft(p *threetrios.Position) int {
	mine, his := len(p.Hand(p.Turn())), len(p.Hand(p.Turn().Other()))
	return min(len(p.EmptyCells()), 2*mine, 2*his+1)
}

// lay makes a move.
func (b *board) lay(m move) before {
	was := before{b.key, b.lead, len(b.flipped)}
	cell, me := m.cell(), b.turn
	s := &b.slots[me][m.slot()]
	keys := b.keysOf(cell, s.kind)
	b.empty.takeOut(cell)
	b.owner[cell], b.cards[cell], b.turned[cell] = me, s.values, keys.turned
	b.key ^= keys.lie
	if me == second {
		b.key ^= keys.turned
	}
	b.spend(m.slot())
	b.fight(cell, s.values)
	for _, at := range b.flipped[was.flipped:] {
		b.key ^= b.turned[at]
	}
	b.lead += b.gain(len(b.flipped) - was.flipped)
	b.turn = 1 - me
	b.left--
	return was
}

// gain is what First's lead changes by when the side to move flips so many cards.
func (b *board) gain(flips int) int {
	if b.turn == first {
		return 2 * flips
	}
	return -2 * flips
}

// takeBack takes back the last move.
func (b *board) takeBack(m move, was before) {
	b.left++
	b.turn = 1 - b.turn
	b.turnBack(was.flipped)
	b.owner[m.cell()] = nobody
	b.empty.putBack(m.cell())
	b.unspend(m.slot())
	b.key, b.lead = was.key, was.lead
}

// turnBack gives the cards that the side to move has flipped since back to the other side.
func (b *board) turnBack(since int) {
	for _, at := range b.flipped[since:] {
		b.owner[at] = 1 - b.turn
	}
	b.flipped = b.flipped[:since]
}

// spend takes a card from the hand of the side to move.
func (b *board) spend(slot uint8) {
	h, s := &b.hands[b.turn], &b.slots[b.turn][slot]
	h.size--
	h.count[slot]--
	b.key ^= s.held[h.count[slot]]
	if h.count[slot] == 0 {
		h.held.takeOut(slot)
	}
	h.reach.subtract(&s.reach)
	h.power -= s.power
}

// unspend puts it back, but for the key.
func (b *board) unspend(slot uint8) {
	h, s := &b.hands[b.turn], &b.slots[b.turn][slot]
	h.reach.add(&s.reach)
	h.power += s.power
	if h.count[slot] == 0 {
		h.held.putBack(slot)
	}
	h.count[slot]++
	h.size++
}

// flips returns how many cards a card of the side to move would flip on an empty cell.
func (b *board) flips(cell uint8, v values) int {
	since := len(b.flipped)
	b.fight(cell, v)
	n := len(b.flipped) - since
	if n > 0 {
		b.turnBack(since)
	}
	return n
}
