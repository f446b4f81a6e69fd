package service

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/cache"
)

// Games is the store of a process that publishes each commit on the feed and caches recent events.
// It is safe for concurrent use.
type Games struct {
	game.Store
	feed   game.Feed
	caches *cache.Budget
	events *cache.Cache[eventKey, *game.Event]
	reads  singleflight.Group
}

// eventKey identifies an event.
type eventKey struct {
	game    string
	version int
}

// The weights of the caches of this package in the budget of the process.
const (
	eventsWeight          = 2
	keysWeight            = 2
	externalPlayersWeight = 1
	triedKeysWeight       = 1
	quotasWeight          = 1
)

// NewGames returns the games of a store. All parts of a process that commit changes must share it.
// Caches draw on the budget, which may be nil.
func NewGames(store game.Store, feed game.Feed, caches *cache.Budget) *Games {
	return &Games{
		Store: store, feed: feed, caches: caches,
		events: cache.New(caches, "events", eventsWeight,
			func(_ eventKey, e *game.Event) int { return e.Bytes() }),
	}
}

// Commit commits a change and notifies the watchers of the game and of its players' turns. It also
// wakes the processes that play robots if the change leads to a robot's turn and carries no lease
// for it. Cancelling ctx has no effect: otherwise a change could be committed without a
// notification.
func (g *Games) Commit(ctx context.Context, change game.Change) error {
	ctx = context.WithoutCancel(ctx)
	if err := g.Store.Commit(ctx, change); err != nil {
		return err
	}
	g.cache(change.Events)
	g.feed.Publish(ctx, game.Wake{Topic: game.GameTopic(change.Game.ID), Version: change.Game.Version})
	for _, seat := range change.Game.Seats {
		if seat.Player != "" {
			g.feed.Publish(ctx, game.Wake{Topic: game.PlayerTopic(seat.Player)})
		}
	}
	if change.Game.RobotToMove() != nil && change.Lease == nil {
		g.feed.Publish(ctx, game.Wake{Topic: game.RobotTopic})
	}
	return nil
}

// cachedTail is the number of events that one read or commit puts into the cache at most, so that a
// reader of old games does not evict recent events.
const cachedTail = 16

func (g *Games) cache(events []game.Event) {
	for _, e := range events[max(0, len(events)-cachedTail):] {
		g.events.Put(eventKey{e.GameID, e.Version}, &e)
	}
}

// cached returns the events after one version up to another, nil if one of them is not cached.
func (g *Games) cached(id string, after, version int) []*game.Event {
	events := make([]*game.Event, 0, version-after)
	for v := after + 1; v <= version; v++ {
		e, ok := g.events.Get(eventKey{id, v})
		if !ok {
			return nil
		}
		events = append(events, e)
	}
	return events
}

// sharedReadTimeout bounds a read that several callers wait for.
const sharedReadTimeout = 10 * time.Second

// eventsUpTo returns the events after one version up to another, at most limit. It reads the store
// only if they are not all cached. Watchers of a game that changed in another process all ask at
// once and share one read.
func (g *Games) eventsUpTo(
	ctx context.Context, id string, after, version, limit int,
) ([]*game.Event, error) {
	if version <= after {
		return nil, nil
	}
	if events := g.cached(id, after, min(version, after+limit)); events != nil {
		return events, nil
	}
	key := fmt.Sprint(id, " ", after, " ", version, " ", limit)
	read, err, _ := g.reads.Do(key, func() (any, error) {
		// The read continues for the other callers if the first one leaves.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedReadTimeout)
		defer cancel()
		events, err := g.Events(ctx, id, after, limit)
		g.cache(events)
		found := make([]*game.Event, len(events))
		for i := range events {
			found[i] = &events[i]
		}
		return found, err
	})
	if err != nil {
		return nil, err
	}
	return read.([]*game.Event), nil
}

// findLast returns the function that finds events of a game.
func (g *Games) findLast(ctx context.Context, id string) game.FindLast {
	return func(version int, kinds ...game.EventKind) (game.Event, error) {
		return g.LastEvent(ctx, id, version, kinds...)
	}
}

// result returns the result of a stored request, and the bytes of the log that it has replayed. If
// the game has changed since, it replays the log from the last takeback before the request.
func (g *Games) result(ctx context.Context, r game.Request) (result Result, bytes int, err error) {
	current, err := g.Game(ctx, r.GameID)
	if err != nil {
		return Result{}, 0, err
	}
	if current.Version == r.Last {
		first, err := g.Events(ctx, r.GameID, r.First-1, 1)
		if err != nil || len(first) == 0 {
			return Result{}, 0, cmp.Or(err, game.ErrNotFound)
		}
		return Result{Game: current, Event: first[0], Replayed: true}, 0, nil
	}
	start, err := current.LastTakeback(r.First-1, g.findLast(ctx, r.GameID))
	if err != nil {
		return Result{}, 0, err
	}
	log, err := g.Events(ctx, r.GameID, start.Version, r.Last-start.Version)
	if err != nil {
		return Result{}, 0, err
	}
	for _, e := range log {
		bytes += e.Bytes()
	}
	replayed, err := start.ReplayNext(log)
	if err != nil {
		return Result{}, bytes, err
	}
	return Result{Game: replayed, Event: log[r.First-1-start.Version], Replayed: true}, bytes, nil
}
