package trios

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// MostFlips keeps the moves that flip most cards: all moves if none flips any.
type MostFlips struct{}

// Keep implements [strategy.Strategy] for Three Trios.
func (MostFlips) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	t := newTable(p)
	return strategy.Highest(candidates, strategy.Flips, func(m rules.Move) (int, error) {
		return t.flipsOf(m), nil
	})
}

// mostFlips returns the greatest number of cards that the side to move can flip, at most limit. It
// tries only cells beside opposing cards, since a card elsewhere flips none.
func mostFlips(p *threetrios.Position, limit int) int {
	most, hand := 0, len(p.Hand(p.Turn()))
	for _, cell := range p.EmptyCells() {
		if !touchesOpponent(p, cell) {
			continue
		}
		for card := range hand {
			if most = max(most, p.FlipCount(card, cell)); most >= limit {
				return limit
			}
		}
	}
	return most
}

func touchesOpponent(p *threetrios.Position, c rules.Cell) bool {
	opponent := p.Turn().Other()
	for _, d := range directions {
		if beside, ok := p.Neighbour(c, d); ok && p.At(beside.RowColumn()).Owner == opponent {
			return true
		}
	}
	return false
}
