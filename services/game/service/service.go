// Package service has the use cases of the Game service: commands, reads, streams and players. A
// command loads a game, decides with package game and commits once. Moves of robots and expired
// clocks are in package robots, the wire format is in package grpcapi.
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
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/tokens"
)

// Service has the use cases of games and players. It is safe for concurrent use, and several
// processes may run one on the same store.
type Service struct {
	games    *Games
	commits  Committer
	log      *slog.Logger
	keys     *keyring
	limits   *limits
	lag      prometheus.Histogram
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
	// Shared reports that other processes use the same store. RotateKey then returns only when all
	// of them reject the old key.
	Shared bool
	// HeartbeatInterval is the longest time without a message on a stream.
	HeartbeatInterval time.Duration
	// SlowReaderTimeout is the longest time that a message may wait to be read; then its stream
	// ends.
	SlowReaderTimeout time.Duration
	// MaxStreams is the number of streams that one caller may have open.
	MaxStreams int
	// MaxAddressStreams is the number of streams that all callers at one address may have open,
	// apart from products.
	MaxAddressStreams int
	// LagGrace is the time after its deadline in which a move still counts. Deadlines in answers do
	// not include it.
	LagGrace time.Duration
	// CallRates are the numbers of calls per second that one caller may make, and all callers at
	// one address apart from products, after a burst of twice as many.
	CallRates callquota.Rates
	// MaxInvitations is the number of games with open invitations that one player may have created.
	MaxInvitations int
	// PlayerRate is the number of players per minute that one address may create, after a burst of
	// as many.
	PlayerRate float64
	// WrongKeyRate is the number of different wrong keys per minute that one address may send, after
	// a burst of as many. Then keys from it that are not known to be valid are rejected.
	WrongKeyRate float64
	// CheckWebhookURL returns an error for a URL that no webhook may have.
	CheckWebhookURL func(url string) error
}

// Committer commits changes: [Games], or the robots, which also work on the robot's turn that a
// change leads to.
type Committer interface {
	Commit(ctx context.Context, change game.Change) error
}

// New returns a service of games. It commits through commits, which passes each change on to games.
func New(games *Games, commits Committer, log *slog.Logger, settings Settings) *Service {
	return &Service{
		games:    games,
		commits:  commits,
		log:      log,
		keys:     newKeyring(games, settings, games.caches),
		limits:   newLimits(settings, games.caches),
		lag:      newLag(),
		settings: settings,
		stop:     make(chan struct{}),
	}
}

// now returns the shared time at the precision of the store.
func (s *Service) now() time.Time { return s.games.Now().UTC().Truncate(time.Microsecond) }

// newID returns a lower-case ULID. Ids of one process increase.
func (s *Service) newID() string { return strings.ToLower(ulid.Make().String()) }

// newGameID returns the id of a game that a call creates. The repeated call gets an id in the same
// shard, which knows the request.
func (s *Service) newGameID(call Call) string {
	if call.RequestID == "" {
		return s.newID()
	}
	return game.PlacedBy(s.newID(), call.Caller.Player.ID, call.RequestID)
}

// Call identifies a call that changes something. A call with the RequestID and Fingerprint of an
// earlier one gets the answer of the earlier one. Without a RequestID every call is new.
type Call struct {
	Caller      Caller
	RequestID   string
	Fingerprint [32]byte
}

// Result is the game after a change and the first event of the change. Replayed marks the answer of
// an earlier call with the same request id.
type Result struct {
	Game     game.Game
	Event    game.Event
	Replayed bool
}

// NewGame describes a game to create. Seats of players need no name.
type NewGame struct {
	Setup       games.Setup
	TimeControl *game.TimeControl
	Seats       game.Seats
	Visibility  game.Visibility
	Origin      game.Origin
}

// CreateGame creates a game.
func (s *Service) CreateGame(ctx context.Context, call Call, n NewGame) (Result, error) {
	id := s.newGameID(call)
	if earlier, seen, err := s.earlierResult(ctx, call, id); seen || err != nil {
		return earlier, err
	}
	return s.create(ctx, call, id, n, nil)
}

// ForkGame creates a game from the position of another game after a version, 0 for the latest.
// describe returns the new game without its setup.
func (s *Service) ForkGame(
	ctx context.Context, call Call, id string, version int,
	describe func(forked game.Game) (NewGame, error),
) (Result, error) {
	forked, err := s.GameAt(ctx, call.Caller, id, version)
	if err != nil {
		return Result{}, err
	}
	forkID := s.newGameID(call)
	if earlier, seen, err := s.earlierResult(ctx, call, forkID); seen || err != nil {
		return earlier, err
	}
	n, err := describe(forked)
	if err != nil {
		return Result{}, err
	}
	n.Visibility = cmp.Or(n.Visibility, forked.Visibility)
	n.Setup = forked.Setup.StartingAt(forked.Position)
	from := &game.ForkPoint{GameID: id, Version: forked.Version}
	if n.Visibility.WiderThan(forked.Visibility) {
		from = nil // The id of the forked game is not for everyone who sees the fork.
	}
	return s.create(ctx, call, forkID, n, from)
}

func (s *Service) create(
	ctx context.Context, call Call, id string, n NewGame, from *game.ForkPoint,
) (Result, error) {
	seats, err := s.seat(ctx, call.Caller, n.Seats)
	if err != nil {
		return Result{}, err
	}
	if err := s.limitInvitations(ctx, call.Caller, seats.Invitations()); err != nil {
		return Result{}, err
	}
	created := game.Created{
		Creator:     call.Caller.Player.ID,
		Visibility:  cmp.Or(n.Visibility, game.Public),
		Setup:       n.Setup,
		TimeControl: n.TimeControl,
		Seats:       seats,
		ForkedFrom:  from,
		Origin:      n.Origin,
	}
	d, err := game.Create(id, created, s.now())
	if err != nil {
		return Result{}, err
	}
	return s.commit(ctx, call, d)
}

// seat returns the seats with the names of their players. A player other than the caller is
// invited, but a service key seats its own users at once.
func (s *Service) seat(ctx context.Context, caller Caller, seats game.Seats) (game.Seats, error) {
	for i, seat := range seats {
		switch seat.Player {
		case "":
			continue
		case caller.Player.ID:
			seats[i] = caller.Player.Seat()
			continue
		}
		player, err := s.games.Player(ctx, seat.Player)
		if errors.Is(err, game.ErrNotFound) {
			return seats, fault.New(fault.PlayerNotFound, "there is no player %s", seat.Player).
				With("playerId", seat.Player).At(fmt.Sprintf("seats[%d].player.playerId", i))
		}
		if err != nil {
			return seats, s.storeError(err)
		}
		seats[i] = player.Seat()
		seats[i].Invited = !caller.actsFor(player)
	}
	return seats, nil
}

// limitInvitations returns an error if the caller has too many games with open invitations. For a
// game without invitations (n = 0) there is no limit. Concurrent calls may exceed the limit by a few.
func (s *Service) limitInvitations(ctx context.Context, caller Caller, n int) error {
	if n == 0 {
		return nil
	}
	open, err := s.games.Invitations(ctx, caller.Player.ID)
	if err != nil {
		return s.storeError(err)
	}
	if limit := s.settings.MaxInvitations; open >= limit {
		return fault.New(fault.TooManyInvitations,
			"you have %d games with open invitations, at most %d are allowed: wait until "+
				"players accept, or abort games that wait", open, limit).
			With("limit", limit).RetryIn(time.Minute)
	}
	return nil
}

// Command decides on a game for a player, at the time of the call. It must be pure: it may run more
// than once.
type Command func(g game.Game, by game.Player, now time.Time) (game.Decision, error)

// Change runs a command on a game that the caller may see. If another change comes first, it runs
// the command again on the changed game. It decides on the cached game, which may be stale.
func (s *Service) Change(
	ctx context.Context, call Call, id string, command Command,
) (Result, error) {
	now := s.now()
	g, err := s.games.CachedGame(ctx, id)
	for err == nil {
		var result Result
		if result, err = s.changeOnce(ctx, call, g, now, command); !errors.Is(err, game.ErrConflict) {
			return result, err
		}
		g, err = s.games.Game(ctx, id)
	}
	if errors.Is(err, game.ErrNotFound) {
		return Result{}, errGameNotFound(id)
	}
	return Result{}, s.notSent(err)
}

// changeOnce runs a command on a game. It returns ErrConflict if another change comes first. If the
// time of the player to move is up, it commits that first, so that the result does not depend on
// the timekeeper. An accepted command costs one write, because the store rejects old versions and
// requests that were committed before. After another command, changeOnce re-reads the game and looks
// for an earlier result of the request.
func (s *Service) changeOnce(
	ctx context.Context, call Call, g game.Game, now time.Time, command Command,
) (Result, error) {
	if d, up := g.TimeUp(now, s.settings.LagGrace); up && s.games.InSync() {
		result, err := s.commit(ctx, Call{}, d)
		if err != nil {
			return Result{}, err
		}
		g = result.Game
	}
	var d game.Decision
	rejected := errGameNotFound(g.ID)
	if g.VisibleTo(call.Caller.Player.ID) {
		d, rejected = command(g, call.Caller.Player, now)
	}
	if rejected == nil && len(d.Events) > 0 {
		return s.commit(ctx, call, d)
	}
	current, err := s.games.Game(ctx, g.ID)
	if err != nil {
		return Result{}, s.storeError(err)
	}
	if current.Version != g.Version {
		return s.changeOnce(ctx, call, current, now, command)
	}
	result, err := s.earlierResultOr(ctx, call, g.ID, rejected)
	if err == nil && !result.Replayed {
		result.Game = current // The command changes nothing.
	}
	return result, err
}

// commit commits a decision. It returns ErrConflict if another change came first.
func (s *Service) commit(ctx context.Context, call Call, d game.Decision) (Result, error) {
	change := d.Change()
	if call.RequestID != "" {
		change.Request = &game.Request{
			Caller:      call.Caller.Player.ID,
			ID:          call.RequestID,
			Fingerprint: call.Fingerprint,
			GameID:      d.Game.ID,
			First:       d.Events[0].Version,
			Last:        d.Game.Version,
		}
	}
	switch err := s.commits.Commit(ctx, change); {
	case errors.Is(err, game.ErrRequestSeen):
		earlier, _, err := s.earlierResult(ctx, call, d.Game.ID)
		return earlier, err
	case errors.Is(err, game.ErrConflict):
		return Result{}, game.ErrConflict
	case err != nil:
		return Result{}, s.storeError(err)
	}
	return Result{Game: d.Game, Event: d.Events[0]}, nil
}

// earlierResult returns the result of an earlier call with the same request id in the shard of a
// game, if there is one.
func (s *Service) earlierResult(
	ctx context.Context, call Call, gameID string,
) (earlier Result, seen bool, err error) {
	if call.RequestID == "" {
		return Result{}, false, nil
	}
	request, err := s.games.Request(ctx, call.Caller.Player.ID, call.RequestID, gameID)
	if errors.Is(err, game.ErrNotFound) {
		return Result{}, false, nil
	}
	if err != nil {
		return Result{}, false, s.storeError(err)
	}
	if request.Fingerprint != call.Fingerprint {
		return Result{}, false, fault.New(fault.RequestIDReused,
			"the request id was used for another request: use a new one").
			With("requestId", call.RequestID)
	}
	earlier, bytes, err := s.games.result(ctx, request)
	s.Charge(call.Caller, bytes>>10)
	return earlier, err == nil, s.storeError(err)
}

// earlierResultOr returns the result of an earlier call with the same request id, or the error of a
// rejected command. It does not reveal the existence of a game that the caller may not see, even if
// they reuse a request id.
func (s *Service) earlierResultOr(
	ctx context.Context, call Call, gameID string, rejected error,
) (Result, error) {
	earlier, seen, err := s.earlierResult(ctx, call, gameID)
	if fault.ReasonOf(err) == fault.RequestIDReused && fault.ReasonOf(rejected) == fault.GameNotFound {
		err = nil
	}
	if !seen {
		return Result{}, cmp.Or(err, rejected)
	}
	return earlier, nil
}

// storeError logs an unexpected error of the store and returns the error for the caller. It returns
// nil and errors of a context unchanged.
func (s *Service) storeError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, game.ErrContended) {
		return fault.New(fault.StoreContended,
			"the change lost to concurrent changes and was not made: retry it").
			RetryIn(100 * time.Millisecond)
	}
	if errors.Is(err, game.ErrInvalidValue) {
		return fault.Invalid("a text has a NUL character or is not valid UTF-8")
	}
	if !errors.Is(err, game.ErrUnavailable) { // The store logs when that begins and ends.
		s.log.Error("store failed", "error", err)
	}
	failed := fault.New(fault.StoreUnavailable, "the store is unavailable").RetryIn(time.Second)
	if errors.Is(err, game.ErrNotSent) {
		return failed.With("sent", false)
	}
	return failed
}

// notSent returns the error for a caller whose change was not sent, because the store failed
// before.
func (s *Service) notSent(err error) error {
	err = s.storeError(err)
	if fault.ReasonOf(err) == fault.StoreUnavailable {
		failed, _ := errors.AsType[*fault.Error](err)
		return failed.With("sent", false)
	}
	return err
}

// Ready returns an error if the store cannot be used.
func (s *Service) Ready(ctx context.Context) error { return s.games.Ping(ctx) }

// Shutdown ends every stream with a final message, so that servers can stop. It can be called more
// than once.
func (s *Service) Shutdown() { s.stopOnce.Do(func() { close(s.stop) }) }
