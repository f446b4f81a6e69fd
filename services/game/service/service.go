package service

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

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/tokens"
)

// Service is the use cases of games and players: load, decide purely, write once. It may be used from many
// goroutines, and any number of processes may run one on the same store.
type Service struct {
	games    *Games
	commits  Committer
	log      *slog.Logger
	keys     *keyring
	limits   *limits
	metrics  metrics
	now      func() time.Time
	newID    func() string
	settings Settings
	stop     chan struct{}
	stopOnce sync.Once
}

// Settings configure a service. All limits and durations but LagGrace must be set.
type Settings struct {
	// ServiceKeys are the keys of products that act for their own users, by product name.
	ServiceKeys map[string]string
	// Tokens verifies tokens that players present instead of a key; nil rejects tokens.
	Tokens *tokens.Verifier
	// Shared reports that other processes use the same store. A rotation then returns only when all of them reject the old
	// key.
	Shared bool
	// HeartbeatInterval is the longest time without a message on a stream.
	HeartbeatInterval time.Duration
	// SlowReaderTimeout is the longest time that a message may wait to be read; then its stream ends.
	SlowReaderTimeout time.Duration
	// MaxStreams is the number of streams that one caller may have open.
	MaxStreams int
	// LagGrace is the time after its deadline in which a move still counts. Deadlines in answers do not include it.
	LagGrace time.Duration
	// CallRate is the number of calls per second that one caller may make, after a burst of twice as many.
	CallRate float64
	// PlayerRate is the number of players per minute that one address may create, after a burst of as many.
	PlayerRate float64
}

// Committer commits changes: [Games], or the robots, which also work on the robot's turn that a change leads to.
type Committer interface {
	Commit(ctx context.Context, change game.Change) error
}

// New returns a service of games that commits changes through commits, which must end in games.
func New(games *Games, commits Committer, log *slog.Logger, settings Settings) *Service {
	return &Service{
		games:    games,
		commits:  commits,
		log:      log,
		keys:     newKeyring(games, settings.ServiceKeys),
		limits:   newLimits(settings),
		metrics:  newMetrics(),
		now:      func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) },
		newID:    newULID,
		settings: settings,
		stop:     make(chan struct{}),
	}
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
	Game     game.Game
	Event    game.Event
	Replayed bool
}

// NewGame says what to create. A seat that names a player needs no name: it is looked up.
type NewGame struct {
	Setup       games.Setup
	TimeControl *game.TimeControl
	Seats       game.Seats
	Visibility  game.Visibility
}

// CreateGame creates a game.
func (s *Service) CreateGame(ctx context.Context, call Call, wish NewGame) (Changed, error) {
	if replay, err := s.replay(ctx, call); replay != nil || err != nil {
		return orZero(replay), err
	}
	return s.create(ctx, call, wish, nil)
}

func (s *Service) create(ctx context.Context, call Call, wish NewGame, origin *game.ForkPoint) (Changed, error) {
	seats, err := s.nameSeats(ctx, wish.Seats)
	if err != nil {
		return Changed{}, err
	}
	if wish.Visibility == "" {
		wish.Visibility = game.Public
	}
	created := game.Created{
		Creator:     call.Caller.Player.ID,
		Visibility:  wish.Visibility,
		Setup:       wish.Setup,
		TimeControl: wish.TimeControl,
		Seats:       seats,
		ForkedFrom:  origin,
	}
	d, err := game.Create(s.newID(), created, s.now())
	if err != nil {
		return Changed{}, err
	}
	return s.commit(ctx, call, d)
}

// nameSeats looks up the names of the seated players.
func (s *Service) nameSeats(ctx context.Context, seats game.Seats) (game.Seats, error) {
	for i, seat := range seats {
		if seat.Player == "" || seat.Name != "" {
			continue
		}
		player, err := s.games.Player(ctx, seat.Player)
		if errors.Is(err, game.ErrNotFound) {
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
	return s.create(ctx, call, wish, &game.ForkPoint{GameID: id, Version: origin.Version})
}

// JoinGame seats the caller.
func (s *Service) JoinGame(ctx context.Context, call Call, id string, side rules.Side) (Changed, error) {
	seat := game.Seat{Player: call.Caller.Player.ID, Name: call.Caller.Player.Name}
	return s.change(ctx, call, id, func(g game.Game, now time.Time) (game.Decision, error) { return g.Join(seat, side, now) })
}

// PlayMove plays a move of the caller. read reads the move for the board of the game; expected is the version the
// caller has seen, 0 for any. What counts is when it was called.
func (s *Service) PlayMove(
	ctx context.Context, call Call, id string, read func(rules.Position) (rules.Move, error), expected int,
) (Changed, error) {
	return s.change(ctx, call, id, func(g game.Game, now time.Time) (game.Decision, error) {
		move, err := read(g.Position)
		if err != nil {
			return game.Decision{}, err
		}
		return g.Play(call.Caller.Player.ID, move, expected, now)
	})
}

// Resign gives a game up.
func (s *Service) Resign(ctx context.Context, call Call, id string, side rules.Side) (Changed, error) {
	return s.change(ctx, call, id, func(g game.Game, now time.Time) (game.Decision, error) {
		return g.Resign(call.Caller.Player.ID, side, now)
	})
}

// AbortGame calls a game off.
func (s *Service) AbortGame(ctx context.Context, call Call, id string) (Changed, error) {
	return s.change(ctx, call, id, func(g game.Game, now time.Time) (game.Decision, error) { return g.Abort(call.Caller.Player.ID, now) })
}

// ClaimAbandonment goes on without the opponent, who is away.
func (s *Service) ClaimAbandonment(ctx context.Context, call Call, id string) (Changed, error) {
	return s.change(ctx, call, id, func(g game.Game, now time.Time) (game.Decision, error) {
		return g.ClaimAbandonment(call.Caller.Player.ID, now)
	})
}

// SetRobot gives a robot another strategy. robot reads it for the kind of the game.
func (s *Service) SetRobot(
	ctx context.Context, call Call, id string, side rules.Side, robot func(rules.Position) (game.Robot, error),
) (Changed, error) {
	return s.change(ctx, call, id, func(g game.Game, now time.Time) (game.Decision, error) {
		r, err := robot(g.Position)
		if err != nil {
			return game.Decision{}, err
		}
		return g.SetRobot(call.Caller.Player.ID, side, r, now)
	})
}

// decider decides how a game changes, given when that was wished for.
type decider func(g game.Game, now time.Time) (game.Decision, error)

// change changes a game that the caller may see as decided, given what this process knows of it, and decides again whenever
// another change came first.
func (s *Service) change(ctx context.Context, call Call, id string, decide decider) (Changed, error) {
	now := s.now()
	decideIfVisible := func(g game.Game, now time.Time) (game.Decision, error) {
		if !g.VisibleTo(call.Caller.Player.ID) {
			return game.Decision{}, gameNotFound(id)
		}
		return decide(g, now)
	}
	g, err := s.games.CachedGame(ctx, id)
	for err == nil {
		var changed Changed
		if changed, err = s.changeOnce(ctx, call, g, now, decideIfVisible); !errors.Is(err, game.ErrConflict) {
			return changed, err
		}
		g, err = s.games.Game(ctx, id)
	}
	if errors.Is(err, game.ErrNotFound) {
		return Changed{}, gameNotFound(id)
	}
	return Changed{}, s.away(err)
}

// changeOnce changes a game unless another change comes first, which is ErrConflict. A game whose time is up changes by that
// first, so that nobody depends on whether somebody else has noticed it. Whether the game is as it is thought to be, and
// whether the request was answered before, is looked up only once something speaks against it, which keeps the usual case
// at one write: what was decided on another version, or was committed before, is not committed.
func (s *Service) changeOnce(ctx context.Context, call Call, g game.Game, now time.Time, decide decider) (Changed, error) {
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
	is, err := s.games.Game(ctx, g.ID)
	if err != nil {
		return Changed{}, s.away(err)
	}
	if is.Version != g.Version {
		return s.changeOnce(ctx, call, is, now, decide)
	}
	return s.replayOr(ctx, call, refusal)
}

// commit commits a decision. It returns game.ErrConflict if another change came first.
func (s *Service) commit(ctx context.Context, call Call, d game.Decision) (Changed, error) {
	change := game.Change{Game: d.Game, Events: d.Events}
	if call.RequestID != "" {
		change.Request = &game.Request{
			Caller:      call.Caller.id(),
			ID:          call.RequestID,
			Fingerprint: call.Fingerprint,
			GameID:      d.Game.ID,
			First:       d.Events[0].Version,
			Last:        d.Game.Version,
		}
	}
	switch err := s.commits.Commit(ctx, change); {
	case errors.Is(err, game.ErrRequestSeen):
		replay, err := s.replay(ctx, call)
		return orZero(replay), err
	case errors.Is(err, game.ErrConflict):
		return Changed{}, game.ErrConflict
	case err != nil:
		return Changed{}, s.away(err)
	}
	return Changed{Game: d.Game, Event: d.Events[0]}, nil
}

// replay returns the answer that the request got the first time, nil if it is new.
func (s *Service) replay(ctx context.Context, call Call) (*Changed, error) {
	if call.RequestID == "" {
		return nil, nil
	}
	seen, err := s.games.Request(ctx, call.Caller.id(), call.RequestID)
	if errors.Is(err, game.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, s.away(err)
	}
	if seen.Fingerprint != call.Fingerprint {
		return nil, fault.New(fault.RequestIDReused, "the request id was used for another request").
			With("requestId", call.RequestID)
	}
	log, err := s.games.Events(ctx, seen.GameID, 0, seen.Last)
	if err != nil {
		return nil, s.away(err)
	}
	g, err := game.Replay(log)
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
	if errors.Is(err, game.ErrContended) {
		return fault.New(fault.StoreContended, "other changes came first, again and again; nothing was changed").
			RetryIn(100 * time.Millisecond)
	}
	s.log.Error("the store failed", "error", err)
	return fault.New(fault.StoreUnavailable, "the store cannot be reached").RetryIn(time.Second)
}

// Shutdown ends every stream with a word, so that servers can stop in time. It may be called more than once.
func (s *Service) Shutdown() { s.stopOnce.Do(func() { close(s.stop) }) }
