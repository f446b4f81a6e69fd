package heuristic

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// TakeCorners keeps only corners. It may keep nothing.
type TakeCorners struct{}

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (TakeCorners) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	corners := p.(*reversi.Position).Board().Corners()
	return strategy.Only(candidates, func(m rules.Move) bool { return slices.Contains(corners, m.Cell) }), nil
}
