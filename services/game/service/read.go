package service

import (
	"context"
	"errors"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Game returns a game that the caller may see. Other games do not exist for them.
func (s *Service) Game(ctx context.Context, caller Caller, id string) (game.Game, error) {
	g, err := s.games.Game(ctx, id)
	if errors.Is(err, game.ErrNotFound) || err == nil && !g.VisibleTo(caller.Player.ID) {
		return game.Game{}, errGameNotFound(id)
	}
	if err == nil && g.Rematch != "" {
		err = s.createRematch(ctx, id, g.Rematch)
	}
	if err != nil {
		return game.Game{}, s.storeError(err)
	}
	return g, nil
}

// errGameNotFound does not reveal whether the game exists but is private.
func errGameNotFound(id string) error {
	return fault.New(fault.GameNotFound, "there is no game %.40q", id).With("gameId", id)
}

// GameAt returns a game after a version, 0 for the latest. Fields that do not follow from its state
// and position, such as seats and clocks, are always the latest.
func (s *Service) GameAt(
	ctx context.Context, caller Caller, id string, version int,
) (game.Game, error) {
	g, err := s.Game(ctx, caller, id)
	if err != nil || version == 0 || version == g.Version {
		return g, err
	}
	if version > g.Version {
		return g, errFutureVersion(g, version).At("version")
	}
	g, err = g.At(version, s.games.findLast(ctx, id))
	return g, s.storeError(err)
}

// Preview returns a game that needs no key to be seen, for a client address.
func (s *Service) Preview(ctx context.Context, id, address string) (game.Game, error) {
	if err := s.limits.preview(address, s.now()); err != nil {
		return game.Game{}, err
	}
	return s.Game(ctx, Caller{}, id)
}

func errFutureVersion(g game.Game, version int) *fault.Error {
	return fault.Invalid("the game is at version %d and has not reached %d", g.Version, version).
		With("currentVersion", g.Version)
}

// Games returns the games that match the filter and that the caller may see.
func (s *Service) Games(
	ctx context.Context, caller Caller, filter game.Filter,
) ([]game.Game, error) {
	filter.Viewer = caller.Player.ID
	found, err := s.games.Games(ctx, filter)
	return found, s.storeError(err)
}

// Events returns the events of a game after a version, at most limit. If there is none yet, it
// waits for one, up to wait, and counts as one of the caller's streams.
func (s *Service) Events(
	ctx context.Context, caller Caller, id string, after, limit int, wait time.Duration,
) ([]*game.Event, error) {
	if wait > 0 {
		closed, err := s.limits.openStream(caller.source())
		if err != nil {
			return nil, err
		}
		defer closed()
	}
	wakes := s.games.feed.Subscribe(game.GameTopic(id))
	defer wakes.Close()
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	// Regular reads make up for lost wake-ups, as on streams.
	poll := time.NewTicker(s.settings.HeartbeatInterval)
	defer poll.Stop()
	for waited := wait == 0; ; {
		g, err := s.Game(ctx, caller, id)
		if err != nil {
			return nil, err
		}
		if g.Version > after || waited || g.State.Over() {
			events, err := s.games.eventsUpTo(ctx, id, after, g.Version, limit)
			return events, s.storeError(err)
		}
		select {
		case <-wakes.C():
		case <-poll.C:
		case <-timeout.C:
			waited = true
		case <-s.stop:
			waited = true
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// LastFlips returns the flips of the last move of a game. A pass flips nothing.
func (s *Service) LastFlips(ctx context.Context, g game.Game) ([]rules.Flip, error) {
	last, err := s.games.LastEvent(ctx, g.ID, g.Version,
		game.KindCreated, game.KindMovePlayed, game.KindMovesTakenBack)
	if err != nil || last.MovePlayed == nil {
		return nil, s.storeError(err)
	}
	return last.MovePlayed.Flips, nil
}
