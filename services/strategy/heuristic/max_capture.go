// Package heuristic is the strategies for Reversi that look at moves one by one. They play on any board and can be
// made into new ones: a strategy keeps some of the moves it is shown, and may be shown what another one kept.
// Nothing here searches; how deep strategies nest is for those who build them to bound.
package heuristic

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
)

// MaxCapture keeps the moves that flip most, the placed disc not counted.
type MaxCapture struct{}

// Keep is that of strategy.Strategy. The position is one of Reversi.
func (MaxCapture) Keep(_ *strategy.Work, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	board := p.(*reversi.Position)
	return strategy.Highest(candidates, strategy.Flips, func(m rules.Move) (int, error) {
		return len(board.Flips(m)), nil
	})
}
