package game

import (
	"context"
	"errors"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Errors that a [Store] returns. Any other error means that the store is damaged. No error contains
// the text of a database driver.
var (
	// ErrNotFound means that there is no such game, player or request.
	ErrNotFound = errors.New("not found")
	// ErrConflict means that the game is not at the expected version, or that an id is taken.
	ErrConflict = errors.New("the game changed since it was read")
	// ErrRequestSeen means that a change with this request id was committed before.
	ErrRequestSeen = errors.New("the request id was used before")
	// ErrUnavailable means that the store cannot be reached or cannot write. The store itself logs
	// when this begins and ends.
	ErrUnavailable = errors.New("the store is unavailable")
	// ErrNotSent means, in addition to another error, that the store did not get the change or rolled
	// it back: nothing changed. Without it, the outcome after ErrUnavailable is unknown.
	ErrNotSent = errors.New("the change was not sent to the store")
	// ErrInvalidValue means that a call has a value that cannot be stored.
	ErrInvalidValue = errors.New("a value cannot be stored: " +
		"a text has a NUL character or is not valid UTF-8")
	// ErrContended means that a change lost to concurrent writes, several times, and was rolled
	// back. It can be retried.
	ErrContended = errors.New("the change lost to concurrent writes")
)

// MaxClockOffset is the largest tolerated difference between the clock of a process and the clock
// that all processes share.
const MaxClockOffset = 5 * time.Second

// Store stores games, their logs and players. It is safe for concurrent use. If several processes
// can open the same store, its guarantees hold across all of them. A store has one or more shards,
// numbered from 0: each is a database of its own, with the games and players whose ids have certain
// partition keys ([PartitionKey]). A call returns the error of its context when the context ends; a
// write may be committed nevertheless. A call with a text that has a NUL character or is not valid
// UTF-8 returns ErrInvalidValue. Games and events are shared: neither the store nor its callers
// change them. Every sentence with "must" is the name of a subtest in package storetest.
type Store interface {
	// Now must return the time of the clock that all processes with the same store share. All times
	// of games come from it.
	Now() time.Time

	// InSync must report whether the clock of this process is within [MaxClockOffset] of the shared
	// clock. A process that is not in sync takes no robots' turns and ends no games.
	InSync() bool

	// Commit must store a change completely and durably before it returns, or not at all. It must
	// return ErrConflict if the game is not at the version before the first event, or if that
	// version is 0 and the game exists. It must return ErrRequestSeen, even if there is a conflict
	// too, if a change with the same caller and request id was committed before in the same shard.
	// Exactly one of several concurrent commits to a version must succeed. It must reject a change
	// whose events leave a gap in the log.
	Commit(ctx context.Context, change Change) error

	// Game must return the game after the last acknowledged commit of any process, or ErrNotFound.
	// The field Paused of a game must be the part of its turn in which no process had the store
	// open.
	Game(ctx context.Context, id string) (Game, error)

	// CachedGame must return the game after the last commit or an earlier one, or ErrNotFound if
	// the game does not exist. The game may be stale. It is safe before Commit, which rejects
	// decisions on an old version.
	CachedGame(ctx context.Context, id string) (Game, error)

	// Events must return the events of a game after a version, oldest first, at most limit. An
	// unknown game has no events.
	Events(ctx context.Context, id string, after, limit int) ([]Event, error)

	// LastEvent must return the last event of a game up to a version that is of one of the kinds,
	// at most four, or ErrNotFound.
	LastEvent(ctx context.Context, id string, version int, kinds ...EventKind) (Event, error)

	// Games must return the games that match the filter, newest first (by id), at most
	// filter.Limit.
	Games(ctx context.Context, filter Filter) ([]Game, error)

	// Request must return the request that was committed with a caller's request id in the shard of
	// a game, or ErrNotFound. The game need not exist.
	Request(ctx context.Context, caller, id, gameID string) (Request, error)

	// Turns must return the games of a player in a shard with a last change after a number, in the
	// order of the numbers of their last changes, and the number up to which all changes are settled.
	// Each shard has numbers of its own. A page has at most limit games, and then the further games
	// with the number of the last one. All numbers are greater than 0. Changes that are not settled
	// may commit in another order than that of their numbers: a caller that continues after the
	// settled number must not miss a change, but may get a game again.
	Turns(ctx context.Context, player string, shard int, after int64, limit int) (
		found []ChangedGame, settled int64, err error)

	// ServiceTurns must return the games of the players of a service, as Turns does for one player.
	ServiceTurns(ctx context.Context, service string, shard int, after int64, limit int) (
		found []ChangedGame, settled int64, err error)

	// Settled must return for each shard the number up to which all changes are settled: each is
	// committed or will never be. It must not decrease. Every change that commits later must have a
	// greater number.
	Settled(ctx context.Context) ([]int64, error)

	// Invitations must count the waiting games of a creator in which a seat is reserved.
	Invitations(ctx context.Context, creator string) (int, error)

	// DueRobots must return the games in which a robot is to move and no lease on the turn lasts
	// beyond now, longest waiting first, at most limit.
	DueRobots(ctx context.Context, now time.Time, limit int) ([]Due, error)

	// DueClocks must return the games whose deadline is earlier than before and no lease on the turn
	// lasts beyond now, earliest deadline first, at most limit.
	DueClocks(ctx context.Context, before, now time.Time, limit int) ([]Due, error)

	// Lease must grant the turn at (id, version) to a holder until a time and return true, if the
	// game is at that version and no other holder has a lease that lasts beyond now. Exactly one of
	// several concurrent holders must get the turn. A holder can extend its own lease.
	Lease(ctx context.Context, lease Lease, now time.Time) (bool, error)

	// Stats must count the games by state, and return the start of the oldest robot turn without a
	// lease and the earliest deadline, each the zero time if there is none.
	Stats(ctx context.Context) (Stats, error)

	PlayerStore
	WebhookStore

	// Ping must fail if the store cannot be used.
	Ping(ctx context.Context) error
}

// PlayerStore stores players and the hashes of their keys.
type PlayerStore interface {
	// CreatePlayer must store a player and the hash of their key, or return ErrConflict if the id
	// is taken. A player without a key has a nil hash.
	CreatePlayer(ctx context.Context, p Player, keyHash []byte) error
	// Player must return a player, or ErrNotFound.
	Player(ctx context.Context, id string) (Player, error)
	// KeyHash must return the hash that any process set last for a player, or ErrNotFound for an
	// unknown player and for a player without a key.
	KeyHash(ctx context.Context, id string) ([]byte, error)
	// SetKeyHash must replace the hash of a player's key, or return ErrNotFound for an unknown
	// player.
	SetKeyHash(ctx context.Context, id string, keyHash []byte) error
	// ExternalPlayer must return the player that a service knows by an external id, and create p if
	// there is none. Concurrent calls must all return the same player. All calls for an external id
	// have the same partition key in the id of p, see [PlacedBy].
	ExternalPlayer(ctx context.Context, service, externalID string, p Player) (Player, error)
}

// WebhookStore stores webhooks and the progress of their deliveries. Each shard stores all webhooks
// and delivers the notices of its games.
type WebhookStore interface {
	// SetWebhook must store a webhook in each shard, with the number up to which all changes are
	// settled as its cursor. If the owner has a webhook that was updated earlier, SetWebhook must
	// replace its URL, secret and time of the update, reset the failures and the lease, and keep the
	// cursor.
	SetWebhook(ctx context.Context, w Webhook) error
	// Webhooks must return the webhook of an owner, with its progress in each shard; none if there is
	// no webhook.
	Webhooks(ctx context.Context, owner WebhookOwner) ([]Webhook, error)
	// DeleteWebhook must delete the webhook of an owner, if there is one.
	DeleteWebhook(ctx context.Context, owner WebhookOwner) error
	// DueWebhooks must return the enabled webhooks with changed games in a shard after their cursor,
	// whose next attempt is not after now and on which no lease lasts beyond now, fewest failures
	// first, then earliest attempt first, at most limit.
	DueWebhooks(ctx context.Context, shard int, now time.Time, limit int) ([]Webhook, error)
	// LeaseWebhook must grant the deliveries of a due webhook in a shard to a holder until a time and
	// return true, if it has not changed and no lease lasts beyond now.
	LeaseWebhook(ctx context.Context, shard int, due Webhook, holder string, until, now time.Time) (
		bool, error)
	// EndDelivery must store the progress of a webhook in a shard, end the lease and return true, if
	// the holder has the lease.
	EndDelivery(ctx context.Context, shard int, owner WebhookOwner, holder string, progress Delivery) (
		bool, error)
}

// Change is one atomic step of a game: the events to append and the game after them.
type Change struct {
	Game   Game
	Events []Event
	// Request is the request to store with the change; nil for none.
	Request *Request
	// Lease is granted with the change on the turn that follows it; nil leaves that turn without a
	// lease.
	Lease *Lease
}

// Request identifies a call that changed a game: the caller, the request id, a fingerprint of the
// content, and the versions of the game that the call created, from which its answer can be
// reconstructed.
type Request struct {
	Caller      string
	ID          string
	Fingerprint [32]byte
	GameID      string
	First, Last int
}

// ChangedGame is a game and the number of its last change in its shard.
type ChangedGame struct {
	Game   Game
	Change int64
}

// Due is a turn that waits for a process: of a robot since the start of the turn, or of an overdue
// player since the deadline.
type Due struct {
	GameID string
	Since  time.Time
}

// Filter selects games. Empty fields select all.
type Filter struct {
	// States selects games in one of these states.
	States []State
	Kind   rules.Kind
	Player string
	// Viewer is the player who lists games: it selects public games, and those that the viewer
	// created or plays in.
	Viewer string
	// Before selects games with a smaller id.
	Before string
	Limit  int
}

// Lease is the exclusive right to act on a turn until a time: to make a robot's move, or to go on
// without a player whose time is up.
type Lease struct {
	GameID  string
	Version int
	Holder  string
	Until   time.Time
}

// Stats counts the games of a store and has the times that operators watch.
type Stats struct {
	Games           map[State]int
	OldestRobotTurn time.Time
	FirstDeadline   time.Time
}

// Player is a person who plays.
type Player struct {
	ID      string
	Name    string
	Created time.Time
	// Service is the service or token issuer that the player belongs to, "" for a player with a
	// key.
	Service string
}

// Seat returns a seat of the player.
func (p Player) Seat() Seat { return Seat{Player: p.ID, Name: p.Name, Service: p.Service} }
