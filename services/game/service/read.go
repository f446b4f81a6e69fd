package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Game returns a game that the caller may see; for others it does not exist.
func (s *Service) Game(ctx context.Context, caller Caller, id string) (game.Game, error) {
	g, err := s.games.Game(ctx, id)
	if errors.Is(err, game.ErrNotFound) || err == nil && !g.VisibleTo(caller.Player.ID) {
		return game.Game{}, gameNotFound(id)
	}
	if err != nil {
		return game.Game{}, s.away(err)
	}
	return g, nil
}

// gameNotFound says that there is no game, or none that the caller may see, which is the same to him.
func gameNotFound(id string) error {
	return fault.New(fault.GameNotFound, "there is no game %.40q", id).With("gameId", id)
}

// GameAt returns a game as it was after a version; 0 is the latest.
func (s *Service) GameAt(ctx context.Context, caller Caller, id string, version int) (game.Game, error) {
	g, err := s.Game(ctx, caller, id)
	if err != nil || version == 0 || version == g.Version {
		return g, err
	}
	if version > g.Version {
		return g, notReached(g, version).At("version")
	}
	log, err := s.games.Events(ctx, id, 0, version)
	if err != nil {
		return g, s.away(err)
	}
	return game.Replay(log)
}

// notReached says that a game has no such version yet.
func notReached(g game.Game, version int) *fault.Error {
	return fault.New(fault.InvalidField, "the game is at version %d and has not reached %d", g.Version, version).
		With("currentVersion", g.Version)
}

// Games returns games that the caller may see.
func (s *Service) Games(ctx context.Context, caller Caller, filter game.Filter) ([]game.Game, error) {
	filter.Viewer = caller.Player.ID
	found, err := s.games.Games(ctx, filter)
	if err != nil {
		return nil, s.away(err)
	}
	return found, nil
}

// Events returns the events of a game after a version, at most limit. Where there is none yet it waits for one,
// up to wait, and counts among the caller's streams.
func (s *Service) Events(ctx context.Context, caller Caller, id string, after, limit int, wait time.Duration) ([]game.Event, error) {
	if wait > 0 {
		done, err := s.limits.openStream(caller.allowance(), s.now())
		if err != nil {
			return nil, err
		}
		defer done()
	}
	wake := s.games.feed.Subscribe(game.GameTopic(id))
	defer wake.Close()
	timeUp := time.NewTimer(wait)
	defer timeUp.Stop()
	// A wake-up that was lost is healed here as it is on a stream.
	beat := time.NewTicker(s.settings.HeartbeatInterval)
	defer beat.Stop()
	for waited := wait == 0; ; {
		g, err := s.Game(ctx, caller, id)
		if err != nil {
			return nil, err
		}
		if g.Version > after || waited || g.State.Over() {
			events, err := s.games.eventsUpTo(ctx, id, after, g.Version, limit)
			if err != nil {
				return nil, s.away(err)
			}
			return events, nil
		}
		select {
		case <-wake.C():
		case <-beat.C:
		case <-timeUp.C:
			waited = true
		case <-s.stop:
			waited = true
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// LastFlips returns what the last move of a game flipped; a pass flipped nothing.
func (s *Service) LastFlips(ctx context.Context, g game.Game) ([]rules.Flip, error) {
	// A move is followed by at most one other event until the next move, but for passes and changed robots.
	const window = 8
	events, err := s.games.Events(ctx, g.ID, max(0, g.Version-window), min(window, g.Version))
	if err != nil {
		return nil, s.away(err)
	}
	for _, e := range slices.Backward(events) {
		if e.MovePlayed != nil {
			return e.MovePlayed.Flips, nil
		}
	}
	return nil, nil
}

// Ready reports whether the store can be used.
func (s *Service) Ready(ctx context.Context) error { return s.games.Ping(ctx) }

// Stats returns the figures that operators watch.
func (s *Service) Stats(ctx context.Context) (game.Stats, error) { return s.games.Stats(ctx) }
