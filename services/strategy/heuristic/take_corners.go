package heuristic

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// TakeCorners keeps the corners. It can keep none.
type TakeCorners struct{}

// Keep implements [strategy.Strategy] for Reversi.
func (TakeCorners) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	corners := p.(*reversi.Position).Board().Corners()
	return strategy.Only(candidates, func(m rules.Move) bool {
		return slices.Contains(corners, m.Cell)
	}), nil
}
