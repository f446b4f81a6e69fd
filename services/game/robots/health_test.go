package robots_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
)

// substitutes counts the moves of a log by the reason of the substitute, "" for moves of robots.
func substitutes(log []game.Event) map[game.SubstituteReason]int {
	counts := map[game.SubstituteReason]int{}
	for _, m := range moves(log) {
		var reason game.SubstituteReason
		if m.Substitute != nil {
			reason = m.Substitute.Reason
		}
		counts[reason]++
	}
	return counts
}

// A provider fails three turns and is suspended for 30 s, then for 60 s. It works again before the
// second attempt, and its robots move again.
func TestSuspendedProviderIsTriedAgain(t *testing.T) {
	start := time.Now()
	var calls atomic.Int32
	provider := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		calls.Add(1)
		if time.Since(start) < 45*time.Second {
			return unavailable(ctx, request)
		}
		return immediate(ctx, request)
	}
	run(t, options{strategies: provider}, func(f *fixture) {
		start = time.Now()
		var ids []string
		play := func() {
			ids = append(ids, f.create(robot, robot))
			time.Sleep(5 * time.Second)
			synctest.Wait()
			f.wantOver(ids[len(ids)-1])
		}
		play()
		if calls.Load() != 9 {
			f.Errorf("%d calls in the first game, want three in each of three turns", calls.Load())
		}
		play()
		if calls.Load() != 9 {
			f.Errorf("%d calls while the provider is suspended, want none", calls.Load()-9)
		}
		time.Sleep(25 * time.Second) // The first suspension has ended.
		play()
		if calls.Load() != 10 {
			f.Errorf("%d calls after the first suspension, want 1", calls.Load()-9)
		}
		time.Sleep(time.Minute) // The second suspension has ended too.
		play()
		if got := substitutes(f.log(ids[3])); len(got) != 1 || got[""] == 0 {
			f.Errorf("moves by reason after the provider works again: %v", got)
		}
	})
}

// Callers choose strategies and clocks. A robot that fails for these reasons does not suspend its
// provider.
func TestCallersCannotSuspendProvider(t *testing.T) {
	rejected := game.Robot{Strategy: robot.Robot.Strategy, Seed: 1}
	slow := game.Robot{Strategy: robot.Robot.Strategy, Seed: 2}
	provider := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		switch request.Robot.Seed {
		case rejected.Seed:
			return game.Choice{}, &robots.AttemptError{Reason: game.Rejected, Err: errUnavailable}
		case slow.Seed:
			return never(ctx, request)
		}
		return immediate(ctx, request)
	}
	run(t, options{strategies: provider}, func(f *fixture) {
		id := f.create(game.Seat{Robot: &rejected}, game.Seat{Robot: &rejected})
		perMove := game.TimeControl{PerMove: time.Second, OnAbsence: game.Forfeit}
		f.createTimed(&perMove, game.Seat{Robot: &slow}, game.Seat{Robot: &slow})
		time.Sleep(time.Minute)
		if got := substitutes(f.log(id)); len(got) != 1 || got[game.Rejected] == 0 {
			f.Errorf("moves by reason of a rejected strategy: %v", got)
		}
		id = f.create(robot, robot)
		time.Sleep(5 * time.Second)
		if got := substitutes(f.log(id)); len(got) != 1 || got[""] == 0 {
			f.Errorf("moves by reason of other robots: %v", got)
		}
	})
}
