// Package storetest is what every game.Store must do, as one suite. Each "must" in the comments of the interface is a
// test of that name. Games are made by the decisions of package game and played at random; load is not tested here.
package storetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Store is a store that can be closed. What was committed is there when it is opened again.
type Store interface {
	game.Store
	Close() error
}

// Factory makes the stores under test.
type Factory struct {
	// Place returns a new place for a store, such as a file or a database.
	Place func(t *testing.T) string
	// Open opens the store in a place, which is empty the first time; the same place holds the same store.
	Open func(t *testing.T, place string) Store
	// Shared says that a place may be opened more than once at a time, as several processes do.
	Shared bool
}

// Run tests a store. What is promised where several processes share one is tested on several in one place.
func Run(t *testing.T, factory Factory) {
	t.Helper()
	for _, promise := range promised {
		t.Run(promise.must, func(t *testing.T) {
			t.Parallel()
			place := factory.Place(t)
			f := &fixture{T: t, Factory: factory, place: place, Store: factory.Open(t, place), random: random(1)}
			defer func() { f.check(f.Close()) }()
			promise.test(f)
		})
	}
}

type promise struct {
	must string
	test func(f *fixture)
}

var promised = []promise{
	{"Commit must make a change durable as a whole or not at all before it returns", commitIsDurable},
	{"It must return ErrConflict when the game is not at the version before the first event, or already exists where that " +
		"version is 0", commitConflicts},
	{"It must return ErrRequestSeen when the change carries a request that was committed before, which is looked at first",
		commitKnowsRequests},
	{"Of commits that race for a version exactly one must succeed", commitsRace},
	{"It must refuse a change whose events would leave a gap in the log", commitRefusesGaps},
	{"Game must return the game as the last acknowledged commit left it, whichever process made that, or ErrNotFound", gameIsLatest},
	{"StaleGame must return the game as it is or as it was after some commit, or ErrNotFound if there is none now", gameMayBeStale},
	{"Events must return the events of a game after a version, oldest first, at most limit", eventsInOrder},
	{"Games must return games that match, newest first (by id), at most filter.Limit", gamesThatMatch},
	{"Request must return what a caller's request id was committed with, or ErrNotFound", requestsAreKept},
	{"Turns must return the games in which the player sits and that changed after a cursor, in the order they changed, at " +
		"most limit, each with the cursor after it", turnsInOrder},
	{"A change may be told twice, but while games go on none must be missed", turnsAreNotMissed},
	{"Cursor must return the cursor after the last change of all", cursorIsLast},
	{"DueRobots must return the games, longest waiting first, whose turn is a robot's and that nobody holds a lease on at " +
		"now, at most limit", robotsAreDue},
	{"DueClocks must return the games, longest overdue first, in which the deadline of the side to move was before a time and " +
		"that nobody holds a lease on at now, at most limit", clocksAreDue},
	{"Lease must give the turn at (id, version) to holder until a time and return true, if the game is still at that version " +
		"and no other holder's lease lasts beyond now", leases},
	{"Of holders who race for a turn exactly one must get it", leasesRace},
	{"Stats must count games by state, and say since when the longest waiting robot turn waits of those that nobody " +
		"holds a lease on now, and when the first deadline of a side to move is or was: the zero time for none", stats},
	{"Ping must fail when the store cannot be used", pingFails},
	{"CreatePlayer must store a player with the hash of his key, or return ErrConflict when the id is taken", playersAreCreated},
	{"Player must return a player, or ErrNotFound", playersAreFound},
	{"KeyHash must return the hash of a player's key, whichever process set it last, or ErrNotFound for an unknown player and " +
		"for one without a key", keysAreFound},
	{"SetKeyHash must replace the hash of a player's key, or return ErrNotFound for an unknown player", keysAreReplaced},
	{"ExternalPlayer must return the player that a service knows by an external id, and create him as p where there is none",
		externalPlayers},
	{"Of calls that race, all must return the same player", externalPlayersRace},
}

// fixture is a store under test, and what makes games for it.
type fixture struct {
	*testing.T
	Store
	Factory
	place  string
	random *rand.Rand
	ticks  int
}

// with returns the fixture for a subtest.
func (f *fixture) with(t *testing.T) *fixture {
	c := *f
	c.T = t
	return &c
}

// fork returns a fixture for another goroutine.
func (f *fixture) fork(seed uint64) *fixture {
	c := *f
	c.random = random(seed)
	return &c
}

func random(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // games are to be the same for the same seed
}

// sub runs a subtest on the same store.
func (f *fixture) sub(name string, test func(f *fixture)) {
	f.Helper()
	f.Run(name, func(t *testing.T) {
		c := f.with(t)
		test(c)
		f.Store, f.ticks = c.Store, c.ticks
	})
}

// other opens the store as another process does, until the test ends. A store that only one process can have is its own
// other one.
func (f *fixture) other() *fixture {
	f.Helper()
	c := *f
	c.random = random(2)
	if f.Shared {
		opened := f.Open(f.T, f.place)
		f.Cleanup(func() { f.check(opened.Close()) })
		c.Store = opened
	}
	return &c
}

// either returns the fixture for the goroutine of a number, which uses this store or the other one.
func (f *fixture) either(other *fixture, i int) *fixture {
	if i%2 == 1 {
		f = other
	}
	return f.fork(uint64(i))
}

// reopen closes the store and opens it again.
func (f *fixture) reopen() {
	f.Helper()
	f.check(f.Close())
	f.Store = f.Open(f.T, f.place)
}

func (f *fixture) check(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// tick returns another number, higher than those before.
func (f *fixture) tick() int {
	f.ticks++
	return f.ticks
}

// now returns a time after those before, down to the nanosecond.
func (f *fixture) now() time.Time {
	return time.Date(2026, 1, 2, 3, 4, 5, 678912345, time.FixedZone("", 3600)).Add(time.Duration(f.tick()) * time.Second)
}

// newID returns an id after those before, in the form of those the service makes.
func (f *fixture) newID() string { return fmt.Sprintf("01k%023d", f.tick()) }

var (
	small  = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4, AutoPass: true}}
	hex    = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 3}}
	trios  = games.Setup{ThreeTrios: &threetrios.Setup{}}
	robot  = game.Seat{Robot: &game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`), Provider: "p", Seed: -5}}
	nobody = game.Seat{}
)

func person(id string) game.Seat { return game.Seat{Player: id, Name: "Name of " + id} }

// bigTrios is a game whose deck is as long as decks get, most of it cards that are not dealt.
func bigTrios() games.Setup {
	var deck strings.Builder
	for i := 0; deck.Len() < 64<<10-40; i++ {
		fmt.Fprintf(&deck, "%05d-a-card-with-a-long-name %d %d A 1\n", i, i%9+1, i%7+1)
	}
	return games.Setup{ThreeTrios: &threetrios.Setup{Deck: deck.String()}}
}

// created returns the decision that makes a game between two.
func (f *fixture) created(setup games.Setup, first, second game.Seat) game.Decision {
	f.Helper()
	return f.createdAs(game.Created{
		Creator: "creator", Visibility: game.Public, Setup: setup, Seats: game.Seats{first, second},
	})
}

func (f *fixture) createdAs(c game.Created) game.Decision {
	f.Helper()
	d, err := game.Create(f.newID(), c, f.now())
	f.check(err)
	return d
}

// moved returns the decision that plays a random legal move of a game.
func (f *fixture) moved(g game.Game) game.Decision {
	f.Helper()
	legal := g.Position.Legal()
	move := legal[f.random.IntN(len(legal))]
	var d game.Decision
	var err error
	if g.RobotToMove() != nil {
		answer := game.Answer{Move: move, Analysis: []byte(`{"depth":3,"score":"<7>"}`)}
		d, err = g.PlayRobot(g.Version, answer, false, f.now())
	} else {
		d, err = g.Play(g.Seats.Of(g.Turn()).Player, move, 0, f.now())
	}
	f.check(err)
	return d
}

// commit commits a decision and returns the game after it.
func (f *fixture) commit(d game.Decision) game.Game {
	f.Helper()
	f.check(f.Commit(f.Context(), change(d)))
	return d.Game
}

// playOut commits random moves until the game is over.
func (f *fixture) playOut(g game.Game) game.Game {
	f.Helper()
	for !g.State.Over() {
		g = f.commit(f.moved(g))
	}
	return g
}

func change(d game.Decision) game.Change { return game.Change{Game: d.Game, Events: d.Events} }

// stored returns the game as the store has it.
func (f *fixture) stored(id string) game.Game {
	f.Helper()
	g, err := f.Game(f.Context(), id)
	f.check(err)
	return g
}

func (f *fixture) log(id string) []game.Event {
	f.Helper()
	log, err := f.Events(f.Context(), id, 0, 1000)
	f.check(err)
	return log
}

// wantError fails the test unless a call returned an error.
func (f *fixture) wantError(got, want error) {
	f.Helper()
	if !cmp.Equal(got, want, cmpopts.EquateErrors()) {
		f.Errorf("error %v, want %v", got, want)
	}
}

// same fails the test unless two values are equal, positions by their notation.
func (f *fixture) same(what string, want, got any) {
	f.Helper()
	if diff := cmp.Diff(want, got, equality...); diff != "" {
		f.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

var equality = []cmp.Option{
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b rules.Cell) bool { return a == b }),
	cmp.Comparer(func(a, b rules.Position) bool { return a.Notation() == b.Notation() }),
}

func ids(found []game.Game) []string {
	all := make([]string, len(found))
	for i, g := range found {
		all[i] = g.ID
	}
	return all
}
