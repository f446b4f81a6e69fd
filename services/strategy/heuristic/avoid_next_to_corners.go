package heuristic

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// AvoidNextToCorners drops every cell adjacent to a corner. It may keep nothing.
type AvoidNextToCorners struct{}

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (AvoidNextToCorners) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	board := p.(*reversi.Position).Board()
	var avoid []rules.Cell
	for _, corner := range board.Corners() {
		avoid = append(avoid, board.Neighbours(corner)...)
	}
	return strategy.Only(candidates, func(m rules.Move) bool { return !slices.Contains(avoid, m.Cell) }), nil
}
