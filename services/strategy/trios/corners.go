package trios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
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
	t := newTable(p)
	corners := corners(t.Position)
	free := strategy.Only(candidates, func(m rules.Move) bool {
		return slices.Contains(corners[:], m.Cell)
	})
	return strategy.Highest(free, strategy.Strength, func(m rules.Move) (int, error) {
		strength := 0
		for _, d := range openSides(t.Position, m.Cell) {
			strength += t.card(m).Value(d)
		}
		return strength, nil
	})
}
