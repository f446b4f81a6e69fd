package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/singleflight"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/tokens"
)

// Service is the use cases of games and players: load, decide purely, write once. It may be used from many
// goroutines, and any number of processes may run one on the same store.
type Service struct {
	store    Store
	feed     Feed
	log      *slog.Logger
	keys     *keyring
	limits   *limits
	robots   *Robots
	recent   *recentEvents
	metrics  metrics
	reads    singleflight.Group
	now      func() time.Time
	newID    func() string
	settings Settings
	stop     chan struct{}
	stopOnce sync.Once
}

// Settings are what an operator may want to change.
type Settings struct {
	// ServiceKeys are the keys of products that act for their own users, by the name of the product.
	ServiceKeys map[string]string
	// Tokens checks the tokens that players may show in place of a key; nil when they may not.
	Tokens *tokens.Verifier
	// Shared says that other processes use the store too. A key is then replaced only once none of them takes the old one.
	Shared bool
	// HeartbeatInterval is the longest silence on a stream. Default: 10 s.
	HeartbeatInterval time.Duration
	// SlowReaderTimeout is how long a message may wait to be read before its stream is ended. Default: 30 s.
	SlowReaderTimeout time.Duration
	// MaxStreams is how many streams one caller may have open. Default: 1000.
	MaxStreams int
	// LagGrace is how long after its deadline a move may still come, because of the way that it has to take. It is not shown in
	// deadlines. Default: none.
	LagGrace time.Duration
	// CallRate is how many calls a second one caller may make, after a burst of twice as many. Default: 1000.
	CallRate float64
	// PlayerRate is how many players a minute may be created from one address, after a burst of as many. Default: 60.
	PlayerRate float64
}

func (s Settings) withDefaults() Settings {
	if s.HeartbeatInterval == 0 {
		s.HeartbeatInterval = 10 * time.Second
	}
	if s.SlowReaderTimeout == 0 {
		s.SlowReaderTimeout = 30 * time.Second
	}
	if s.MaxStreams == 0 {
		s.MaxStreams = 1000
	}
	if s.CallRate == 0 {
		s.CallRate = 1000
	}
	if s.PlayerRate == 0 {
		s.PlayerRate = 60
	}
	return s
}

// New returns a service on a store. robots plays the robots' turns; nil leaves them to another process.
func New(store Store, feed Feed, robots *Robots, log *slog.Logger, settings Settings) *Service {
	settings = settings.withDefaults()
	s := &Service{
		store:    store,
		feed:     feed,
		log:      log,
		keys:     newKeyring(store, settings.ServiceKeys),
		limits:   newLimits(settings),
		robots:   robots,
		recent:   newRecentEvents(),
		metrics:  newMetrics(),
		now:      func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) },
		newID:    newULID,
		settings: settings,
		stop:     make(chan struct{}),
	}
	if robots != nil {
		robots.service = s
	}
	return s
}

// newULID returns a lower-case ULID, later ones greater within a process.
func newULID() string { return strings.ToLower(ulid.Make().String()) }

// Call is who asks, and the request id and fingerprint that make a change safe to ask for again. An empty
// RequestID makes it a change that is not.
type Call struct {
	Caller      Caller
	RequestID   string
	Fingerprint [32]byte
}

// Changed is what a change came to. Event is the first that it made.
type Changed struct {
	Game     Game
	Event    Event
	Replayed bool
}

// NewGame says what to create. A seat that names a player needs no name: it is looked up.
type NewGame struct {
	Setup       games.Setup
	TimeControl *TimeControl
	Seats       Seats
	Visibility  Visibility
}

// CreateGame creates a game.
func (s *Service) CreateGame(ctx context.Context, call Call, wish NewGame) (Changed, error) {
	if replay, err := s.replay(ctx, call); replay != nil || err != nil {
		return orZero(replay), err
	}
	return s.create(ctx, call, wish, nil)
}

func (s *Service) create(ctx context.Context, call Call, wish NewGame, origin *Origin) (Changed, error) {
	seats, err := s.nameSeats(ctx, wish.Seats)
	if err != nil {
		return Changed{}, err
	}
	if wish.Visibility == "" {
		wish.Visibility = Public
	}
	created := Created{
		Creator:     call.Caller.Player.ID,
		Visibility:  wish.Visibility,
		Setup:       wish.Setup,
		TimeControl: wish.TimeControl,
		Seats:       seats,
		Forked:      origin,
	}
	d, err := Create(s.newID(), created, s.now())
	if err != nil {
		return Changed{}, err
	}
	return s.commit(ctx, call, d)
}

// nameSeats looks up the names of the seated players.
func (s *Service) nameSeats(ctx context.Context, seats Seats) (Seats, error) {
	for i, seat := range seats {
		if seat.Player == "" || seat.Name != "" {
			continue
		}
		player, err := s.store.Player(ctx, seat.Player)
		if errors.Is(err, ErrNotFound) {
			return seats, fault.New(fault.PlayerNotFound, "there is no player %s", seat.Player).
				With("playerId", seat.Player).At(fmt.Sprintf("seats[%d].player.playerId", i))
		}
		if err != nil {
			return seats, s.away(err)
		}
		seats[i].Name = player.Name
	}
	return seats, nil
}

// ForkGame creates a game from the position of another after a version; 0 is the latest.
func (s *Service) ForkGame(ctx context.Context, call Call, id string, version int, wish NewGame) (Changed, error) {
	origin, err := s.GameAt(ctx, call.Caller, id, version)
	if err != nil {
		return Changed{}, err
	}
	if replay, err := s.replay(ctx, call); replay != nil || err != nil {
		return orZero(replay), err
	}
	if wish.Visibility == "" {
		wish.Visibility = origin.Visibility
	}
	wish.Setup = origin.Setup.StartingAt(origin.Position)
	return s.create(ctx, call, wish, &Origin{GameID: id, Version: origin.Version})
}

// JoinGame seats the caller.
func (s *Service) JoinGame(ctx context.Context, call Call, id string, side rules.Side) (Changed, error) {
	seat := Seat{Player: call.Caller.Player.ID, Name: call.Caller.Player.Name}
	return s.change(ctx, call, id, func(g Game, now time.Time) (Decision, error) { return g.Join(seat, side, now) })
}

// PlayMove plays a move of the caller. read reads the move for the board of the game; expected is the version the
// caller has seen, 0 for any. What counts is when it was called.
func (s *Service) PlayMove(
	ctx context.Context, call Call, id string, read func(rules.Position) (rules.Move, error), expected int,
) (Changed, error) {
	return s.change(ctx, call, id, func(g Game, now time.Time) (Decision, error) {
		move, err := read(g.Position)
		if err != nil {
			return Decision{}, err
		}
		return g.Play(call.Caller.Player.ID, move, expected, now)
	})
}

// Resign gives a game up.
func (s *Service) Resign(ctx context.Context, call Call, id string, side rules.Side) (Changed, error) {
	return s.change(ctx, call, id, func(g Game, now time.Time) (Decision, error) {
		return g.Resign(call.Caller.Player.ID, side, now)
	})
}

// AbortGame calls a game off.
func (s *Service) AbortGame(ctx context.Context, call Call, id string) (Changed, error) {
	return s.change(ctx, call, id, func(g Game, now time.Time) (Decision, error) { return g.Abort(call.Caller.Player.ID, now) })
}

// ClaimAbandonment goes on without the opponent, who is away.
func (s *Service) ClaimAbandonment(ctx context.Context, call Call, id string) (Changed, error) {
	return s.change(ctx, call, id, func(g Game, now time.Time) (Decision, error) {
		return g.ClaimAbandonment(call.Caller.Player.ID, now)
	})
}

// SetRobot gives a robot another strategy. robot reads it for the kind of the game.
func (s *Service) SetRobot(
	ctx context.Context, call Call, id string, side rules.Side, robot func(rules.Position) (Robot, error),
) (Changed, error) {
	return s.change(ctx, call, id, func(g Game, now time.Time) (Decision, error) {
		r, err := robot(g.Position)
		if err != nil {
			return Decision{}, err
		}
		return g.SetRobot(call.Caller.Player.ID, side, r, now)
	})
}

// decider decides how a game changes, given when that was wished for.
type decider func(g Game, now time.Time) (Decision, error)

// change changes a game that the caller may see as decided, given what this process knows of it, and decides again whenever
// another change came first.
func (s *Service) change(ctx context.Context, call Call, id string, decide decider) (Changed, error) {
	now := s.now()
	decideIfVisible := func(g Game, now time.Time) (Decision, error) {
		if !g.VisibleTo(call.Caller.Player.ID) {
			return Decision{}, gameNotFound(id)
		}
		return decide(g, now)
	}
	g, err := s.store.CachedGame(ctx, id)
	for err == nil {
		var changed Changed
		if changed, err = s.changeOnce(ctx, call, g, now, decideIfVisible); !errors.Is(err, ErrConflict) {
			return changed, err
		}
		g, err = s.store.Game(ctx, id)
	}
	if errors.Is(err, ErrNotFound) {
		return Changed{}, gameNotFound(id)
	}
	return Changed{}, s.away(err)
}

// changeOnce changes a game unless another change comes first, which is ErrConflict. A game whose time is up changes by that
// first, so that nobody depends on whether somebody else has noticed it. Whether the game is as it is thought to be, and
// whether the request was answered before, is looked up only once something speaks against it, which keeps the usual case
// at one write: what was decided on another version, or was committed before, is not committed.
func (s *Service) changeOnce(ctx context.Context, call Call, g Game, now time.Time, decide decider) (Changed, error) {
	if d, up := g.TimeUp(now, s.settings.LagGrace); up {
		changed, err := s.commit(ctx, Call{}, d)
		if err != nil {
			return Changed{}, err
		}
		g = changed.Game
	}
	d, refusal := decide(g, now)
	if refusal == nil {
		return s.commit(ctx, call, d)
	}
	is, err := s.store.Game(ctx, g.ID)
	if err != nil {
		return Changed{}, s.away(err)
	}
	if is.Version != g.Version {
		return s.changeOnce(ctx, call, is, now, decide)
	}
	return s.replayOr(ctx, call, refusal)
}

// commit makes a decision durable, then wakes who waits for it. Another change that came first is ErrConflict.
// A caller who hangs up meanwhile changes nothing: whether the change was written would be unknown, and if it was, who
// waits for it would not be told.
func (s *Service) commit(ctx context.Context, call Call, d Decision) (Changed, error) {
	ctx = context.WithoutCancel(ctx)
	change := Change{Game: d.Game, Events: d.Events}
	if call.RequestID != "" {
		change.Request = &Request{
			Caller:      call.Caller.id(),
			ID:          call.RequestID,
			Fingerprint: call.Fingerprint,
			GameID:      d.Game.ID,
			First:       d.Events[0].Version,
			Last:        d.Game.Version,
		}
	}
	slot := s.robots.reserve(d.Game)
	change.Lease = slot.lease()
	switch err := s.store.Commit(ctx, change); {
	case errors.Is(err, ErrRequestSeen):
		slot.free()
		replay, err := s.replay(ctx, call)
		return orZero(replay), err
	case errors.Is(err, ErrConflict):
		slot.free()
		return Changed{}, ErrConflict
	case err != nil:
		slot.free()
		return Changed{}, s.away(err)
	}
	s.publish(ctx, d, slot != nil)
	slot.work(ctx, d.Game)
	return Changed{Game: d.Game, Event: d.Events[0]}, nil
}

// publish tells watchers what was committed. taken is whether the turn that it leads to is worked on already.
func (s *Service) publish(ctx context.Context, d Decision, taken bool) {
	s.recent.add(d.Events)
	s.feed.Publish(ctx, Wake{Topic: gameTopic(d.Game.ID), Version: d.Game.Version})
	for _, seat := range d.Game.Seats {
		if seat.Player != "" {
			s.feed.Publish(ctx, Wake{Topic: playerTopic(seat.Player)})
		}
	}
	if d.Game.RobotToMove() != nil && !taken {
		s.feed.Publish(ctx, Wake{Topic: robotTopic})
	}
}

// replay returns the answer that the request got the first time, nil if it is new.
func (s *Service) replay(ctx context.Context, call Call) (*Changed, error) {
	if call.RequestID == "" {
		return nil, nil
	}
	seen, err := s.store.Request(ctx, call.Caller.id(), call.RequestID)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, s.away(err)
	}
	if seen.Fingerprint != call.Fingerprint {
		return nil, fault.New(fault.RequestIDReused, "the request id was used for another request").
			With("requestId", call.RequestID)
	}
	log, err := s.store.Events(ctx, seen.GameID, 0, seen.Last)
	if err != nil {
		return nil, s.away(err)
	}
	g, err := Replay(log)
	if err != nil {
		return nil, err
	}
	return &Changed{Game: g, Event: log[seen.First-1], Replayed: true}, nil
}

// replayOr returns the answer that the request got the first time, or the refusal if it is new. Of a game that the caller may
// not see he learns nothing, not even by a request id that he has used before.
func (s *Service) replayOr(ctx context.Context, call Call, refusal error) (Changed, error) {
	replay, err := s.replay(ctx, call)
	if fault.ReasonOf(err) == fault.RequestIDReused && fault.ReasonOf(refusal) == fault.GameNotFound {
		err = nil
	}
	if replay == nil {
		return Changed{}, cmp.Or(err, refusal)
	}
	return *replay, nil
}

func orZero(c *Changed) Changed {
	if c == nil {
		return Changed{}
	}
	return *c
}

// away says that the store failed, and logs how. The error of a context is passed on.
func (s *Service) away(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, ErrContended) {
		return fault.New(fault.StoreContended, "other changes came first, again and again; nothing was changed").
			RetryIn(100 * time.Millisecond)
	}
	s.log.Error("the store failed", "error", err)
	return fault.New(fault.StoreUnavailable, "the store cannot be reached").RetryIn(time.Second)
}

// Shutdown ends every stream with a word, so that servers can stop in time. It may be called more than once.
func (s *Service) Shutdown() { s.stopOnce.Do(func() { close(s.stop) }) }
