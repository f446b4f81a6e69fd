// Package trios has the strategies for Three Trios that compare single moves, and one that also
// compares the opponent's replies. Hands are open, so all of them see both hands.
package trios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Corners keeps the moves to a corner of the rectangle with the highest sum of the card's values on
// its open sides. It keeps none if no corner is free.
type Corners struct{}

// Keep implements [strategy.Strategy] for Three Trios.
func (Corners) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	pos := newPosition(p)
	corners := corners(pos.Position)
	free := strategy.Only(candidates, func(m rules.Move) bool {
		return slices.Contains(corners[:], m.Cell)
	})
	return strategy.Highest(free, strategy.Strength, func(m rules.Move) (int, error) {
		strength := 0
		for _, d := range openSides(pos.Position, m.Cell) {
			strength += pos.card(m).Value(d)
		}
		return strength, nil
	})
}

// MostFlips keeps the moves that flip most cards: all moves if none flips any.
type MostFlips struct{}

// Keep implements [strategy.Strategy] for Three Trios.
func (MostFlips) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	pos := newPosition(p)
	return strategy.Highest(candidates, strategy.Flips, func(m rules.Move) (int, error) {
		return pos.flipsOf(m), nil
	})
}

// LeastExposed keeps the moves whose card the fewest of the opponent's cards can beat on its cell.
type LeastExposed struct{}

// Keep implements [strategy.Strategy] for Three Trios.
func (LeastExposed) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	pos := newPosition(p)
	attackers := pos.Hand(pos.Turn().Other())
	return strategy.Lowest(candidates, strategy.Exposure, func(m rules.Move) (int, error) {
		return exposure(pos.Position, m.Cell, pos.card(m), attackers), nil
	})
}

// exposure returns, summed over the open sides of a card on a cell, the number of attackers that
// beat it by the base rule. Same and Plus do not count.
func exposure(
	p *threetrios.Position, c rules.Cell, card threetrios.Card, attackers []threetrios.Card,
) int {
	n := 0
	for _, d := range openSides(p, c) {
		for _, attacker := range attackers {
			if p.Beats(attacker.Value(d.Opposite()), card.Value(d)) {
				n++
			}
		}
	}
	return n
}

var directions = [...]threetrios.Direction{
	threetrios.North, threetrios.South, threetrios.East, threetrios.West,
}

// position is a position with the hand of the side to move.
type position struct {
	*threetrios.Position
	hand []threetrios.Card
	// index is the index in hand of each card, by its name.
	index map[string]int
}

func newPosition(p rules.Position) position {
	pos := position{Position: p.(*threetrios.Position), index: map[string]int{}}
	pos.hand = pos.Hand(pos.Turn())
	for i, card := range pos.hand {
		pos.index[card.Name] = i
	}
	return pos
}

// card returns the card that a move plays.
func (pos position) card(m rules.Move) threetrios.Card { return pos.hand[pos.index[m.Card]] }

// flipsOf returns the number of cards that a move flips, including its chain.
func (pos position) flipsOf(m rules.Move) int { return pos.FlipCount(pos.index[m.Card], m.Cell) }

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
