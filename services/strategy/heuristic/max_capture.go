package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// MaxCapture keeps the moves that flip most, the placed disc not counted.
type MaxCapture struct{}

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (MaxCapture) Keep(_ *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	board := p.(*reversi.Position)
	return strategy.Highest(candidates, strategy.Flips, func(m rules.Move) (int, error) {
		return len(board.Flips(m)), nil
	})
}
