package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// MaxCapture keeps the moves that flip most discs; the placed disc does not count.
type MaxCapture struct{}

// Keep implements [strategy.Strategy] for Reversi.
func (MaxCapture) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	position := p.(*reversi.Position)
	return strategy.Highest(candidates, strategy.Flips, func(m rules.Move) (int, error) {
		return len(position.Flips(m)), nil
	})
}
