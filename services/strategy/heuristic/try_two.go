package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// TryTwo keeps what Second keeps of what First keeps. Where First keeps nothing it is Second alone; where Second then
// keeps nothing it is First alone.
type TryTwo struct{ First, Second strategy.Strategy }

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (t TryTwo) Keep(w *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	first, err := t.First.Keep(w, p, candidates)
	if err != nil {
		return nil, err
	}
	if len(first) == 0 {
		return t.Second.Keep(w, p, candidates)
	}
	both, err := t.Second.Keep(w, p, first)
	if err != nil || len(both) > 0 {
		return both, err
	}
	return first, nil
}
