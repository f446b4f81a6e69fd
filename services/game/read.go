package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Game returns a game that the caller may see; for others it does not exist.
func (s *Service) Game(ctx context.Context, caller Caller, id string) (Game, error) {
	g, err := s.store.Game(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && !g.VisibleTo(caller.Player.ID) {
		return Game{}, gameNotFound(id)
	}
	if err != nil {
		return Game{}, s.away(err)
	}
	return g, nil
}

// gameNotFound says that there is no game, or none that the caller may see, which is the same to him.
func gameNotFound(id string) error {
	return fault.New(fault.GameNotFound, "there is no game %.40q", id).With("gameId", id)
}

// GameAt returns a game as it was after a version; 0 is the latest.
func (s *Service) GameAt(ctx context.Context, caller Caller, id string, version int) (Game, error) {
	g, err := s.Game(ctx, caller, id)
	if err != nil || version == 0 || version == g.Version {
		return g, err
	}
	if version > g.Version {
		return g, notReached(g, version).At("version")
	}
	log, err := s.store.Events(ctx, id, 0, version)
	if err != nil {
		return g, s.away(err)
	}
	return Replay(log)
}

// notReached says that a game has no such version yet.
func notReached(g Game, version int) *fault.Error {
	return fault.New(fault.InvalidField, "the game is at version %d and has not reached %d", g.Version, version).
		With("currentVersion", g.Version)
}

// Games returns games that the caller may see.
func (s *Service) Games(ctx context.Context, caller Caller, filter Filter) ([]Game, error) {
	filter.Viewer = caller.Player.ID
	found, err := s.store.Games(ctx, filter)
	if err != nil {
		return nil, s.away(err)
	}
	return found, nil
}

// Events returns the events of a game after a version, at most limit. Where there is none yet it waits for one,
// up to wait, and counts among the caller's streams.
func (s *Service) Events(ctx context.Context, caller Caller, id string, after, limit int, wait time.Duration) ([]Event, error) {
	if wait > 0 {
		done, err := s.limits.openStream(caller.allowance(), s.now())
		if err != nil {
			return nil, err
		}
		defer done()
	}
	wake := s.feed.Subscribe(gameTopic(id))
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
			return s.eventsUpTo(ctx, id, after, g.Version, limit)
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

// eventsUpTo returns the events after a version, at most limit: from memory where all up to version are there,
// else from the store. Those who watch a game that moved in another process all ask at once, and share one read.
func (s *Service) eventsUpTo(ctx context.Context, id string, after, version, limit int) ([]Event, error) {
	if version <= after {
		return nil, nil
	}
	if events := s.recent.between(id, after, version); events != nil {
		return events[:min(limit, len(events))], nil
	}
	read, err, _ := s.reads.Do(fmt.Sprint(id, " ", after, " ", version, " ", limit), func() (any, error) {
		// It is not the first one's alone, and goes on when he leaves.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedRead)
		defer cancel()
		events, err := s.store.Events(ctx, id, after, limit)
		s.recent.add(events)
		return events, err
	})
	if err != nil {
		return nil, s.away(err)
	}
	return read.([]Event), nil
}

// sharedRead is how long a read may take that several wait for.
const sharedRead = 10 * time.Second

// LastFlips returns what the last move of a game flipped; a pass flipped nothing.
func (s *Service) LastFlips(ctx context.Context, g Game) ([]rules.Flip, error) {
	// A move is followed by at most one other event until the next move, but for passes and changed robots.
	const window = 8
	events, err := s.store.Events(ctx, g.ID, max(0, g.Version-window), min(window, g.Version))
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
func (s *Service) Ready(ctx context.Context) error { return s.store.Ping(ctx) }

// Stats returns the figures that operators watch.
func (s *Service) Stats(ctx context.Context) (Stats, error) { return s.store.Stats(ctx) }
