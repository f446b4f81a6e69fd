package trios

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// MostFlips keeps the moves that flip most; all of them where nothing can be flipped.
type MostFlips struct{}

// Keep is that of strategy.Strategy. The position is one of Three Trios.
func (MostFlips) Keep(_ *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	t := newTable(p)
	return strategy.Highest(candidates, strategy.Flips, func(m rules.Move) (int, error) { return t.flipsOf(m), nil })
}

// mostFlips returns how many cards the side to move can flip at most, or enough as soon as it can flip so many. It
// looks only beside opposing cards, since a card that touches none flips nothing.
func mostFlips(p *threetrios.Position, enough int) int {
	most, hand := 0, len(p.Hand(p.Turn()))
	for _, cell := range p.EmptyCells() {
		if !touchesOpponent(p, cell) {
			continue
		}
		for card := range hand {
			if most = max(most, p.FlipCount(card, cell)); most >= enough {
				return enough
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
