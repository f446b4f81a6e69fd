package heuristic

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
)

// TakeCorners keeps only corners. It may keep nothing.
type TakeCorners struct{}

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (TakeCorners) Keep(
	_ *strategy.Work, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	corners := p.(*reversi.Position).Board().Corners()
	return strategy.Only(candidates, func(m rules.Move) bool { return slices.Contains(corners, m.Cell) }), nil
}
