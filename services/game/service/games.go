package service

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/flipside-games/flipside/services/game"
)

// Games is the store of a process that publishes each commit on the feed and keeps recent events in memory. It may be
// used from many goroutines.
type Games struct {
	game.Store
	feed   game.Feed
	recent *recentEvents
	reads  singleflight.Group
}

// NewGames returns the games of a store. All parts of a process that commit changes must share it.
func NewGames(store game.Store, feed game.Feed) *Games {
	return &Games{Store: store, feed: feed, recent: newRecentEvents()}
}

// Commit commits a change and notifies the watchers of the game and of its players' turns. It also wakes the processes
// that play robots if the change leads to a robot's turn and carries no lease for it. Cancelling ctx has no effect:
// otherwise a change could be committed without a notification.
func (g *Games) Commit(ctx context.Context, change game.Change) error {
	ctx = context.WithoutCancel(ctx)
	if err := g.Store.Commit(ctx, change); err != nil {
		return err
	}
	g.recent.add(change.Events)
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

// sharedReadTimeout bounds a read that several callers wait for.
const sharedReadTimeout = 10 * time.Second

// eventsUpTo returns the events after one version up to another, at most limit. It reads the store only if memory does
// not hold all of them. Watchers of a game that changed in another process all ask at once and share one read.
func (g *Games) eventsUpTo(ctx context.Context, id string, after, version, limit int) ([]game.Event, error) {
	if version <= after {
		return nil, nil
	}
	if events := g.recent.between(id, after, version); events != nil {
		return events[:min(limit, len(events))], nil
	}
	read, err, _ := g.reads.Do(fmt.Sprint(id, " ", after, " ", version, " ", limit), func() (any, error) {
		// The read continues for the other callers if the first one leaves.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedReadTimeout)
		defer cancel()
		events, err := g.Events(ctx, id, after, limit)
		g.recent.add(events)
		return events, err
	})
	if err != nil {
		return nil, err
	}
	return read.([]game.Event), nil
}
