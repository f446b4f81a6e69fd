// Package trios has the strategies for Three Trios that compare single moves, and one that also
// compares the opponent's replies. Hands are open, so all of them see both hands.
package trios

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

var directions = [...]threetrios.Direction{
	threetrios.North, threetrios.South, threetrios.East, threetrios.West,
}

// table is a position with the hand of the side to move.
type table struct {
	*threetrios.Position
	hand []threetrios.Card
	// index is the index in hand of each card, by its name.
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

// flipsOf returns the number of cards that a move flips, including its chain.
func (t table) flipsOf(m rules.Move) int { return t.FlipCount(t.index[m.Card], m.Cell) }

// openSides returns the directions in which a cell has an empty card cell beside it.
func openSides(p *threetrios.Position, c rules.Cell) []threetrios.Direction {
	open := make([]threetrios.Direction, 0, len(directions))
	for _, d := range directions {
		if beside, ok := p.Neighbour(c, d); ok && p.At(beside.RowColumn()).Owner == rules.NoSide {
			open = append(open, d)
		}
	}
	return open
}

// corners returns the corners of the rectangle in reading order, including holes.
func corners(p *threetrios.Position) [4]rules.Cell {
	bottom, right := p.Rows()-1, p.Columns()-1
	return [...]rules.Cell{
		rules.SquareCell(0, 0), rules.SquareCell(0, right),
		rules.SquareCell(bottom, 0), rules.SquareCell(bottom, right),
	}
}
