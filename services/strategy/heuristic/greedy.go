package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Greedy keeps one move: the topmost, then leftmost of those that flip most.
type Greedy struct{}

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (Greedy) Keep(w *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	most, err := MaxCapture{}.Keep(w, p, candidates)
	return most[:min(1, len(most))], err
}
