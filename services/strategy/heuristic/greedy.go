package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Greedy keeps the first move, in reading order, of those that flip most.
type Greedy struct{}

// Keep implements [strategy.Strategy] for Reversi.
func (Greedy) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	most, err := MaxCapture{}.Keep(meter, p, candidates)
	return most[:min(1, len(most))], err
}
