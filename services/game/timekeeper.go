package game

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// clockPoll is how often it is looked whose time is up.
	clockPoll = 500 * time.Millisecond
	// onItsWay is how long a move that came in time may take to be stored before the game goes on without it.
	onItsWay = 500 * time.Millisecond
	// clockLease is how long a game stays with a process that does not go on with it.
	clockLease = 5 * time.Second
)

// KeepTime goes on with the games of players whose time is up, whether anybody watches or not, until ctx ends. Any number of
// processes may do so: as with robots' turns, the game row is the queue, and one of them at a time has the lease.
func (s *Service) KeepTime(ctx context.Context) {
	holder := newULID()
	poll := time.NewTicker(clockPoll)
	defer poll.Stop()
	for {
		s.endOverdue(ctx, holder)
		select {
		case <-poll.C:
		case <-ctx.Done():
			return
		}
	}
}

// endOverdue goes on with the games of players whose time is up, or with those overdue longest if they are many. One that
// fails is under a lease, and so in nobody's way until that ends.
func (s *Service) endOverdue(ctx context.Context, holder string) {
	now := s.now()
	overdue, err := s.store.DueClocks(ctx, now.Add(-s.settings.LagGrace-onItsWay), now, dueAtOnce)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("cannot look whose time is up", "error", err)
	}
	var working sync.WaitGroup
	for _, id := range overdue {
		working.Go(func() {
			if err := s.endTurn(ctx, id, holder); err != nil && ctx.Err() == nil {
				s.log.Warn("a player whose time is up was left to the next poll", "gameId", id, "error", err)
			}
		})
	}
	working.Wait()
}

// endTurn goes on with a game if the time is up, nobody else does so, and nothing else happens first.
func (s *Service) endTurn(ctx context.Context, id, holder string) error {
	g, err := s.store.Game(ctx, id)
	if err != nil {
		return err
	}
	now := s.now()
	d, up := g.TimeUp(now, s.settings.LagGrace)
	if !up {
		return nil
	}
	lease := Lease{GameID: id, Version: g.Version, Holder: holder, Until: now.Add(clockLease)}
	if given, err := s.store.Lease(ctx, lease, now); err != nil || !given {
		return err
	}
	if _, err = s.commit(ctx, Call{}, d); errors.Is(err, ErrConflict) {
		return nil
	}
	return err
}
