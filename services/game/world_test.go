package game_test

import (
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

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a Service on a real store, and two players. It is in a bubble of testing/synctest, whose clock goes on only
// while everybody waits: tests that wait for hours take no time, and times are exact.
type world struct {
	*testing.T
	*game.Service
	store    *sqlstore.Store
	feed     game.Feed
	ann, bob game.Caller
	annsKey  string
	start    time.Time
}

// parts are what a test puts in place of the usual parts of a Service. Without an opponent no robot moves.
type parts struct {
	opponent game.Opponent
	robots   game.RobotSettings
	settings game.Settings
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
		w := &world{T: t, store: store, start: time.Now()}
		w.Service, w.feed = process(t, store, p)
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

// process is a Service as one process runs it, until the test ends.
func process(t *testing.T, store game.Store, p parts) (*game.Service, game.Feed) {
	t.Helper()
	if p.store != nil {
		store = p.store(store)
	}
	var feed game.Feed = localfeed.New()
	if p.feed != nil {
		feed = p.feed(feed)
	}
	log := slog.New(slog.DiscardHandler)
	var robots *game.Robots
	if p.opponent != nil {
		robots = game.NewRobots(p.opponent, log, p.robots)
	}
	service := game.New(behind{store, &sync.Map{}}, feed, robots, log, p.settings)
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	t.Cleanup(func() {
		stop()
		working.Wait()
	})
	if robots != nil {
		working.Go(func() { robots.Run(ctx) })
	}
	if p.keepsTime {
		working.Go(func() { service.KeepTime(ctx) })
	}
	return service, feed
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
func (w *world) player(name string) (game.Caller, string) {
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
func seat(c game.Caller) game.Seat { return game.Seat{Player: c.Player.ID} }

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
	wish := game.NewGame{Setup: setup, TimeControl: c}
	copy(wish.Seats[:], seats)
	done, err := w.CreateGame(w.Context(), game.Call{Caller: w.ann}, wish)
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
func (w *world) mustMove(by game.Caller, id string) game.Game {
	w.Helper()
	done, err := w.PlayMove(w.Context(), game.Call{Caller: by}, id, first, 0)
	if err != nil {
		w.Fatal(err)
	}
	return done.Game
}

// finish plays a game to its end, both sides of which a player holds.
func (w *world) finish(by game.Caller, g game.Game) {
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
func (w *world) since() time.Duration { return time.Since(w.start) }

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
func (w *world) watch(by game.Caller, id string, take func(game.GameMessage) error, after ...int) *heard {
	return w.listen(func(ctx context.Context, h *heard) error {
		var from *int
		if len(after) > 0 {
			from = &after[0]
		}
		return w.WatchGame(ctx, by, id, from, func(m game.GameMessage) error {
			h.hear(gameWord(m))
			if take == nil {
				return nil
			}
			return take(m)
		})
	})
}

// watchTurns watches for the turns of a player; after is the cursor to resume at, "" for none.
func (w *world) watchTurns(by game.Caller, take func(game.TurnMessage) error, after ...game.TurnCursor) *heard {
	return w.listen(func(ctx context.Context, h *heard) error {
		var from *game.TurnCursor
		if len(after) > 0 {
			from = &after[0]
		}
		return w.WatchTurns(ctx, by, from, func(m game.TurnMessage) error {
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

func gameWord(m game.GameMessage) string {
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

func turnWord(m game.TurnMessage) string {
	switch {
	case m.Game != nil && m.Game.State.Over():
		return "over"
	case m.Game != nil:
		return fmt.Sprintf("turn@%d", m.Game.Version)
	}
	return frameWord(m.Frame)
}

func frameWord(f game.Frame) string {
	if f.Heartbeat {
		return "heartbeat"
	}
	return "end:" + string(f.End)
}

// opponent is an Opponent that is a function.
type opponent func(ctx context.Context, q game.Question) (game.Answer, error)

func (o opponent) Choose(ctx context.Context, q game.Question) (game.Answer, error) { return o(ctx, q) }
func (opponent) ThinkingTime(game.Robot) time.Duration                              { return 0 }

// prompt answers with the first legal move.
func prompt(_ context.Context, q game.Question) (game.Answer, error) {
	return game.Answer{Move: q.Position.Legal()[0]}, nil
}

// thinks answers as prompt does, after so long.
func thinks(d time.Duration) opponent {
	return func(ctx context.Context, q game.Question) (game.Answer, error) {
		select {
		case <-time.After(d):
			return prompt(ctx, q)
		case <-ctx.Done():
			return game.Answer{}, ctx.Err()
		}
	}
}

var errAway = errors.New("away")
