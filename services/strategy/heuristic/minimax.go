package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Minimax keeps the moves after which the opponent has the fewest equally good replies, by the
// assumed strategy. The number is 0 if the opponent has no placement or the strategy keeps none.
type Minimax struct{ Assumed strategy.Strategy }

// Keep implements [strategy.Strategy] for Reversi.
func (m Minimax) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	return strategy.Lowest(candidates, strategy.Replies, func(move rules.Move) (int, error) {
		if !meter.Visit() {
			return 0, strategy.Unfinished()
		}
		next, _, err := p.Play(move)
		if err != nil {
			return 0, err
		}
		replies, err := m.Assumed.Keep(meter, next, strategy.Placements(next))
		return len(replies), err
	})
}
