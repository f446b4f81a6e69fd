// Package trios is the strategies for Three Trios that look at moves one by one, and the one that looks at the
// reply. All of them look at both hands, which are open.
package trios

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

var directions = [...]threetrios.Direction{threetrios.North, threetrios.South, threetrios.East, threetrios.West}

// table is a position with the hand of the side to move at hand.
type table struct {
	*threetrios.Position
	hand []threetrios.Card
	// index is where a card is in the hand, by its name.
	index map[string]int
}

func newTable(p rules.Position) table {
	t := table{Position: p.(*threetrios.Position), index: map[string]int{}}
	t.hand = t.Hand(t.Turn())
	for i, card := range t.hand {
		t.index[card.Name] = i
	}
	return t
}

// card returns the card that a move plays.
func (t table) card(m rules.Move) threetrios.Card { return t.hand[t.index[m.Card]] }

// flipsOf returns how many cards a move flips, chain and all.
func (t table) flipsOf(m rules.Move) int { return t.FlipCount(t.index[m.Card], m.Cell) }

// openSides returns the directions in which an empty card cell lies beside a cell.
func openSides(p *threetrios.Position, c rules.Cell) []threetrios.Direction {
	open := make([]threetrios.Direction, 0, len(directions))
	for _, d := range directions {
		if beside, ok := p.Neighbour(c, d); ok && p.At(beside.RowColumn()).Owner == rules.NoSide {
			open = append(open, d)
		}
	}
	return open
}

// corners returns the corners of the rectangle in reading order, holes among them.
func corners(p *threetrios.Position) [4]rules.Cell {
	bottom, right := p.Rows()-1, p.Columns()-1
	return [...]rules.Cell{
		rules.SquareCell(0, 0), rules.SquareCell(0, right), rules.SquareCell(bottom, 0), rules.SquareCell(bottom, right),
	}
}
