package game

import (
	"context"
	"errors"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Errors of a Store. Anything else it returns means that the store is away; it never returns text of its driver.
var (
	// ErrNotFound says that there is no such game or player.
	ErrNotFound = errors.New("not found")
	// ErrConflict says that the game has moved on since it was loaded, or that an id is taken.
	ErrConflict = errors.New("the game has moved on")
	// ErrRequestSeen says that the request id was committed before.
	ErrRequestSeen = errors.New("the request id was used before")
	// ErrContended says that the store gave a change up for the sake of others, again and again. It was not made.
	ErrContended = errors.New("other changes came in between")
)

// Store keeps games, their logs, and players. It may be used from many goroutines, and what many processes may open at a
// time keeps its promises to all of them together. Times are those of the process that decided on a change: clocks of
// processes may differ, and nothing here depends on their order but what is due first and when a lease ends. A call
// returns the error of its context once that has ended; what it was to write may be written all the same. Games and events
// are shared: nobody changes what a store returned or what it was given. Each "must" is a test of that name in package
// storetest.
type Store interface {
	// Commit must make a change durable as a whole or not at all before it returns. It must return ErrConflict when the game is
	// not at the version before the first event, or already exists where that version is 0. It must return ErrRequestSeen
	// when the change carries a request that was committed before, which is looked at first. Of commits that race for a
	// version exactly one must succeed. It must refuse a change whose events would leave a gap in the log.
	Commit(ctx context.Context, change Change) error

	// Game must return the game as the last acknowledged commit left it, whichever process made that, or ErrNotFound.
	Game(ctx context.Context, id string) (Game, error)

	// StaleGame must return the game as it is or as it was after some commit, or ErrNotFound if there is none now. It is for
	// decisions, of which Commit refuses those on what was: what is stale need not be asked for elsewhere.
	StaleGame(ctx context.Context, id string) (Game, error)

	// Events must return the events of a game after a version, oldest first, at most limit. An unknown game has none.
	Events(ctx context.Context, id string, after, limit int) ([]Event, error)

	// Games must return games that match, newest first (by id), at most filter.Limit.
	Games(ctx context.Context, filter Filter) ([]Game, error)

	// Request must return what a caller's request id was committed with, or ErrNotFound.
	Request(ctx context.Context, caller, id string) (Request, error)

	// Turns must return the games in which the player sits and that changed after a cursor, in the order they changed, at
	// most limit, each with the cursor after it. Cursor 0 is before every change. A change may be told twice, but while games
	// go on none must be missed.
	Turns(ctx context.Context, player string, after int64, limit int) ([]ChangedGame, error)

	// Cursor must return the cursor after the last change of all.
	Cursor(ctx context.Context) (int64, error)

	// DueRobots must return the games, longest waiting first, whose turn is a robot's and that nobody holds a lease on at now,
	// at most limit.
	DueRobots(ctx context.Context, now time.Time, limit int) ([]string, error)

	// DueClocks must return the games, longest overdue first, in which the deadline of the side to move was before a time and
	// that nobody holds a lease on at now, at most limit.
	DueClocks(ctx context.Context, before, now time.Time, limit int) ([]string, error)

	// Lease must give the turn at (id, version) to holder until a time and return true, if the game is still at that version
	// and no other holder's lease lasts beyond now. Of holders who race for a turn exactly one must get it. A holder may
	// extend his own lease.
	Lease(ctx context.Context, lease Lease, now time.Time) (bool, error)

	// Stats must count games by state, and say since when the longest waiting robot turn waits of those that nobody holds a
	// lease on now, and when the first deadline of a side to move is or was: the zero time for none.
	Stats(ctx context.Context) (Stats, error)

	PlayerStore

	// Ping must fail when the store cannot be used.
	Ping(ctx context.Context) error
}

// PlayerStore keeps players and the hashes of their keys.
type PlayerStore interface {
	// CreatePlayer must store a player with the hash of his key, or return ErrConflict when the id is taken. A hash of nil is a
	// player without a key.
	CreatePlayer(ctx context.Context, p Player, keyHash []byte) error
	// Player must return a player, or ErrNotFound.
	Player(ctx context.Context, id string) (Player, error)
	// KeyHash must return the hash of a player's key, whichever process set it last, or ErrNotFound for an unknown player and
	// for one without a key.
	KeyHash(ctx context.Context, id string) ([]byte, error)
	// SetKeyHash must replace the hash of a player's key, or return ErrNotFound for an unknown player.
	SetKeyHash(ctx context.Context, id string, keyHash []byte) error
	// ExternalPlayer must return the player that a service knows by an external id, and create him as p where there is none.
	// Of calls that race, all must return the same player.
	ExternalPlayer(ctx context.Context, service, externalID string, p Player) (Player, error)
}

// Change is one atomic step of a game: the events to append and the game after them.
type Change struct {
	Game   Game
	Events []Event
	// Request is the request to remember; nil for none.
	Request *Request
	// Lease gives the turn that the change leads to away at once; nil leaves it to whoever comes first.
	Lease *Lease
}

// Request is a changing call that was answered: who made it, its id and a fingerprint of its content, and which
// versions of which game it made, from which the answer can be had again.
type Request struct {
	Caller      string
	ID          string
	Fingerprint [32]byte
	GameID      string
	First, Last int
}

// ChangedGame is a game and the cursor after its last change.
type ChangedGame struct {
	Game   Game
	Cursor int64
}

// Filter selects games. Empty fields select all.
type Filter struct {
	State  State
	Kind   rules.Kind
	Player string
	// Viewer is who asks: public games and his own are selected. A game he created counts as his own.
	Viewer string
	// Before selects games with a smaller id.
	Before string
	Limit  int
}

// Lease is the right to work on a turn: to make a robot's move, or to go on without a player whose time is up.
type Lease struct {
	GameID  string
	Version int
	Holder  string
	Until   time.Time
}

// Stats is what operators want to know about the store.
type Stats struct {
	Games           map[State]int
	OldestRobotTurn time.Time
	FirstDeadline   time.Time
}

// Player is somebody who plays.
type Player struct {
	ID      string
	Name    string
	Created time.Time
}
