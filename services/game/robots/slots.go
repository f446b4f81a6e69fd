package robots

import (
	"context"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// dueLimit is the number of due turns that the first read of the store returns at most.
const dueLimit = 256

// takeDue starts to work on due turns while there are free slots. Turns without a free slot stay in
// front of the list, so that it reads a longer list until it finds others.
func (r *Robots) takeDue(ctx context.Context) {
	for limit := dueLimit; ctx.Err() == nil; limit *= 2 {
		due, err := r.games.DueRobots(ctx, now(), limit)
		if err != nil {
			r.log.Warn("cannot read the due turns of robots", "error", err)
			return
		}
		taken := false
		for _, id := range due {
			taken = r.take(ctx, id) || taken
		}
		if taken || len(due) < limit {
			return
		}
	}
}

// take starts to work on the turn of a game and reports whether it could. The cached game shows
// whether any robot of the game has a free slot, usually without a read of the database.
func (r *Robots) take(ctx context.Context, id string) bool {
	g, err := r.games.CachedGame(ctx, id)
	if err != nil || r.allFull(g) {
		return false
	}
	if g, err = r.games.Game(ctx, id); err != nil {
		return false
	}
	slot := r.reserve(g)
	if slot == nil {
		return false
	}
	if ok, err := r.games.Lease(ctx, slot.lease, now()); err != nil || !ok {
		slot.free()
		return false
	}
	slot.start(ctx, g)
	return true
}

// quota identifies the slots that a provider has for the games of one creator.
type quota struct{ provider, creator string }

// slot is the right to work on one turn.
type slot struct {
	robots *Robots
	// running ends when the robots stop.
	running context.Context
	quota   quota
	lease   game.Lease
}

// reserve reserves a slot for the turn of a game. It returns nil if no slot is free or it is no
// robot's turn.
func (r *Robots) reserve(g game.Game) *slot {
	robot := g.RobotToMove()
	if robot == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	q := quota{provider: robot.Provider, creator: g.Creator}
	if r.running == nil || r.full(q) {
		return nil
	}
	r.reserved[q.provider]++
	r.reservedFor[q]++
	r.working.Add(1)
	return &slot{r, r.running, q, r.lease(g, now().Add(r.settings.Lease))}
}

// allFull reports whether no robot of a game has a free slot.
func (r *Robots) allFull(g game.Game) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	robots, full := 0, 0
	for _, seat := range g.Seats {
		if seat.Robot == nil {
			continue
		}
		robots++
		if r.full(quota{provider: seat.Robot.Provider, creator: g.Creator}) {
			full++
		}
	}
	return robots > 0 && full == robots
}

// full reports whether no slot is free. The caller holds mu.
func (r *Robots) full(q quota) bool {
	limit := r.settings.Parallel
	return r.reserved[q.provider] >= limit || r.reservedFor[q] >= max(1, limit/4)
}

func (r *Robots) lease(g game.Game, until time.Time) game.Lease {
	return game.Lease{GameID: g.ID, Version: g.Version, Holder: r.holder, Until: until}
}

// free frees the slot and wakes Run if turns may wait for it.
func (s *slot) free() {
	r := s.robots
	defer r.working.Done()
	r.mu.Lock()
	defer r.mu.Unlock()
	wasFull := r.full(s.quota)
	r.reserved[s.quota.provider]--
	r.reservedFor[s.quota]--
	if r.reservedFor[s.quota] == 0 {
		delete(r.reservedFor, s.quota)
	}
	if !wasFull {
		return
	}
	select {
	case r.freed <- struct{}{}:
	default:
	}
}
