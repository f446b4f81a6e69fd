package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Store is a store under test. Its content is still there when it is closed and opened again.
type Store interface {
	game.Store
	Close() error
}

// Factory creates the stores under test.
type Factory struct {
	// Place returns a new place for a store, such as a file or a database.
	Place func(t *testing.T) string
	// Open opens the store at a place, which is empty at first, as a process does.
	Open func(t *testing.T, place string, process Process) Store
	// Shared means that a place can be opened several times at once, as several processes do.
	Shared bool
}

// Process describes a process with a store.
type Process struct {
	// ClockOffset is the time of the process minus the shared time.
	ClockOffset time.Duration
	// Heartbeat is the interval between two heartbeats. A longer silence of all processes than two
	// and a half intervals is an outage.
	Heartbeat time.Duration
}

// patient sends its heartbeats so rarely that a busy machine causes no outage.
var patient = Process{Heartbeat: time.Hour}

// Run tests a store. If its place can be shared, some tests open it twice.
func Run(t *testing.T, factory Factory) {
	t.Helper()
	for _, r := range requirements {
		t.Run(r.must, func(t *testing.T) {
			t.Parallel()
			place := factory.Place(t)
			f := &fixture{T: t, Factory: factory, place: place, Store: factory.Open(t, place, patient), random: random(1)}
			defer func() { f.check(f.Close()) }()
			r.test(f)
		})
	}
}

// requirement is a sentence with "must" and its test.
type requirement struct {
	must string
	test func(f *fixture)
}

var requirements = []requirement{
	{"Now must return the time of the clock that all processes with the same store share", clockIsShared},
	{"InSync must report whether the clock of this process is within [MaxClockOffset] of the shared clock", offsetIsReported},
	{"Commit must store a change completely and durably before it returns, or not at all", func(f *fixture) {
		f.sub("moves", commitIsDurable)
		f.sub("offers", offersAreStored)
	}},
	{"It must return ErrConflict if the game is not at the version before the first event, or if that version is 0 and the " +
		"game exists", commitConflicts},
	{"It must return ErrRequestSeen, even if there is a conflict too, if a change with the same caller and request id was " +
		"committed before in the same shard", commitRejectsSeenRequests},
	{"Exactly one of several concurrent commits to a version must succeed", concurrentCommits},
	{"It must reject a change whose events leave a gap in the log", commitRejectsGaps},
	{"Game must return the game after the last acknowledged commit of any process, or ErrNotFound", gameIsLatest},
	{"The field Paused of a game must be the part of its turn in which no process had the store open", outagesAreRecorded},
	{"CachedGame must return the game after the last commit or an earlier one, or ErrNotFound if the game does not exist",
		cachedGameMayBeStale},
	{"Events must return the events of a game after a version, oldest first, at most limit", eventsInOrder},
	{"LastEvent must return the last event of a game up to a version that is of one of the kinds, at most four, or " +
		"ErrNotFound", lastEvents},
	{"Games must return the games that match the filter, newest first (by id), at most filter.Limit", gamesThatMatch},
	{"Request must return the request that was committed with a caller's request id in the shard of a game, or ErrNotFound",
		requestsAreStored},
	{"Turns must return the games of a player in a shard with a last change after a number, in the order of the numbers of " +
		"their last changes, and the number up to which all changes are settled", turnsInOrder},
	{"Changes that are not settled may commit in another order than that of their numbers: a caller that continues after " +
		"the settled number must not miss a change, but may get a game again", turnsMissNoChange},
	{"ServiceTurns must return the games of the players of a service, as Turns does for one player", serviceTurns},
	{"Settled must return for each shard the number up to which all changes are settled: each is committed or will never be",
		changesAreSettled},
	{"It must not decrease", settledDoesNotDecrease},
	{"Every change that commits later must have a greater number", laterChangesAreGreater},
	{"Invitations must count the waiting games of a creator in which a seat is reserved", invitationsAreCounted},
	{"DueRobots must return the games in which a robot is to move and no lease on the turn lasts beyond now, " +
		"longest waiting first, at most limit", robotsAreDue},
	{"DueClocks must return the games whose deadline is earlier than before and no lease on the turn lasts " +
		"beyond now, earliest deadline first, at most limit", clocksAreDue},
	{"Lease must grant the turn at (id, version) to a holder until a time and return true, if the game is at that version " +
		"and no other holder has a lease that lasts beyond now", leases},
	{"Exactly one of several concurrent holders must get the turn", concurrentLeases},
	{"Stats must count the games by state, and return the start of the oldest robot turn without a lease and the earliest " +
		"deadline, each the zero time if there is none", stats},
	{"Ping must fail if the store cannot be used", pingFails},
	{"CreatePlayer must store a player and the hash of their key, or return ErrConflict if the id is taken", playersAreCreated},
	{"Player must return a player, or ErrNotFound", playersAreFound},
	{"KeyHash must return the hash that any process set last for a player, or ErrNotFound for an unknown player and for a " +
		"player without a key", keysAreFound},
	{"SetKeyHash must replace the hash of a player's key, or return ErrNotFound for an unknown player", keysAreReplaced},
	{"ExternalPlayer must return the player that a service knows by an external id, and create p if there is none",
		externalPlayers},
	{"Concurrent calls must all return the same player", concurrentExternalPlayers},
	{"SetWebhook must store a webhook in each shard, with the number up to which all changes are settled as its cursor",
		webhooksAreStored},
	{"If the owner has a webhook that was updated earlier, SetWebhook must replace its URL, secret and time of the update, " +
		"reset the failures and the lease, and keep the cursor", webhooksAreReplaced},
	{"Webhooks must return the webhook of an owner, with its progress in each shard; none if there is no webhook",
		webhooksAreFound},
	{"DeleteWebhook must delete the webhook of an owner, if there is one", webhooksAreDeleted},
	{"DueWebhooks must return the enabled webhooks with changed games in a shard after their cursor, whose next attempt is " +
		"not after now and on which no lease lasts beyond now, fewest failures first, then earliest attempt first, at most " +
		"limit", webhooksAreDue},
	{"LeaseWebhook must grant the deliveries of a due webhook in a shard to a holder until a time and return true, if it " +
		"has not changed and no lease lasts beyond now", webhooksAreLeased},
	{"EndDelivery must store the progress of a webhook in a shard, end the lease and return true, if the holder has the lease",
		deliveriesEnd},
}

// fixture is a store under test, and a source of random moves, ids and times.
type fixture struct {
	*testing.T
	Store
	Factory
	place  string
	random *rand.Rand
	ticks  int
	// key is the partition key of new ids; "" for changing ones.
	key string
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
	return rand.New(rand.NewPCG(seed, 0))
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

// other opens the store a second time, as another process would, until the test ends. It returns
// the same store if the place cannot be shared.
func (f *fixture) other() *fixture {
	f.Helper()
	c := *f
	c.random = random(2)
	if f.Shared {
		opened := f.Open(f.T, f.place, patient)
		f.Cleanup(func() { f.check(opened.Close()) })
		c.Store = opened
	}
	return &c
}

// either returns the fixture for goroutine i: goroutines alternate between this store and the other
// one.
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
	f.Store = f.Open(f.T, f.place, patient)
}

func (f *fixture) check(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// tick returns a number higher than all before.
func (f *fixture) tick() int {
	f.ticks++
	return f.ticks
}

// now returns a time later than all before, with a fraction in nanoseconds.
func (f *fixture) now() time.Time {
	return time.Date(2026, 1, 2, 3, 4, 5, 678912345, time.FixedZone("", 3600)).Add(time.Duration(f.tick()) * time.Second)
}

// newID returns an id greater than all before, in the format of the service.
func (f *fixture) newID() string {
	tick := f.tick()
	return fmt.Sprintf("01k%021d%s", tick, cmp.Or(f.key, fmt.Sprintf("%02d", tick%100)))
}

// oneKey is the partition key of tests whose games are all in one shard.
const oneKey = "00"

var (
	small     = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4, AutoPass: true}}
	hex       = games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 3}}
	trios     = games.Setup{ThreeTrios: &threetrios.Setup{}}
	robot     = game.Seat{Robot: &game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`), Provider: "p", Seed: -5}}
	emptySeat = game.Seat{}
)

func seatOf(id string) game.Seat { return game.Seat{Player: id, Name: "Name of " + id} }

// bigTrios returns a setup with the longest allowed deck. Most of its cards are not dealt.
func bigTrios() games.Setup {
	var deck strings.Builder
	for i := 0; deck.Len() < 64<<10-40; i++ {
		fmt.Fprintf(&deck, "%05d-a-card-with-a-long-name %d %d A 1\n", i, i%9+1, i%7+1)
	}
	return games.Setup{ThreeTrios: &threetrios.Setup{Deck: deck.String()}}
}

// created returns the decision that creates a game with two seats.
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

// moved returns the decision that plays a random legal move.
func (f *fixture) moved(g game.Game) game.Decision {
	f.Helper()
	legal := g.Position.Legal()
	move := legal[f.random.IntN(len(legal))]
	var d game.Decision
	var err error
	if g.RobotToMove() != nil {
		answer := game.Choice{Move: move, Analysis: []byte(`{"depth":3,"score":"<7>"}`)}
		d, err = g.PlayRobot(answer, f.now())
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

// stored returns the game as the store returns it.
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

// wantError fails the test unless the error is the wanted one.
func (f *fixture) wantError(got, want error) {
	f.Helper()
	if !gocmp.Equal(got, want, cmpopts.EquateErrors()) {
		f.Errorf("error %v, want %v", got, want)
	}
}

// same fails the test unless two values are equal. It compares positions by their notation.
func (f *fixture) same(what string, want, got any) {
	f.Helper()
	if diff := gocmp.Diff(want, got, equality...); diff != "" {
		f.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

var equality = []gocmp.Option{
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreUnexported(game.MovePlayed{}, game.MovesTakenBack{}),
	gocmp.Comparer(func(a, b rules.Cell) bool { return a == b }),
	gocmp.Comparer(func(a, b rules.Position) bool { return a.Notation() == b.Notation() }),
}

func ids(found []game.Game) []string {
	all := make([]string, len(found))
	for i, g := range found {
		all[i] = g.ID
	}
	return all
}
