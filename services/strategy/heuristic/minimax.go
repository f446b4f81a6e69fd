package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Minimax plays each move, counts the replies that the opponent would hold equally good if he played as assumed,
// and keeps the moves after which they are fewest: none where he cannot place, or where the assumed strategy is
// in favour of nothing.
type Minimax struct{ Assumed strategy.Strategy }

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (m Minimax) Keep(w *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	return strategy.Lowest(candidates, strategy.Replies, func(move rules.Move) (int, error) {
		if !w.Visit() {
			return 0, strategy.Unfinished()
		}
		next, _, err := p.Play(move)
		if err != nil {
			return 0, err
		}
		replies, err := m.Assumed.Keep(w, next, strategy.Placements(next))
		return len(replies), err
	})
}
