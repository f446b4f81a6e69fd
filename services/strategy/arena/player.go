package arena

import (
	"context"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
)

// Player chooses the moves of one side of a match. It may be called concurrently.
type Player interface {
	// Choose returns a legal move. The error *[ForfeitError] loses the game; other errors end the match.
	Choose(ctx context.Context, t Turn) (rules.Move, error)
}

// Turn is a turn of a player.
type Turn struct {
	// Game is the number of the game in the match.
	Game     int
	Position rules.Position
	// Seed selects among equally good moves; 0 selects the first of them.
	Seed int64
}

// Strategy returns a player that plays a strategy.
func Strategy(s strategy.Strategy) Player { return strategyPlayer{s} }

type strategyPlayer struct{ strategy strategy.Strategy }

func (p strategyPlayer) Choose(ctx context.Context, t Turn) (rules.Move, error) {
	choice, err := strategy.Choose(ctx, p.strategy, t.Position, t.Seed)
	return choice.Chosen.Move, err
}

// ForfeitError is the error of a player that gave no legal move.
type ForfeitError struct {
	Reason  ForfeitReason
	Message string
}

// Error implements error.
func (f *ForfeitError) Error() string { return f.Message }

// ForfeitReason is the reason for which a player gave no legal move.
type ForfeitReason string

const (
	// NoAnswer means that the player did not answer in time.
	NoAnswer ForfeitReason = "noAnswer"
	// Unavailable means that the player could not be reached, or answered with an error.
	Unavailable ForfeitReason = "unavailable"
	// Rejected means that the player rejected the strategy or the position.
	Rejected ForfeitReason = "rejected"
	// InvalidAnswer means that the answer of the player has no move that can be read.
	InvalidAnswer ForfeitReason = "invalidAnswer"
	// IllegalMove means that the rules do not allow the move of the player.
	IllegalMove ForfeitReason = "illegalMove"
)
