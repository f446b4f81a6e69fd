package service_test

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/trace/noop"
	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The seats, setups and time controls of these tests.
var (
	open    = game.Seat{}
	robot   = game.Seat{Robot: &game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`)}}
	small   = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 2}}
	large   = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 6}} // about a hundred moves
	perMove = game.TimeControl{PerMove: 30 * time.Second, OnAbsence: game.Forfeit}
)

// fixture is a service on a real store, and two players. It runs in a bubble of testing/synctest:
// tests that wait for hours take no time, and times are exact.
type fixture struct {
	*testing.T
	process
	store    *sqlstore.Store
	ann, bob service.Caller
	annsKey  string
	start    time.Time
}

// process is a service as one process runs it.
type process struct {
	*service.Service
	feed game.Feed
}

// options are the parts of a process that differ from the usual ones. Without strategies it plays
// no robots.
type options struct {
	strategies strategies
	robots     robots.Settings
	settings   service.Settings
	store      func(game.Store) game.Store
	feed       func(game.Feed) game.Feed
	// keepsTime reports that the process ends turns whose time is up.
	keepsTime bool
	// closesStore reports that the test closes the store itself.
	closesStore bool
	// furtherShards is the number of databases that share the games with the first one.
	furtherShards int
}

// completeSettings returns the settings with the fields that a test leaves out.
func completeSettings(s service.Settings) service.Settings {
	s.HeartbeatInterval = cmp.Or(s.HeartbeatInterval, 10*time.Second)
	s.SlowReaderTimeout = cmp.Or(s.SlowReaderTimeout, 30*time.Second)
	s.MaxStreams = cmp.Or(s.MaxStreams, 1000)
	s.MaxAddressStreams = cmp.Or(s.MaxAddressStreams, 4000)
	s.CallRates = cmp.Or(s.CallRates, callquota.Rates{Caller: 1000, Address: 4000})
	s.MaxInvitations = cmp.Or(s.MaxInvitations, 100)
	s.PlayerRate = cmp.Or(s.PlayerRate, 60)
	s.WrongKeyRate = cmp.Or(s.WrongKeyRate, 60)
	return s
}

// robotSettings returns the settings of the robots of a process.
func robotSettings(o options) robots.Settings {
	return robots.Settings{
		GracePeriod: cmp.Or(o.robots.GracePeriod, 10*time.Second), RetryDelay: 250 * time.Millisecond, Attempts: 3,
		Lease: 5 * time.Second, Parallel: 64, Poll: time.Second, LagGrace: o.settings.LagGrace,
		Tracer: noop.NewTracerProvider().Tracer(""),
	}
}

// run runs a test with one process.
func run(t *testing.T, o options, test func(f *fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "games.db"), sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !o.closesStore {
			t.Cleanup(func() { closeStore(t, store) })
		}
		if o.furtherShards > 0 {
			o.store = spread(t, o.furtherShards)
		}
		f := &fixture{T: t, store: store, start: time.Now()}
		f.process = f.startProcess(o)
		f.ann, f.annsKey = f.player("Ann")
		f.bob, _ = f.player("Bob")
		test(f)
	})
}

// spread returns the function that adds shards to a store.
func spread(t *testing.T, further int) func(game.Store) game.Store {
	t.Helper()
	all := make([]shards.Shard, 1+further)
	for i := range further {
		shard := sqlstore.Shard{Number: 1 + i, Count: len(all)}
		store, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "games.db"), sqlstore.Options{Shard: shard})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closeStore(t, store) })
		all[1+i] = store
	}
	return func(first game.Store) game.Store {
		all[0] = first.(*sqlstore.Store)
		return shards.New(all)
	}
}

// staleCache is a store that caches the first version of every game, as if other processes made all
// later changes.
type staleCache struct {
	game.Store
	first *sync.Map
}

func (s staleCache) Commit(ctx context.Context, c game.Change) error {
	err := s.Store.Commit(ctx, c)
	if err == nil {
		s.first.LoadOrStore(c.Game.ID, c.Game)
	}
	return err
}

func (s staleCache) CachedGame(ctx context.Context, id string) (game.Game, error) {
	if g, ok := s.first.Load(id); ok {
		return g.(game.Game), nil
	}
	return s.Store.CachedGame(ctx, id)
}

// Player returns a player as a user of the service "test", which seats its users without an
// invitation.
func (s staleCache) Player(ctx context.Context, id string) (game.Player, error) {
	p, err := s.Store.Player(ctx, id)
	p.Service = "test"
	return p, err
}

// startProcess starts another process on the store. It stops at the end of the test.
func (f *fixture) startProcess(o options) process {
	f.Helper()
	var store game.Store = f.store
	if o.store != nil {
		store = o.store(store)
	}
	var feed game.Feed = localfeed.New()
	if o.feed != nil {
		feed = o.feed(feed)
	}
	log := slog.New(slog.DiscardHandler)
	all := service.NewGames(staleCache{store, &sync.Map{}}, feed, nil)
	turns := robots.New(all, feed, o.strategies, log, robotSettings(o))
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	f.Cleanup(func() {
		stop()
		working.Wait()
	})
	if o.strategies != nil {
		working.Go(func() { turns.Run(ctx) })
	}
	if o.keepsTime {
		working.Go(func() { turns.KeepTime(ctx) })
	}
	return process{service.New(all, turns, log, completeSettings(o.settings)), feed}
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

// authenticate authenticates a call from the address of the fixture's players.
func authenticate(
	f *fixture, s *service.Service, key, onBehalfOf string,
) (service.Caller, error) {
	return s.Authenticate(f.Context(), service.Credentials{
		Key: key, OnBehalfOf: onBehalfOf, Address: func() string { return "192.0.2.1" },
		LimitedAddress: "192.0.2.1",
	})
}

// player creates a player and returns them as a caller, with their key.
func (f *fixture) player(name string) (service.Caller, string) {
	f.Helper()
	_, key, err := f.CreatePlayer(f.Context(), name, "192.0.2.1")
	if err != nil {
		f.Fatal(err)
	}
	caller, err := authenticate(f, f.Service, key, "")
	if err != nil {
		f.Fatal(err)
	}
	return caller, key
}

// by returns a call without a request id.
func by(c service.Caller) service.Call { return service.Call{Caller: c} }

// seat returns the seat of a player.
func seat(c service.Caller) game.Seat { return game.Seat{Player: c.Player.ID} }

// create creates a small game.
func (f *fixture) create(seats ...game.Seat) game.Game {
	f.Helper()
	return f.createGame(service.NewGame{Setup: small}, seats...)
}

// createTimed creates a large game with a time control.
func (f *fixture) createTimed(c *game.TimeControl, seats ...game.Seat) game.Game {
	f.Helper()
	return f.createGame(service.NewGame{Setup: large, TimeControl: c}, seats...)
}

// asService returns a call for Ann by the service of all players.
func (f *fixture) asService() service.Call {
	return by(service.Caller{Player: f.ann.Player, Service: "test"})
}

// createGame creates a game by Ann, whose service seats all players at once.
func (f *fixture) createGame(n service.NewGame, seats ...game.Seat) game.Game {
	f.Helper()
	copy(n.Seats[:], seats)
	result, err := f.CreateGame(f.Context(), f.asService(), n)
	if err != nil {
		f.Fatal(err)
	}
	return result.Game
}

// join takes the first open seat.
func join(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
	return g.Join(game.Seat{Player: p.ID, Name: p.Name}, rules.NoSide, now)
}

// play plays the first legal move at a version, 0 for any.
func play(expected int) service.Command {
	return func(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
		move := rules.Pass
		if legal := g.Position.Legal(); len(legal) > 0 {
			move = legal[0]
		}
		return g.Play(p.ID, move, expected, now)
	}
}

// resign resigns for a side, NoSide for the only one.
func resign(side rules.Side) service.Command {
	return func(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
		return g.Resign(p.ID, side, now)
	}
}

func abort(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
	return g.Abort(p.ID, now)
}

func claim(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
	return g.ClaimAbandonment(p.ID, now)
}

// setRobot sets the only robot of a game.
func setRobot(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
	return g.SetRobot(p.ID, rules.NoSide, *robot.Robot, now)
}

// change runs a command, which must succeed, and returns the game after it.
func (f *fixture) change(c service.Caller, id string, command service.Command) game.Game {
	f.Helper()
	result, err := f.Change(f.Context(), by(c), id, command)
	if err != nil {
		f.Fatal(err)
	}
	return result.Game
}

// play plays the first legal move for a player.
func (f *fixture) play(c service.Caller, id string) game.Game {
	f.Helper()
	return f.change(c, id, play(0))
}

// playToEnd plays a game to its end for a player with both seats.
func (f *fixture) playToEnd(c service.Caller, g game.Game) {
	f.Helper()
	for !g.State.Over() {
		g = f.play(c, g.ID)
	}
}

// load returns a game.
func (f *fixture) load(id string) game.Game {
	f.Helper()
	g, err := f.Game(f.Context(), f.ann, id)
	if err != nil {
		f.Fatal(err)
	}
	return g
}

// log returns the log of a game. It fails the test if the log has a gap.
func (f *fixture) log(id string) []*game.Event {
	f.Helper()
	events, err := f.store.Events(f.Context(), id, 0, 1<<30)
	if err != nil {
		f.Fatal(err)
	}
	var log []*game.Event
	for i, e := range events {
		if e.Version != i+1 {
			f.Fatalf("event %d of the log has version %d", i+1, e.Version)
		}
		log = append(log, &e)
	}
	return log
}

// replay replays a log.
func replay(log []*game.Event) (game.Game, error) {
	var events []game.Event
	for _, e := range log {
		events = append(events, *e)
	}
	return game.Replay(events)
}

// elapsed returns the time since the start of the test.
func (f *fixture) elapsed() time.Duration { return time.Since(f.start) }

// kinds returns the names of events.
func kinds(events []*game.Event) string {
	var names []string
	for _, e := range events {
		switch {
		case e.Created != nil:
			names = append(names, "created")
		case e.SeatTaken != nil:
			names = append(names, "seatTaken")
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

// wantReason fails the test unless the error has a reason.
func wantReason(t testing.TB, err error, want fault.Reason) {
	t.Helper()
	if got := fault.ReasonOf(err); got != want {
		t.Fatalf("got %q (%v), want %s", got, err, want)
	}
}

func errorOf[T any](_ T, err error) error          { return err }
func errorOf3[T, U any](_ T, _ U, err error) error { return err }

// strategies implements [robots.Strategies] by a function.
type strategies func(ctx context.Context, request robots.Request) (game.Choice, error)

func (s strategies) ChooseMove(ctx context.Context, request robots.Request) (game.Choice, error) {
	return s(ctx, request)
}

func (strategies) ThinkingTime(game.Robot) time.Duration { return 0 }

// immediate chooses the first legal move.
func immediate(_ context.Context, request robots.Request) (game.Choice, error) {
	return game.Choice{Move: request.Position.Legal()[0]}, nil
}

var errUnavailable = errors.New("unavailable")

// described returns a description of a fork that does not depend on the forked game.
func described(n service.NewGame) func(game.Game) (service.NewGame, error) {
	return func(game.Game) (service.NewGame, error) { return n, nil }
}
