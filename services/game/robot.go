package game

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Opponent is asked for a robot's move. What it answers need not be legal: that is judged like anybody's move.
type Opponent interface {
	// Choose returns the move of a robot at a position, or an error when it has none to offer by the deadline of ctx.
	Choose(ctx context.Context, q Question) (Answer, error)

	// ThinkingTime returns how long the robot means to think; 0 when it does not say.
	ThinkingTime(r Robot) time.Duration
}

// Question is what an Opponent is asked.
type Question struct {
	// Game and Version say whose move it is for the log; no strategy needs them.
	Game     string
	Version  int
	Position rules.Position
	Robot    Robot
	// Seed picks among equally good moves, another one for each ply; 0 is the first of them.
	Seed int64
}

// RobotSettings say how patient the server is with robots.
type RobotSettings struct {
	// Patience is how long one attempt may take beyond the time that the robot means to think. Default: 10 s.
	Patience time.Duration
	// Pause is the time between the first attempt and the second; it doubles from there. Default: 250 ms.
	Pause time.Duration
	// Attempts is how often a robot is asked before a move is made without it. Default: 3.
	Attempts int
	// Lease is how long a turn stays with a process that no longer works on it. Default: 5 s.
	Lease time.Duration
	// Parallel is how many turns are worked on at once, for each provider of strategies. A quarter of them, or one, is the most
	// for games that one player created: a robot may think for ten minutes. Default: 64.
	Parallel int
	// Poll is how often the store is asked for turns that nobody works on. Default: 1 s.
	Poll time.Duration
	// Tracer makes a trace of each turn. Default: there are none.
	Tracer trace.Tracer
}

func (s RobotSettings) withDefaults() RobotSettings {
	orDefault := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	orDefault(&s.Patience, 10*time.Second)
	orDefault(&s.Pause, 250*time.Millisecond)
	orDefault(&s.Lease, 5*time.Second)
	orDefault(&s.Poll, time.Second)
	if s.Attempts == 0 {
		s.Attempts = 3
	}
	if s.Parallel == 0 {
		s.Parallel = 64
	}
	if s.Tracer == nil {
		s.Tracer = noop.NewTracerProvider().Tracer("")
	}
	return s
}

// Robots plays the robots' turns. A turn is worked on under a lease, so that one process at a time does, and
// another one takes over when it dies. The game row is the queue; nothing is kept here that a crash could lose.
type Robots struct {
	opponent Opponent
	settings RobotSettings
	log      *slog.Logger
	holder   string
	service  *Service
	// working counts the slots taken. None is any more once ctx has ended.
	working sync.WaitGroup
	metrics robotMetrics

	mu sync.Mutex
	// taken counts the slots taken, by provider: one that does not answer keeps nobody waiting for another. held counts those
	// of one creator's games.
	taken map[string]int
	held  map[share]int
	// freed wakes Run when there is a slot again for somebody for whom there was none.
	freed chan struct{}

	ctx    context.Context
	cancel context.CancelFunc
}

// NewRobots returns robots that ask an opponent. They work on behalf of the Service they are given to, from
// Run on.
func NewRobots(opponent Opponent, log *slog.Logger, settings RobotSettings) *Robots {
	settings = settings.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	return &Robots{
		opponent: opponent,
		settings: settings,
		log:      log,
		holder:   newULID(),
		metrics:  newRobotMetrics(),
		taken:    map[string]int{},
		held:     map[share]int{},
		freed:    make(chan struct{}, 1),
		ctx:      ctx,
		cancel:   cancel,
	}
}

// Run plays turns until ctx ends. Those at work are ended and handed back, so that another process takes them over at
// once.
func (r *Robots) Run(ctx context.Context) {
	wakes := r.service.feed.Subscribe(robotTopic)
	defer wakes.Close()
	poll := time.NewTicker(r.settings.Poll)
	defer poll.Stop()
	for {
		r.takeDue(ctx)
		select {
		case <-wakes.C():
		case <-r.freed:
		case <-poll.C:
		case <-ctx.Done():
			r.stop()
			return
		}
	}
}

// stop ends the turns at work and waits until they have ended.
func (r *Robots) stop() {
	r.mu.Lock()
	r.cancel()
	r.mu.Unlock()
	r.working.Wait()
}

// work plays the turn in the background, and gives the slot back. cause is the context of what led to the turn; it may
// end before the turn does.
func (s *slot) work(cause context.Context, g Game) {
	if s == nil {
		return
	}
	r := s.robots
	go func() {
		defer s.free()
		start := time.Now()
		ctx, span := r.settings.Tracer.Start(r.ctx, "robot turn",
			trace.WithNewRoot(), trace.WithLinks(trace.LinkFromContext(cause)), trace.WithAttributes(
				attribute.String("flipside.game.id", g.ID), attribute.Int("flipside.game.version", g.Version),
				attribute.String("flipside.robot.provider", s.share.provider)))
		defer span.End()
		err := r.guard(g, func() error { return r.play(ctx, g) })
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		r.metrics.took.Observe(time.Since(start).Seconds())
		switch {
		case err == nil:
		case r.ctx.Err() != nil:
			r.metrics.turns.WithLabelValues(turnHandedBack).Inc()
			r.handBack(g)
		default:
			r.metrics.turns.WithLabelValues(turnFailed).Inc()
			r.log.Warn("a robot's turn was left to the next poll", "gameId", g.ID, "version", g.Version, "error", err)
		}
	}()
}

// handBackTime bounds how long a process that stops waits for the store to take a lease back.
const handBackTime = 2 * time.Second

// handBack ends the lease on a turn that was not finished, and wakes the other processes, one of which takes it over.
func (r *Robots) handBack(g Game) {
	ctx, cancel := context.WithTimeout(context.Background(), handBackTime)
	defer cancel()
	now := r.service.now()
	lease := r.lease(g)
	lease.Until = now
	if ok, err := r.service.store.Lease(ctx, lease, now); err != nil || !ok {
		return // Then it ends by itself.
	}
	r.service.feed.Publish(ctx, Wake{Topic: robotTopic})
}

// play finds and plays the move of the robot on turn, whose lease is held.
func (r *Robots) play(ctx context.Context, g Game) error {
	turn, done := context.WithCancel(ctx)
	defer done()
	go r.keepLease(turn, done, g)
	answer, automatic := r.ask(turn, g)
	if turn.Err() != nil {
		return turn.Err()
	}
	_, err := r.service.changeOnce(turn, Call{}, g, r.service.now(), func(now Game, at time.Time) (Decision, error) {
		return now.PlayRobot(g.Version, answer, automatic, at)
	})
	switch {
	case errors.Is(err, ErrConflict), fault.ReasonOf(err) == fault.VersionMismatch:
		// Somebody resigned or set another robot, or the time is up: this answer is stale. The change woke whoever is needed next.
		r.metrics.turns.WithLabelValues(turnStale).Inc()
		return nil
	case err == nil && automatic:
		r.metrics.turns.WithLabelValues(turnAutomatic).Inc()
	case err == nil:
		r.metrics.turns.WithLabelValues(turnPlayed).Inc()
	}
	return err
}

// keepLease extends the lease while the turn is worked on, and ends the work when the lease is lost.
func (r *Robots) keepLease(turn context.Context, lost func(), g Game) {
	tick := time.NewTicker(r.settings.Lease / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if ok, err := r.service.store.Lease(turn, r.lease(g), r.service.now()); err == nil && !ok {
				lost()
				return
			}
		case <-turn.Done():
			return
		}
	}
}

// ask asks the opponent until he gives a legal move, at most as often as the settings and the clock let him. Then, or while
// he does not answer, a simple move is made in his place: automatic is true.
func (r *Robots) ask(ctx context.Context, g Game) (answer Answer, automatic bool) {
	pause := r.settings.Pause
	for attempt := 1; ; attempt++ {
		answer, err := r.attempt(ctx, g)
		if err == nil {
			return answer, false
		}
		if ctx.Err() != nil {
			return Answer{}, false
		}
		r.metrics.unanswered.WithLabelValues(g.RobotToMove().Provider).Inc()
		r.log.Warn("a robot did not answer", "gameId", g.ID, "version", g.Version, "attempt", attempt, "error", err)
		retry := r.service.now()
		most, _ := g.timeLeft(retry)
		last := attempt == r.settings.Attempts || pause >= most
		if !last {
			retry = retry.Add(pause)
		}
		r.service.feed.Publish(ctx, Wake{
			Topic:   gameTopic(g.ID),
			Version: g.Version,
			Delayed: &Delayed{Side: g.Turn(), Attempt: attempt, Retry: retry},
		})
		if last {
			return Answer{Move: simpleMove(g.Position)}, true
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return Answer{}, false
		}
	}
}

// attempt asks the opponent once. An illegal move is an error like any other, and so is a panic.
func (r *Robots) attempt(ctx context.Context, g Game) (answer Answer, err error) {
	robot := *g.RobotToMove()
	_, wise := g.timeLeft(r.service.now())
	ctx, cancel := context.WithTimeout(ctx, min(wise, r.opponent.ThinkingTime(robot)+r.settings.Patience))
	defer cancel()
	err = r.guard(g, func() (err error) {
		answer, err = r.opponent.Choose(ctx, Question{
			Game: g.ID, Version: g.Version, Position: g.Position, Robot: robot, Seed: plySeed(robot.Seed, g.Version),
		})
		return err
	})
	if err == nil {
		_, _, err = g.Position.Play(answer.Move)
	}
	return answer, err
}

var errPanic = errors.New("panic")

// guard does something for one game, and keeps a panic from what is done for others.
func (r *Robots) guard(g Game, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("panic", "gameId", g.ID, "version", g.Version, "panic", p, "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	return do()
}

// plySeed returns the seed for one ply of a game, 0 only if seed is.
func plySeed(seed int64, version int) int64 {
	if seed == 0 {
		return 0
	}
	mixed := seed + int64(version)*0x1F123BB5159A55E5
	if mixed == 0 {
		return 1
	}
	return mixed
}

// simpleMove returns the first move in reading order of those that flip most.
func simpleMove(p rules.Position) rules.Move {
	var best rules.Move
	most := -1
	for _, m := range p.Legal() {
		if _, flips, err := p.Play(m); err == nil && len(flips) > most {
			best, most = m, len(flips)
		}
	}
	return best
}
