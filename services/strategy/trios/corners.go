package trios

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Corners keeps the corners of the rectangle with the cards that are hardest to flip there: those whose values on
// the open sides add up highest. Without a free corner it keeps nothing.
type Corners struct{}

// Keep is that of strategy.Strategy. The position is one of Three Trios.
func (Corners) Keep(_ *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	t := newTable(p)
	corners := corners(t.Position)
	free := strategy.Only(candidates, func(m rules.Move) bool { return slices.Contains(corners[:], m.Cell) })
	return strategy.Highest(free, strategy.Strength, func(m rules.Move) (int, error) {
		strength := 0
		for _, d := range openSides(t.Position, m.Cell) {
			strength += t.card(m).Value(d)
		}
		return strength, nil
	})
}
