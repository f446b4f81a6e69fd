package robots

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// start plays the turn in the background, then frees the slot. cause is the context of the call
// that led to the turn and may end earlier; the trace links to it.
func (s *slot) start(cause context.Context, g game.Game) {
	r := s.robots
	go func() {
		defer s.free()
		start := time.Now()
		ctx, span := r.settings.Tracer.Start(s.running, "robot turn",
			trace.WithNewRoot(), trace.WithLinks(trace.LinkFromContext(cause)), trace.WithAttributes(
				attribute.String("flipside.game.id", g.ID), attribute.Int("flipside.game.version", g.Version),
				attribute.String("flipside.robot.provider", s.turn.provider)))
		defer span.End()
		var outcome string
		err := r.catchPanic(g, func() (err error) {
			outcome, err = r.play(ctx, g, s)
			return err
		})
		if errors.Is(err, errTurnLost) {
			outcome, err = stale, nil
		}
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		r.metrics.duration.Observe(time.Since(start).Seconds())
		switch {
		case err == nil:
		case s.running.Err() != nil:
			outcome = handedBack
			r.handBack(g)
		default:
			outcome = failed
			r.warn(s.running, "a robot's turn failed and is left to the next poll", err,
				"gameId", g.ID, "version", g.Version)
		}
		r.metrics.turns.WithLabelValues(outcome).Inc()
	}()
}

// handBackTimeout bounds the time that a stopping process waits for the store to end a lease.
const handBackTimeout = 2 * time.Second

// handBack ends the lease on an unfinished turn and wakes the other processes, one of which takes
// it over.
func (r *Robots) handBack(g game.Game) {
	ctx, cancel := context.WithTimeout(context.Background(), handBackTimeout)
	defer cancel()
	now := r.now()
	if ok, err := r.games.Lease(ctx, r.lease(g, now), now); err != nil || !ok {
		return // The lease ends by itself.
	}
	r.feed.Publish(ctx, game.Wake{Topic: game.RobotTopic})
}

// errTurnLost ends a turn whose game has changed, by a resignation for example, or that another
// process has taken over. That change published what happens next.
var errTurnLost = errors.New("the turn is lost")

// play chooses and commits the move of the robot to move, and returns the outcome for the metrics.
// The process holds the lease on the turn.
func (r *Robots) play(ctx context.Context, g game.Game, s *slot) (outcome string, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go r.keepLease(ctx, stop, g)
	d, err := r.chooseMove(ctx, g, s)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return "", err
	}
	outcome = played
	if d.Events[0].MovePlayed.Automatic {
		outcome = automatic
	}
	if g, d, err = r.afterOutage(ctx, g, d); err != nil {
		return "", err
	}
	if timeUp, up := g.TimeUp(r.now(), r.settings.LagGrace); up && r.games.InSync() {
		d, outcome = timeUp, stale
	}
	err = r.Commit(ctx, game.Change{Game: d.Game, Events: d.Events})
	if errors.Is(err, game.ErrConflict) {
		err = errTurnLost
	}
	return outcome, err
}

// afterOutage returns a game and the decision on it. If the store was unavailable meanwhile, the
// clock of the turn has stopped for that time, so that the decision is made again.
func (r *Robots) afterOutage(ctx context.Context, g game.Game, d game.Decision) (game.Game, game.Decision, error) {
	if g.TurnSince.IsZero() {
		return g, d, nil
	}
	current, err := r.games.CachedGame(ctx, g.ID)
	if err != nil || current.Version != g.Version || current.Paused == g.Paused {
		return g, d, err
	}
	played := d.Events[0].MovePlayed
	choice := game.Choice{Move: played.Move, Analysis: played.Analysis, Substitute: played.Substitute}
	d, err = current.PlayRobot(choice, d.Events[0].Time)
	return current, d, err
}

// keepLease extends the lease until ctx ends, and calls stop if the turn is lost.
func (r *Robots) keepLease(ctx context.Context, stop context.CancelCauseFunc, g game.Game) {
	tick := time.NewTicker(r.settings.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			now := r.now()
			if ok, err := r.games.Lease(ctx, r.lease(g, now.Add(r.settings.Lease)), now); err == nil && !ok {
				stop(errTurnLost)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// chooseMove returns the decision on a robot's turn. A robot that fails is retried as often as the
// settings, its clock and the health of its provider allow; then the server plays a simple move for
// it. Watchers are notified of each retry.
func (r *Robots) chooseMove(ctx context.Context, g game.Game, s *slot) (game.Decision, error) {
	provider := g.RobotToMove().Provider
	reason := game.Suspended
	attempts := r.health.attempts(provider, r.settings.Attempts, r.now())
	for attempt, delay := 1, r.settings.RetryDelay; attempt <= attempts; attempt, delay = attempt+1, 2*delay {
		d, err := r.attempt(ctx, g, s)
		if err == nil {
			r.health.succeed(provider)
			return d, nil
		}
		if ctx.Err() != nil {
			return game.Decision{}, context.Cause(ctx)
		}
		reason = err.Reason
		r.metrics.unanswered.WithLabelValues(provider).Inc()
		r.log.Warn("a robot failed to choose a move", "gameId", g.ID, "version", g.Version,
			"provider", provider, "attempt", attempt, "reason", reason, "field", err.Field, "error", err)
		available, _ := timeLeft(g, r.now())
		if attempt == attempts || delay >= available || reason == game.Rejected {
			if err.countsAgainstProvider() {
				r.health.fail(provider, r.now())
			}
			break
		}
		r.feed.Publish(ctx, game.Wake{
			Topic:   game.GameTopic(g.ID),
			Version: g.Version,
			Delayed: &game.Delayed{Side: g.Turn(), Attempt: attempt, Retry: r.now().Add(delay)},
		})
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return game.Decision{}, context.Cause(ctx)
		}
	}
	r.metrics.substitutes.WithLabelValues(provider, string(reason)).Inc()
	substitute := &game.Substitute{Provider: provider, Reason: reason}
	return g.PlayRobot(game.Choice{Move: simpleMove(g.Position), Substitute: substitute}, r.now())
}

// attempt requests a move once and returns the decision on it. It fails if the move is illegal,
// late or missing, or if the strategy panics.
func (r *Robots) attempt(
	ctx context.Context, g game.Game, s *slot,
) (d game.Decision, failed *AttemptError) {
	robot := *g.RobotToMove()
	_, advised := timeLeft(g, r.now())
	limit := r.strategies.ThinkingTime(robot) + r.settings.GracePeriod
	ctx, cancel := context.WithTimeout(ctx, min(advised, limit))
	defer cancel()
	progress := r.newProgress(ctx, g)
	defer progress.stop()
	err := r.catchPanic(g, func() error {
		choice, err := r.strategies.ChooseMove(ctx, Request{
			GameID: g.ID, Version: g.Version, Position: g.Position, Progress: progress.report,
			Robot: robot, Clock: clock(g, r.now()), Seed: turnSeed(robot.Seed, g.Version),
			Chosen: s.release,
		})
		if err != nil {
			return err
		}
		if d, err = g.PlayRobot(choice, r.now()); err != nil {
			return &AttemptError{Reason: game.IllegalMove, Field: "chosen", Err: err}
		}
		return nil
	})
	if err == nil {
		return d, nil
	}
	failed, ok := errors.AsType[*AttemptError](err)
	switch {
	case ok:
	case ctx.Err() != nil:
		failed = &AttemptError{Reason: game.NoAnswer, Err: err}
	default:
		failed = &AttemptError{Reason: game.Unavailable, Err: err}
	}
	failed.hurried = advised < limit
	return d, failed
}

var errPanic = errors.New("panic")

// catchPanic calls do. It logs a panic and returns errPanic, so that a panic in one game does not
// stop the others.
func (r *Robots) catchPanic(g game.Game, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("panic",
				"gameId", g.ID, "version", g.Version, "panic", p, "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	return do()
}

// clock returns the clock of a game, nil if moves have no deadline.
func clock(g game.Game, now time.Time) *Clock {
	left, limited := g.TimeLeft(now)
	if !limited {
		return nil
	}
	return &Clock{Left: left, Increment: g.TimeControl.Increment, PerMove: g.TimeControl.PerMove}
}

// moveReserve is the part of a robot's time that is reserved for committing its move.
const moveReserve = 100 * time.Millisecond

// timeLeft returns the time until the deadline of the turn, and the part of it in which a robot
// should think: all of it with a limit per move, else a tenth and the increment, because the time is
// for all its moves. Both are the maximum if there is no deadline.
func timeLeft(g game.Game, now time.Time) (available, advised time.Duration) {
	deadline := g.Deadline()
	if deadline.IsZero() {
		return math.MaxInt64, math.MaxInt64
	}
	available = max(0, deadline.Sub(now)-moveReserve)
	if c := g.TimeControl; c.Initial > 0 {
		return available, min(available, available/10+c.Increment)
	}
	return available, available
}

// turnSeed returns the seed for one turn of a game. It is 0 if and only if seed is 0.
func turnSeed(seed int64, version int) int64 {
	if seed == 0 {
		return 0
	}
	mixed := seed + int64(version)*0x1F123BB5159A55E5
	if mixed == 0 {
		return 1
	}
	return mixed
}

// simpleMoves is the number of moves that simpleMove compares.
const simpleMoves = 1000

// simpleMove returns the first move in reading order among those that flip most. On a large board it
// compares only the first moves, so that it takes little time.
func simpleMove(p rules.Position) rules.Move {
	var best rules.Move
	most := -1
	legal := p.Legal()
	for _, m := range legal[:min(len(legal), simpleMoves)] {
		if _, flips, err := p.Play(m); err == nil && len(flips) > most {
			best, most = m, len(flips)
		}
	}
	return best
}
