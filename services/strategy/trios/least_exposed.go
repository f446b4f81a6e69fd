package trios

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// LeastExposed keeps the moves whose card the fewest of the opponent's cards could beat where it lies.
type LeastExposed struct{}

// Keep is that of strategy.Strategy. The position is one of Three Trios.
func (LeastExposed) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	t := newTable(p)
	against := t.Hand(t.Turn().Other())
	return strategy.Lowest(candidates, strategy.Exposure, func(m rules.Move) (int, error) {
		return exposure(t.Position, m.Cell, t.card(m), against), nil
	})
}

// exposure is, added up over the sides of a card on a cell that lie open to an empty card cell, how many of the
// cards in the other hand would beat it from there by the base rule in force. Same and Plus are left out.
func exposure(p *threetrios.Position, c rules.Cell, card threetrios.Card, against []threetrios.Card) int {
	n := 0
	for _, d := range openSides(p, c) {
		for _, attacker := range against {
			if p.Beats(attacker.Value(d.Opposite()), card.Value(d)) {
				n++
			}
		}
	}
	return n
}
