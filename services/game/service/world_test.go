package service_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Seats, setups and time controls of these tests.
var (
	open        = game.Seat{}
	robot       = game.Seat{Robot: &game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`)}}
	halfAMinute = game.TimeControl{PerMove: 30 * time.Second, OnAbsence: game.Forfeit}
	fischer     = game.TimeControl{Initial: time.Minute, Increment: 3 * time.Second, OnAbsence: game.Forfeit}
	claims      = game.TimeControl{ClaimAfter: time.Minute, OnAbsence: game.Forfeit}
)

// hexagon sets up a hexagonal board.
func hexagon(rings int) reversi.Setup { return reversi.Setup{Shape: reversi.Hexagon, Size: rings} }

// takenOver returns the time control with a robot that takes over.
func takenOver(c game.TimeControl) *game.TimeControl {
	c.OnAbsence, c.Robot = game.ReplaceWithRobot, robot.Robot
	return &c
}

// kinds names events, in order.
func kinds(events []game.Event) string {
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

// refuses fails the test unless an error has a reason.
func refuses(t *testing.T, err error, want fault.Reason) {
	t.Helper()
	if got := fault.ReasonOf(err); got != want {
		t.Fatalf("got %q (%v), want %s", got, err, want)
	}
}

// world is a Service on a real store, and two players. It is in a bubble of testing/synctest, whose clock goes on only
// while everybody waits: tests that wait for hours take no time, and times are exact.
type world struct {
	*testing.T
	process
	store    *sqlstore.Store
	ann, bob service.Caller
	annsKey  string
	began    time.Time
}

// settings returns the settings with the fields that a test leaves out.
func settings(s service.Settings) service.Settings {
	s.HeartbeatInterval = cmp.Or(s.HeartbeatInterval, 10*time.Second)
	s.SlowReaderTimeout = cmp.Or(s.SlowReaderTimeout, 30*time.Second)
	s.MaxStreams = cmp.Or(s.MaxStreams, 1000)
	s.CallRate = cmp.Or(s.CallRate, 1000)
	s.PlayerRate = cmp.Or(s.PlayerRate, 60)
	return s
}

// robotSettings returns the settings with the fields that a test leaves out.
func robotSettings(s robots.Settings) robots.Settings {
	s.GracePeriod = cmp.Or(s.GracePeriod, 10*time.Second)
	s.RetryDelay = cmp.Or(s.RetryDelay, 250*time.Millisecond)
	s.Attempts = cmp.Or(s.Attempts, 3)
	s.Lease = cmp.Or(s.Lease, 5*time.Second)
	s.Parallel = cmp.Or(s.Parallel, 64)
	s.Poll = cmp.Or(s.Poll, time.Second)
	s.Tracer = noop.NewTracerProvider().Tracer("")
	return s
}

// parts are what a test puts in place of the usual parts of a Service. Without an opponent no robot moves.
type parts struct {
	opponent robots.Strategies
	robots   robots.Settings
	settings service.Settings
	store    func(game.Store) game.Store
	feed     func(game.Feed) game.Feed
	// keepsTime is whether somebody looks whose time is up.
	keepsTime bool
	// closes is whether the test closes the store itself.
	closes bool
}

// inWorld runs a test.
func inWorld(t *testing.T, p parts, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "games.db"), sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !p.closes {
			t.Cleanup(func() { closeSound(t, store) })
		}
		w := &world{T: t, store: store, began: time.Now()}
		w.process = start(t, store, p)
		w.ann, w.annsKey = w.player("Ann")
		w.bob, _ = w.player("Bob")
		test(w)
	})
}

// behind is a store that others write to as well: all that this process knows of a game is how it began.
type behind struct {
	game.Store
	began *sync.Map
}

func (b behind) Commit(ctx context.Context, c game.Change) error {
	err := b.Store.Commit(ctx, c)
	if err == nil {
		b.began.LoadOrStore(c.Game.ID, c.Game)
	}
	return err
}

func (b behind) CachedGame(ctx context.Context, id string) (game.Game, error) {
	if g, ok := b.began.Load(id); ok {
		return g.(game.Game), nil
	}
	return b.Store.CachedGame(ctx, id)
}

// process is a Game service as one process runs it.
type process struct {
	*service.Service
	turns *robots.Robots
	feed  game.Feed
}

// start starts a process. It stops when the test ends.
func start(t *testing.T, store game.Store, p parts) process {
	t.Helper()
	if p.store != nil {
		store = p.store(store)
	}
	var feed game.Feed = localfeed.New()
	if p.feed != nil {
		feed = p.feed(feed)
	}
	log := slog.New(slog.DiscardHandler)
	games := service.NewGames(behind{store, &sync.Map{}}, feed)
	p.robots.LagGrace = p.settings.LagGrace
	turns := robots.New(games, feed, p.opponent, log, robotSettings(p.robots))
	svc := service.New(games, turns, log, settings(p.settings))
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	t.Cleanup(func() {
		stop()
		working.Wait()
	})
	if p.opponent != nil {
		working.Go(func() { turns.Run(ctx) })
	}
	if p.keepsTime {
		working.Go(func() { turns.KeepTime(ctx) })
	}
	return process{svc, turns, feed}
}

// closeSound closes a store after every game in it was replayed.
func closeSound(t *testing.T, store *sqlstore.Store) {
	t.Helper()
	for problem, err := range store.Verify(context.Background()) {
		if err != nil {
			t.Error(err)
		} else {
			t.Errorf("game %s: %s", problem.GameID, problem.Text)
		}
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// player creates a player and returns him as a caller, and his key.
func (w *world) player(name string) (service.Caller, string) {
	w.Helper()
	_, key, err := w.CreatePlayer(w.Context(), name)
	if err != nil {
		w.Fatal(err)
	}
	caller, err := w.Authenticate(w.Context(), key, "")
	if err != nil {
		w.Fatal(err)
	}
	return caller, key
}

// seat is the seat of a player.
func seat(c service.Caller) game.Seat { return game.Seat{Player: c.Player.ID} }

// create creates a game on a hexagon of two rings.
func (w *world) create(seats ...game.Seat) game.Game {
	w.Helper()
	setup := hexagon(2)
	return w.createOf(games.Setup{Reversi: &setup}, seats...)
}

func (w *world) createOf(setup games.Setup, seats ...game.Seat) game.Game {
	w.Helper()
	return w.createTimed(setup, nil, seats...)
}

func (w *world) createTimed(setup games.Setup, c *game.TimeControl, seats ...game.Seat) game.Game {
	w.Helper()
	wish := service.NewGame{Setup: setup, TimeControl: c}
	copy(wish.Seats[:], seats)
	done, err := w.CreateGame(w.Context(), service.Call{Caller: w.ann}, wish)
	if err != nil {
		w.Fatal(err)
	}
	return done.Game
}

// long is a board on which a game takes some hundred moves.
var long = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 6}}

// first reads the first legal move.
func first(p rules.Position) (rules.Move, error) {
	if legal := p.Legal(); len(legal) > 0 {
		return legal[0], nil
	}
	return rules.Pass, nil
}

// mustMove plays the first legal move for a player whose turn it is.
func (w *world) mustMove(by service.Caller, id string) game.Game {
	w.Helper()
	done, err := w.PlayMove(w.Context(), service.Call{Caller: by}, id, first, 0)
	if err != nil {
		w.Fatal(err)
	}
	return done.Game
}

// finish plays a game to its end, both sides of which a player holds.
func (w *world) finish(by service.Caller, g game.Game) {
	w.Helper()
	for !g.State.Over() {
		g = w.mustMove(by, g.ID)
	}
}

// now returns a game as it is.
func (w *world) now(id string) game.Game {
	w.Helper()
	g, err := w.Game(w.Context(), w.ann, id)
	if err != nil {
		w.Fatal(err)
	}
	return g
}

// log returns the whole log of a game, which must be dense.
func (w *world) log(id string) []game.Event {
	w.Helper()
	events, err := w.store.Events(w.Context(), id, 0, 1<<30)
	if err != nil {
		w.Fatal(err)
	}
	for i, e := range events {
		if e.Version != i+1 {
			w.Fatalf("version %d is at place %d of the log", e.Version, i+1)
		}
	}
	return events
}

// since says how long the test has been going on, by the clock of its bubble.
func (w *world) since() time.Duration { return time.Since(w.began) }

// heard is what was said on a stream that is read in the background, each message in a word or two.
type heard struct {
	leave context.CancelFunc
	mu    sync.Mutex
	words []string
	ended bool
	err   error
}

func (h *heard) hear(word string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.words = append(h.words, word)
}

func (h *heard) end(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended, h.err = true, err
}

// all returns what was said before everybody came to wait.
func (h *heard) all() string {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.words, " ")
}

// over reports whether the stream has ended before everybody came to wait, and with which error.
func (h *heard) over() (bool, error) {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ended, h.err
}

// hears compares all that was said with what should have been.
func (w *world) hears(h *heard, want ...string) {
	w.Helper()
	if got := h.all(); got != strings.Join(want, " ") {
		w.Errorf("after %v\ngot  %s\nwant %s", w.since(), got, strings.Join(want, " "))
	}
}

// ends returns the error that a stream has ended with.
func (w *world) ends(h *heard) error {
	w.Helper()
	ended, err := h.over()
	if !ended {
		w.Errorf("after %v the stream goes on: %s", w.since(), h.all())
	}
	return err
}

// toTheEnd is what is to be heard of a game from its first event to its last.
func toTheEnd(events int) string {
	var b strings.Builder
	for version := range events {
		fmt.Fprintf(&b, "event@%d ", version+1)
	}
	fmt.Fprintf(&b, "end:gameOver@%d", events)
	return b.String()
}

// watch watches a game; after is the version to resume at, none for a snapshot. take, which may be nil, reads each message.
func (w *world) watch(by service.Caller, id string, take func(service.GameMessage) error, after ...int) *heard {
	return w.listen(func(ctx context.Context, h *heard) error {
		var from *int
		if len(after) > 0 {
			from = &after[0]
		}
		return w.WatchGame(ctx, by, id, from, func(m service.GameMessage) error {
			h.hear(gameWord(m))
			if take == nil {
				return nil
			}
			return take(m)
		})
	})
}

// watchTurns watches for the turns of a player; after is the cursor to resume at, "" for none.
func (w *world) watchTurns(by service.Caller, take func(service.TurnMessage) error, after ...service.TurnCursor) *heard {
	return w.listen(func(ctx context.Context, h *heard) error {
		var from *service.TurnCursor
		if len(after) > 0 {
			from = &after[0]
		}
		return w.WatchTurns(ctx, by, from, func(m service.TurnMessage) error {
			h.hear(turnWord(m))
			if take == nil {
				return nil
			}
			return take(m)
		})
	})
}

func (w *world) listen(watch func(context.Context, *heard) error) *heard {
	ctx, leave := context.WithCancel(w.Context())
	h := &heard{leave: leave}
	go func() { h.end(watch(ctx, h)) }()
	return h
}

func gameWord(m service.GameMessage) string {
	switch {
	case m.Snapshot != nil:
		return fmt.Sprintf("snapshot@%d", m.Version)
	case m.Event != nil:
		return fmt.Sprintf("event@%d", m.Version)
	case m.Delayed != nil:
		return fmt.Sprintf("delayed%d@%d", m.Delayed.Attempt, m.Version)
	}
	return fmt.Sprintf("%s@%d", frameWord(m.Frame), m.Version)
}

func turnWord(m service.TurnMessage) string {
	switch {
	case m.Game != nil && m.Game.State.Over():
		return "over"
	case m.Game != nil:
		return fmt.Sprintf("turn@%d", m.Game.Version)
	}
	return frameWord(m.Frame)
}

func frameWord(f service.Frame) string {
	if f.Heartbeat {
		return "heartbeat"
	}
	return "end:" + string(f.End)
}

// opponent is a robots.Strategies that is a function.
type opponent func(ctx context.Context, q robots.Request) (game.Choice, error)

func (o opponent) ChooseMove(ctx context.Context, q robots.Request) (game.Choice, error) {
	return o(ctx, q)
}
func (opponent) ThinkingTime(game.Robot) time.Duration { return 0 }

// prompt answers with the first legal move.
func prompt(_ context.Context, q robots.Request) (game.Choice, error) {
	return game.Choice{Move: q.Position.Legal()[0]}, nil
}

// thinks answers as prompt does, after so long.
func thinks(d time.Duration) opponent {
	return func(ctx context.Context, q robots.Request) (game.Choice, error) {
		select {
		case <-time.After(d):
			return prompt(ctx, q)
		case <-ctx.Done():
			return game.Choice{}, ctx.Err()
		}
	}
}

var errAway = errors.New("away")
