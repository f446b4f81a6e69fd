package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// TryTwo keeps the moves that Second keeps of those that First keeps. If First keeps none, it is
// Second alone; if Second then keeps none, it is First alone.
type TryTwo struct{ First, Second strategy.Strategy }

// Keep implements [strategy.Strategy] for Reversi.
func (t TryTwo) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	first, err := t.First.Keep(meter, p, candidates)
	if err != nil {
		return nil, err
	}
	if len(first) == 0 {
		return t.Second.Keep(meter, p, candidates)
	}
	both, err := t.Second.Keep(meter, p, first)
	if err != nil || len(both) > 0 {
		return both, err
	}
	return first, nil
}
