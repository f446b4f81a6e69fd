// Package heuristic has the strategies for Reversi that compare single moves, without a search.
// They play on any board. Some are composed of others: a strategy keeps some of its candidates, and
// another one can choose among those. The caller bounds how deep they nest.
package heuristic

import (
	"slices"

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

// Greedy keeps the first move, in reading order, of those that flip most.
type Greedy struct{}

// Keep implements [strategy.Strategy] for Reversi.
func (Greedy) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	most, err := MaxCapture{}.Keep(meter, p, candidates)
	return most[:min(1, len(most))], err
}

// TakeCorners keeps the corners. It can keep none.
type TakeCorners struct{}

// Keep implements [strategy.Strategy] for Reversi.
func (TakeCorners) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	corners := p.(*reversi.Position).Board().Corners()
	return strategy.Only(candidates, func(m rules.Move) bool {
		return slices.Contains(corners, m.Cell)
	}), nil
}

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

// Minimax keeps the moves after which the opponent has the fewest equally good replies, by the
// assumed strategy. The number is 0 if the opponent has no placement or the strategy keeps none.
type Minimax struct{ Assumed strategy.Strategy }

// Keep implements [strategy.Strategy] for Reversi.
func (m Minimax) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	left := len(candidates)
	return strategy.Lowest(candidates, strategy.Replies, func(move rules.Move) (int, error) {
		if !meter.Visit() {
			return 0, strategy.Unfinished()
		}
		next, _, err := p.Play(move)
		if err != nil {
			return 0, err
		}
		// A search uses all its time: without a part of it, the first move would leave none.
		part := meter.Part(left)
		left--
		replies, err := m.Assumed.Keep(part, next, strategy.Placements(next))
		return len(replies), err
	})
}
