// Package robots plays the turns of robots and goes on with games whose clock has run out. It has
// no queue of its own: it finds due turns in the store, and a lease keeps other processes off a
// turn. [Strategies] choose the moves.
package robots

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Strategies chooses the moves of robots. It may be called concurrently.
type Strategies interface {
	// ChooseMove returns a move, which may be illegal, or an error if there is none by the deadline
	// of ctx. The error can be a *[AttemptError].
	ChooseMove(ctx context.Context, request Request) (game.Choice, error)

	// ThinkingTime returns the longest time that a robot means to think, 0 if it answers at once.
	ThinkingTime(robot game.Robot) time.Duration
}

// AttemptError explains why an attempt gave no move.
type AttemptError struct {
	Reason game.SubstituteReason
	// Field is the field of the answer that is invalid, "" if there is no answer.
	Field string
	Err   error
	// hurried reports that the clock of the game gave the robot less time than usual.
	hurried bool
}

// Error implements error.
func (e *AttemptError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *AttemptError) Unwrap() error { return e.Err }

// countsAgainstProvider reports whether the provider caused the failure, and not the game with its
// clock, its strategy and its position, which callers choose.
func (e *AttemptError) countsAgainstProvider() bool {
	late := e.hurried && e.Reason == game.NoAnswer
	return e.Reason != game.Rejected && !late
}

// Request asks for a robot's move.
type Request struct {
	// GameID and Version identify the turn in logs. The move does not depend on them, except that
	// a robot of a skill without a seed plays differently in each game.
	GameID   string
	Version  int
	Position rules.Position
	Robot    game.Robot
	// Clock is nil in a game without a time limit.
	Clock *Clock
	// Progress receives the analysis of each finished depth while ChooseMove runs. It may be called
	// concurrently and does not block.
	Progress func(analysis json.RawMessage)
	// Chosen is called when the move is chosen and the robot only waits before it answers. From then
	// on the turn takes no slot.
	Chosen func()
	// Seed selects among equally good moves and differs from turn to turn; 0 selects the first of
	// them.
	Seed int64
}

// Clock is the time of a game when a move is requested.
type Clock struct {
	// Left is the time that each side has left.
	Left [2]time.Duration
	// Increment is the time that each move adds to it.
	Increment time.Duration
	// PerMove is the time for each move; 0 if the time is for all moves of a side.
	PerMove time.Duration
}

// Games loads games, leases turns and commits changes. A [game.Store] does.
type Games interface {
	Now() time.Time
	InSync() bool
	Game(ctx context.Context, id string) (game.Game, error)
	CachedGame(ctx context.Context, id string) (game.Game, error)
	DueRobots(ctx context.Context, now time.Time, limit int) ([]game.Due, error)
	DueClocks(ctx context.Context, before, now time.Time, limit int) ([]game.Due, error)
	Lease(ctx context.Context, lease game.Lease, now time.Time) (bool, error)
	Commit(ctx context.Context, change game.Change) error
}

// Settings configure robots and clocks. All fields but LagGrace must be set.
type Settings struct {
	// GracePeriod is the time that a robot gets beyond its own time limit in each attempt.
	GracePeriod time.Duration
	// RetryDelay is the delay between the first and the second attempt. It doubles with each
	// further one.
	RetryDelay time.Duration
	// Attempts is the number of attempts before the server plays a simple move for the robot.
	Attempts int
	// Lease is the time after which another process takes over a turn from a process that has died.
	Lease time.Duration
	// Parallel is the number of slots of each strategy provider. A turn of less than a second takes
	// one slot, a longer one takes more. A quarter of the slots is for short turns. The games of one
	// creator, product or address get at most as many slots as they leave free, but at least one
	// turn.
	Parallel int
	// Poll is the interval between two searches of the store for due turns.
	Poll time.Duration
	// LagGrace is the time after its deadline in which a move still counts.
	LagGrace time.Duration
	// Tracer traces each turn.
	Tracer trace.Tracer
}

// Robots plays the turns of robots. Several processes may run one on the same store: each turn is
// leased to one process, and another process takes over when the lease ends. It may be used from
// many goroutines.
type Robots struct {
	games      Games
	feed       game.Feed
	strategies Strategies
	log        *slog.Logger
	settings   Settings
	holder     string
	metrics    metrics
	health     *health

	// working counts the reserved slots.
	working sync.WaitGroup
	mu      sync.Mutex
	// running is the context of Run. It is nil while Run does not run and no slot can be reserved.
	running context.Context
	// loads counts the slots in use by provider; turns counts the turns in progress.
	loads map[string]*load
	turns int

	// waiting reports that a turn found no free slot. freed then wakes Run when a slot becomes free.
	waiting bool
	freed   chan struct{}
}

// New returns robots that play once Run runs. games publishes what it commits.
func New(
	games Games, feed game.Feed, strategies Strategies, log *slog.Logger, settings Settings,
) *Robots {
	return &Robots{
		games:      games,
		feed:       feed,
		strategies: strategies,
		log:        log,
		settings:   settings,
		holder:     rand.Text(),
		metrics:    newMetrics(),
		health:     newHealth(log),
		loads:      map[string]*load{},
		freed:      make(chan struct{}, 1),
	}
}

// now returns the shared time at the precision of the store.
func (r *Robots) now() time.Time { return r.games.Now().UTC().Truncate(time.Microsecond) }

// warn logs an error of the store. It ignores errors that follow from the end of ctx, and those of
// an unavailable store, which logs them itself.
func (r *Robots) warn(ctx context.Context, text string, err error, args ...any) {
	if ctx.Err() == nil && !errors.Is(err, game.ErrUnavailable) {
		r.log.Warn(text, append(args, "error", err)...)
	}
}

// Run plays turns until ctx ends. Then it stops the turns in progress, ends their leases so that
// another process takes them over at once, and returns. It may be called once.
func (r *Robots) Run(ctx context.Context) {
	r.mu.Lock()
	r.running = ctx
	r.mu.Unlock()
	wakes := r.feed.Subscribe(game.RobotTopic)
	defer wakes.Close()
	poll := time.NewTicker(r.settings.Poll)
	defer poll.Stop()
	for most := deepLimit; ctx.Err() == nil; {
		r.takeDue(ctx, most)
		most = dueLimit
		select {
		case <-wakes.C():
		case <-r.freed:
		case <-poll.C:
			most = deepLimit
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	r.running = nil
	r.mu.Unlock()
	r.working.Wait()
}

// Commit commits a change. If the change leads to a robot's turn and a slot is free, it also leases
// the turn to this process, which starts to work on it at once.
func (r *Robots) Commit(ctx context.Context, change game.Change) error {
	slot := r.reserve(change.Game)
	if slot == nil {
		return r.games.Commit(ctx, change)
	}
	change.Lease = &slot.lease
	if err := r.games.Commit(ctx, change); err != nil {
		slot.free()
		return err
	}
	slot.start(ctx, change.Game)
	return nil
}
