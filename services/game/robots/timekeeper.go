package robots

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

const (
	// clockPoll is the interval between two searches for expired clocks.
	clockPoll = 500 * time.Millisecond
	// commitGrace is the time that a move that came in time may take to be committed before the
	// clock ends the turn.
	commitGrace = 500 * time.Millisecond
	// clockLease is the time after which another process takes over an expired clock.
	clockLease = 5 * time.Second
)

// KeepTime ends the turns of players whose time is up until ctx ends, whether or not anyone
// watches. Any number of processes may do so on one store: a lease gives each turn to one of them.
func (r *Robots) KeepTime(ctx context.Context) {
	holder := rand.Text()
	poll := time.NewTicker(clockPoll)
	defer poll.Stop()
	for {
		if r.games.InSync() {
			r.endOverdue(ctx, holder)
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return
		}
	}
}

// endOverdue ends the turns that are overdue longest. A turn that fails is not read again before
// its lease ends, so that it does not hold up the others.
func (r *Robots) endOverdue(ctx context.Context, holder string) {
	now := r.now()
	overdue, err := r.games.DueClocks(ctx, now.Add(-r.settings.LagGrace-commitGrace), now, dueLimit)
	if err != nil {
		r.warn(ctx, "cannot read the expired clocks", err)
	}
	var working sync.WaitGroup
	for _, turn := range overdue {
		working.Go(func() {
			if err := r.endTurn(ctx, turn.GameID, holder); err != nil {
				r.warn(ctx, "an expired clock is left to the next poll", err, "gameId", turn.GameID)
			}
		})
	}
	working.Wait()
}

// endTurn ends the turn of a game if its time is up and no other process holds the lease.
func (r *Robots) endTurn(ctx context.Context, id, holder string) error {
	g, err := r.games.Game(ctx, id)
	if err != nil {
		return err
	}
	now := r.now()
	d, up := g.TimeUp(now, r.settings.LagGrace)
	if !up {
		return nil
	}
	lease := game.Lease{GameID: id, Version: g.Version, Holder: holder, Until: now.Add(clockLease)}
	if ok, err := r.games.Lease(ctx, lease, now); err != nil || !ok {
		return err
	}
	err = r.Commit(ctx, game.Change{Game: d.Game, Events: d.Events})
	if errors.Is(err, game.ErrConflict) {
		return nil
	}
	return err
}
