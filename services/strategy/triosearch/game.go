package triosearch

import (
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

const directions = 4

// opposite is the direction back.
func opposite(d int) int { return d ^ 1 }

// game is what stays the same during a search. Cells are the card cells, numbered from 1 in reading order; 0 is
// whatever lies beyond an edge or in a hole.
type game struct {
	cells int
	// next is the cell in each direction.
	next [256][directions]uint8
	// at is where each cell is on the grid.
	at [256]rules.Cell
	// beats has, for each value of an attacker, a bit for every value that it beats by the base rule.
	beats           [16]uint16
	same, plus, own bool
	// slots are the different cards that each side held when the search began, numbered from 1: identical cards share one,
	// so that only one of them is tried.
	slots [2][]slot
	// kinds numbers the different cards there are on the grid and in both hands.
	kinds map[values]uint8
	keys  []cardKeys
}

// slot is a card that a side may hold once or more.
type slot struct {
	values values
	kind   uint8
	// reach is what holding one such card adds to a hand's reach.
	reach reach
	// power is what holding it is worth.
	power int
	// held has, at i, the key of holding the i-th such card.
	held []uint64
}

// cardKeys are what a card on a cell adds to the key of a position: lie if it is First's, and turned on top of that
// if it is Second's.
type cardKeys struct{ lie, turned uint64 }

// values are those of a card, a byte for each direction.
type values uint32

func valuesOf(c threetrios.Card) values {
	v := values(0)
	for d := range directions {
		v |= values(c.Value(threetrios.Direction(d))) << (8 * d)
	}
	return v
}

func (v values) at(d int) uint8 { return uint8(v >> (8 * (d & 3))) }

// newGame reads all from a position that does not change.
func newGame(p *threetrios.Position) *game {
	g := &game{own: p.CountOwnCards()}
	for _, rule := range p.Rules() {
		g.same = g.same || rule == threetrios.Same
		g.plus = g.plus || rule == threetrios.Plus
	}
	for a := 1; a <= threetrios.Ace; a++ {
		for d := 1; d <= threetrios.Ace; d++ {
			if p.Beats(a, d) {
				g.beats[a] |= 1 << d
			}
		}
	}
	g.number(p)
	g.draw(p)
	return g
}

// number gives the card cells their numbers.
func (g *game) number(p *threetrios.Position) {
	numbers := map[rules.Cell]uint8{}
	for row := range p.Rows() {
		for column := range p.Columns() {
			if !p.At(row, column).Hole {
				g.cells++
				g.at[g.cells] = rules.SquareCell(row, column)
				numbers[g.at[g.cells]] = uint8(g.cells)
			}
		}
	}
	for cell := 1; cell <= g.cells; cell++ {
		for d := range directions {
			if to, ok := p.Neighbour(g.at[cell], threetrios.Direction(d)); ok {
				g.next[cell][d] = numbers[to]
			}
		}
	}
}

// draw gives the cards their kinds, slots and keys. The keys are always the same random numbers, so that a search is the
// same every time.
func (g *game) draw(p *threetrios.Position) {
	random := rand.NewPCG(1, 2)
	g.kinds = map[values]uint8{}
	for s, side := range [2]rules.Side{rules.First, rules.Second} {
		g.slots[s] = make([]slot, 1)
		for _, card := range p.Hand(side) {
			held := &g.slots[s][g.slotOf(s, valuesOf(card))].held
			*held = append(*held, random.Uint64())
		}
	}
	for cell := 1; cell <= g.cells; cell++ {
		if square := p.At(g.at[cell].RowColumn()); square.Owner != rules.NoSide {
			g.kindOf(valuesOf(square.Card))
		}
	}
	g.keys = make([]cardKeys, (g.cells+1)*len(g.kinds))
	for cell := 1; cell <= g.cells; cell++ {
		for v, kind := range g.kinds {
			g.keys[cell*len(g.kinds)+int(kind)] = keysFor(cell, v&g.shown(cell))
		}
	}
}

// shown has all bits set of the values that a card on a cell shows to another cell. The others make no difference, and
// so they do not go into the key.
func (g *game) shown(cell int) values {
	v := values(0)
	for d, to := range g.next[cell] {
		if to != 0 {
			v |= 0xff << (8 * d)
		}
	}
	return v
}

func keysFor(cell int, v values) cardKeys {
	random := rand.NewPCG(uint64(cell), uint64(v))
	return cardKeys{random.Uint64(), random.Uint64()}
}

// kindOf returns the number of a card, which is a new one if there was no such card before.
func (g *game) kindOf(v values) uint8 {
	if _, known := g.kinds[v]; !known {
		g.kinds[v] = uint8(len(g.kinds))
	}
	return g.kinds[v]
}

// slotOf returns the slot of a card in a side's hand, which is a new one if there was no such card before.
func (g *game) slotOf(side int, v values) int {
	slots := g.slots[side]
	for i := 1; i < len(slots); i++ {
		if slots[i].values == v {
			return i
		}
	}
	g.slots[side] = append(slots, slot{values: v, kind: g.kindOf(v), reach: g.reachOf(v), power: g.powerOf(v)})
	return len(slots)
}

// keysOf returns the keys of a card on a cell.
func (g *game) keysOf(cell, kind uint8) cardKeys { return g.keys[int(cell)*len(g.kinds)+int(kind)] }
