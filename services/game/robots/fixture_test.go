package robots_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/trace/noop"
	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The seats, setups and time controls of these tests.
var (
	ann     = game.Seat{Player: "ann", Name: "Ann"}
	bob     = game.Seat{Player: "bob", Name: "Bob"}
	robot   = game.Seat{Robot: &game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`)}}
	small   = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 2}}
	large   = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 6}} // about a hundred moves
	perMove = game.TimeControl{PerMove: 30 * time.Second, OnAbsence: game.Forfeit}
)

// fixture is a process on a real store. It runs in a bubble of testing/synctest: tests that wait
// for hours take no time, and times are exact.
type fixture struct {
	*testing.T
	*robots.Robots
	store *sqlstore.Store
	start time.Time
	ids   atomic.Int64
}

// options are the parts of a process. Without strategies it plays no robots.
type options struct {
	strategies strategies
	settings   robots.Settings
	store      func(game.Store) game.Store
	feed       game.Feed
	// keepsTime reports that the process ends turns whose time is up.
	keepsTime bool
}

// complete returns the settings with the fields that a test leaves out.
func complete(s robots.Settings) robots.Settings {
	s.GracePeriod = cmp.Or(s.GracePeriod, 10*time.Second)
	s.RetryDelay = cmp.Or(s.RetryDelay, 250*time.Millisecond)
	s.Attempts = cmp.Or(s.Attempts, 3)
	s.Lease = cmp.Or(s.Lease, 5*time.Second)
	s.Parallel = cmp.Or(s.Parallel, 64)
	s.Poll = cmp.Or(s.Poll, time.Second)
	s.Tracer = noop.NewTracerProvider().Tracer("")
	return s
}

// run runs a test with one process.
func run(t *testing.T, o options, test func(f *fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{T: t, store: open(t, filepath.Join(t.TempDir(), "games.db")), start: time.Now()}
		t.Cleanup(func() { closeStore(t, f.store) })
		f.Robots = f.startProcess(o)
		test(f)
	})
}

func open(t *testing.T, path string) *sqlstore.Store {
	t.Helper()
	return openWith(t, path, sqlstore.Options{})
}

func openWith(t *testing.T, path string, o sqlstore.Options) *sqlstore.Store {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// closeStore replays every game in a store and closes it.
func closeStore(t *testing.T, store *sqlstore.Store) {
	t.Helper()
	for problem, err := range store.Verify(context.Background()) {
		t.Errorf("game %s: %s, %v", problem.GameID, problem.Text, err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// startProcess starts another process on the store. It stops at the end of the test.
func (f *fixture) startProcess(o options) *robots.Robots {
	f.Helper()
	r, _ := f.startStoppable(o)
	return r
}

// startStoppable starts another process on the store. It stops at the end of the test or with stop.
func (f *fixture) startStoppable(o options) (r *robots.Robots, stop func()) {
	f.Helper()
	var store game.Store = f.store
	if o.store != nil {
		store = o.store(store)
	}
	if o.feed == nil {
		o.feed = localfeed.New()
	}
	r = robots.New(publishing{store, o.feed}, o.feed, o.strategies, slog.New(slog.DiscardHandler), complete(o.settings))
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	stop = func() {
		cancel()
		working.Wait()
	}
	f.Cleanup(stop)
	if o.strategies != nil {
		working.Go(func() { r.Run(ctx) })
	}
	if o.keepsTime {
		working.Go(func() { r.KeepTime(ctx) })
	}
	synctest.Wait()
	return r, stop
}

// publishing is a store that wakes robots.
type publishing struct {
	game.Store
	feed game.Feed
}

func (p publishing) Commit(ctx context.Context, change game.Change) error {
	err := p.Store.Commit(ctx, change)
	if err == nil && change.Game.RobotToMove() != nil && change.Lease == nil {
		p.feed.Publish(ctx, game.Wake{Topic: game.RobotTopic})
	}
	return err
}

// create creates a small game by Ann.
func (f *fixture) create(seats ...game.Seat) string {
	f.Helper()
	return f.createGame(game.Created{Creator: "ann", Setup: small, Seats: game.Seats(seats)})
}

// createTimed creates a large game by Ann with a time control.
func (f *fixture) createTimed(c *game.TimeControl, seats ...game.Seat) string {
	f.Helper()
	return f.createGame(game.Created{Creator: "ann", Setup: large, TimeControl: c, Seats: game.Seats(seats)})
}

func (f *fixture) createGame(c game.Created) string {
	f.Helper()
	return createBy(f, f.Robots, c)
}

// createBy creates a game in a process.
func createBy(f *fixture, r *robots.Robots, c game.Created) string {
	f.Helper()
	d, err := game.Create(fmt.Sprint("game-", f.ids.Add(1)), c, time.Now())
	if err == nil {
		err = r.Commit(f.Context(), d.Change())
	}
	if err != nil {
		f.Fatal(err)
	}
	return d.Game.ID
}

// load returns a game.
func (f *fixture) load(id string) game.Game {
	f.Helper()
	g, err := f.store.Game(f.Context(), id)
	if err != nil {
		f.Fatal(err)
	}
	return g
}

// change commits a decision on a game.
func (f *fixture) change(
	id string, decide func(g game.Game, now time.Time) (game.Decision, error),
) {
	f.Helper()
	d, err := decide(f.load(id), time.Now())
	if err == nil {
		err = f.Commit(f.Context(), d.Change())
	}
	if err != nil {
		f.Fatal(err)
	}
}

// playFirst plays the first legal move for the player to move.
func (f *fixture) playFirst(id string) {
	f.Helper()
	f.change(id, func(g game.Game, now time.Time) (game.Decision, error) {
		return g.Play(g.Seats.Of(g.Turn()).Player, g.Position.Legal()[0], 0, now)
	})
}

// log returns the log of a game. It fails the test if the log has a gap.
func (f *fixture) log(id string) []game.Event {
	f.Helper()
	events, err := f.store.Events(f.Context(), id, 0, 1<<30)
	if err != nil {
		f.Fatal(err)
	}
	for i, e := range events {
		if e.Version != i+1 {
			f.Fatalf("event %d of the log has version %d", i+1, e.Version)
		}
	}
	return events
}

// wantOver fails the test unless a game is over.
func (f *fixture) wantOver(id string) {
	f.Helper()
	if g := f.load(id); !g.State.Over() {
		f.Errorf("after %v the log is %s", time.Since(f.start), kinds(f.log(id)))
	}
}

// moves returns the moves of a log.
func moves(log []game.Event) []*game.MovePlayed {
	var played []*game.MovePlayed
	for _, e := range log {
		if e.MovePlayed != nil {
			played = append(played, e.MovePlayed)
		}
	}
	return played
}

// kinds returns the names of events.
func kinds(events []game.Event) string {
	var names []string
	for _, e := range events {
		switch {
		case e.Created != nil:
			names = append(names, "created")
		case e.Started != nil:
			names = append(names, "started")
		case e.MovePlayed != nil:
			names = append(names, e.MovePlayed.Notation)
		case e.RobotChanged != nil:
			names = append(names, "robotChanged")
		case e.Finished != nil:
			names = append(names, "finished")
		case e.Aborted != nil:
			names = append(names, "aborted")
		}
	}
	return strings.Join(names, " ")
}

// strategies implements [robots.Strategies] by a function.
type strategies func(ctx context.Context, request robots.Request) (game.Choice, error)

func (s strategies) ChooseMove(ctx context.Context, request robots.Request) (game.Choice, error) {
	return s(ctx, request)
}

// ThinkingTime implements [robots.Strategies] for robots of thinking.
func (strategies) ThinkingTime(r game.Robot) time.Duration {
	d, _ := time.ParseDuration(strings.Trim(string(r.Strategy), `"`))
	return d
}

// thinking returns a robot that means to think for a time.
func thinking(d time.Duration) game.Seat {
	return game.Seat{Robot: &game.Robot{Strategy: fmt.Appendf(nil, "%q", d)}}
}

// immediate chooses the first legal move.
func immediate(_ context.Context, request robots.Request) (game.Choice, error) {
	return game.Choice{Move: request.Position.Legal()[0]}, nil
}

// after chooses the first legal move after a time.
func after(d time.Duration) strategies {
	return func(ctx context.Context, request robots.Request) (game.Choice, error) {
		select {
		case <-time.After(d):
			return immediate(ctx, request)
		case <-ctx.Done():
			return game.Choice{}, ctx.Err()
		}
	}
}

// never chooses no move before ctx ends.
func never(ctx context.Context, _ robots.Request) (game.Choice, error) {
	<-ctx.Done()
	return game.Choice{}, ctx.Err()
}

var errUnavailable = errors.New("unavailable")

// unavailable fails at once.
func unavailable(context.Context, robots.Request) (game.Choice, error) {
	return game.Choice{}, errUnavailable
}
