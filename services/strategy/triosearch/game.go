package triosearch

import (
	"math/rand/v2"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

const directions = 4

// opposite returns the opposite direction.
func opposite(d int) int { return d ^ 1 }

// game holds what does not change in a game from a root position on. It is immutable once the first
// search begins.
type game struct {
	grid
	// slots are the different cards in the hand of each side at the root, from index 1. Identical
	// cards share a slot, so that the search tries only one of them.
	slots [2][]slot
	// kinds numbers the different cards on the grid and in both hands.
	kinds map[values]uint8
	keys  []cardKeys
}

// grid holds the cells and the rules. Card cells have numbers from 1 in reading order; 0 stands for
// holes and the space beyond the edges.
type grid struct {
	cells int
	// next holds the neighbour in each direction.
	next [256][directions]uint8
	// at is the place of each cell on the grid.
	at [256]rules.Cell
	// beats holds, for each value of an attacker, a bit for every value that it beats by the base
	// rule.
	beats           [16]uint16
	same, plus, own bool
	// evenTurn is the side to move when the number of cards in both hands is even. Keys leave out
	// the side to move, since the cards in hand determine it.
	evenTurn uint8
}

// slot is a card that a hand holds once or more.
type slot struct {
	values values
	kind   uint8
	// attackers and power are those of one such card.
	attackers attackers
	power     int
	// keys holds, at index i, the key of the i-th such card in hand.
	keys []uint64
}

// cardKeys are the Zobrist keys of a card on a cell: first is for a card of First, and flip is
// added for a card of Second.
type cardKeys struct{ first, flip uint64 }

// values are the values of a card, a byte for each direction.
type values uint32

func valuesOf(c threetrios.Card) values {
	v := values(0)
	for d := range directions {
		v |= values(c.Value(threetrios.Direction(d))) << (8 * d)
	}
	return v
}

func (v values) at(d int) uint8 { return uint8(v >> (8 * (d & 3))) }

func newGame(p *threetrios.Position) *game {
	g := &game{grid: grid{own: p.CountOwnCards()}}
	cards := len(p.Hand(rules.First)) + len(p.Hand(rules.Second))
	g.evenTurn = sideOf(p.Turn()) ^ uint8(cards&1)
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
	g.numberCells(p)
	g.numberCards(p)
	return g
}

// continues reports whether a position of g can be one of an earlier game: it has the same grid and
// no card more.
func (g *game) continues(earlier *game) bool {
	for v := range g.kinds {
		if _, ok := earlier.kinds[v]; !ok {
			return false
		}
	}
	for side, slots := range g.slots {
		for _, s := range slots[1:] {
			if !slices.ContainsFunc(earlier.slots[side], func(e slot) bool {
				return e.values == s.values && len(e.keys) >= len(s.keys)
			}) {
				return false
			}
		}
	}
	return g.grid == earlier.grid
}

func (g *game) numberCells(p *threetrios.Position) {
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

// numberCards gives the cards their kinds, slots and keys. The seeds of the keys are constant, so
// that a search is deterministic.
func (g *game) numberCards(p *threetrios.Position) {
	random := rand.NewPCG(1, 2)
	g.kinds = map[values]uint8{}
	for s, side := range [2]rules.Side{rules.First, rules.Second} {
		g.slots[s] = make([]slot, 1)
		for _, card := range p.Hand(side) {
			keys := &g.slots[s][g.slotOf(s, valuesOf(card))].keys
			*keys = append(*keys, random.Uint64())
		}
	}
	for cell := 1; cell <= g.cells; cell++ {
		if c := p.At(g.at[cell].RowColumn()); c.Owner != rules.NoSide {
			g.kindOf(valuesOf(c.Card))
		}
	}
	g.keys = make([]cardKeys, (g.cells+1)*len(g.kinds))
	for cell := 1; cell <= g.cells; cell++ {
		for v, kind := range g.kinds {
			g.keys[cell*len(g.kinds)+int(kind)] = keysFor(cell, v&g.facing(cell))
		}
	}
}

// facing returns a mask of the values of a card on a cell that face another cell. The other values
// make no difference, so the key leaves them out.
func (g *game) facing(cell int) values {
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

// kindOf returns the number of a card, and adds it if it is new.
func (g *game) kindOf(v values) uint8 {
	if _, ok := g.kinds[v]; !ok {
		g.kinds[v] = uint8(len(g.kinds))
	}
	return g.kinds[v]
}

// slotOf returns the slot of a card in a side's hand, and adds it if it is new.
func (g *game) slotOf(side int, v values) int {
	slots := g.slots[side]
	for i := 1; i < len(slots); i++ {
		if slots[i].values == v {
			return i
		}
	}
	g.slots[side] = append(slots, slot{
		values: v, kind: g.kindOf(v), attackers: g.attackersOf(v), power: g.powerOf(v),
	})
	return len(slots)
}

// keysOf returns the keys of a card on a cell.
func (g *game) keysOf(cell, kind uint8) cardKeys { return g.keys[int(cell)*len(g.kinds)+int(kind)] }
