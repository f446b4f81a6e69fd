package grpcapi

import (
	"context"
	"hash/fnv"
	"math"
	"time"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// hasSkill reports whether a strategy plays like a person.
func hasSkill(s *strategyv1.Strategy) bool {
	_, ok := s.GetKind().(*strategyv1.Strategy_Skill)
	return ok
}

// seedOf returns the seed of a robot's turn. A robot of a skill without a seed has the FNV-1a hash
// of its game, so that its errors differ from game to game.
func seedOf(s *strategyv1.Strategy, request robots.Request) int64 {
	if request.Seed != 0 || !hasSkill(s) {
		return request.Seed
	}
	hash := fnv.New64a()
	hash.Write([]byte(request.GameID))
	return int64(hash.Sum64())
}

// longestPause bounds how long a robot of a skill waits before it moves.
const longestPause = 2500 * time.Millisecond

// pauseFor returns how long a robot of a skill thinks about a position. People take time in
// proportion to the logarithm of the number of choices (W. E. Hick, "On the Rate of Gain of
// Information", 1952).
func pauseFor(p rules.Position) time.Duration {
	const base, perDoubling = 400 * time.Millisecond, 300 * time.Millisecond
	choices := math.Log2(float64(max(1, len(p.Legal()))))
	return min(longestPause, base+time.Duration(choices*float64(perDoubling)))
}

// pause waits until a robot of a skill has taken as long as people do since start, but not for more
// than a quarter of the time until the deadline of ctx. The error is that of ctx.
func pause(ctx context.Context, p rules.Position, start time.Time) error {
	wait := pauseFor(p) - time.Since(start)
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)/4)
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
