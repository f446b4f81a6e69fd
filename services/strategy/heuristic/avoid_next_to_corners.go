package heuristic

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// AvoidNextToCorners keeps the cells that are not adjacent to a corner. It can keep none.
type AvoidNextToCorners struct{}

// Keep implements [strategy.Strategy] for Reversi.
func (AvoidNextToCorners) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	board := p.(*reversi.Position).Board()
	var avoid []rules.Cell
	for _, corner := range board.Corners() {
		avoid = append(avoid, board.Neighbours(corner)...)
	}
	return strategy.Only(candidates, func(m rules.Move) bool {
		return !slices.Contains(avoid, m.Cell)
	}), nil
}
