package trios

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// LeastExposed keeps the moves whose card the fewest of the opponent's cards can beat on its cell.
type LeastExposed struct{}

// Keep implements [strategy.Strategy] for Three Trios.
func (LeastExposed) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	t := newTable(p)
	attackers := t.Hand(t.Turn().Other())
	return strategy.Lowest(candidates, strategy.Exposure, func(m rules.Move) (int, error) {
		return exposure(t.Position, m.Cell, t.card(m), attackers), nil
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
