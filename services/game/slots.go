package game

import "context"

// dueAtOnce is how many turns that nobody works on are looked at in one read, at first.
const dueAtOnce = 256

// takeDue starts to work on the turns that nobody works on, as far as there are slots. Those for which there is none stay
// in front, so that it looks further until it finds others.
func (r *Robots) takeDue(ctx context.Context) {
	for limit := dueAtOnce; ctx.Err() == nil; limit *= 2 {
		due, err := r.service.store.DueRobots(ctx, r.service.now(), limit)
		if err != nil {
			r.log.Warn("cannot look for robots' turns", "error", err)
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

// take starts to work on a turn if there is a slot for it. That there is none, whichever robot of the game is to move, is seen
// by what is known of it, mostly without asking the database.
func (r *Robots) take(ctx context.Context, id string) bool {
	g, err := r.service.store.CachedGame(ctx, id)
	if err != nil || r.allFull(g) {
		return false
	}
	if g, err = r.service.store.Game(ctx, id); err != nil {
		return false
	}
	slot := r.reserve(g)
	lease := slot.lease()
	if lease == nil {
		return false
	}
	if ok, err := r.service.store.Lease(ctx, *lease, r.service.now()); err != nil || !ok {
		slot.free()
		return false
	}
	slot.work(ctx, g)
	return true
}

// share is what the games of one creator have of the slots of a provider.
type share struct{ provider, creator string }

// slot is room to work on one turn. A nil slot does nothing: there was no room, or no robot is to move.
type slot struct {
	robots *Robots
	share  share
	leased Lease
}

// reserve takes room to work on the turn of a game, so that a commit can take the lease along.
func (r *Robots) reserve(g Game) *slot {
	if r == nil || g.RobotToMove() == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	of := share{provider: g.RobotToMove().Provider, creator: g.Creator}
	if r.full(of) || r.ctx.Err() != nil {
		return nil
	}
	r.taken[of.provider]++
	r.held[of]++
	r.working.Add(1)
	return &slot{robots: r, share: of, leased: r.lease(g)}
}

// allFull reports whether there is a slot for none of the robots of a game.
func (r *Robots) allFull(g Game) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	robots, full := 0, 0
	for _, seat := range g.Seats {
		if seat.Robot == nil {
			continue
		}
		robots++
		if r.full(share{provider: seat.Robot.Provider, creator: g.Creator}) {
			full++
		}
	}
	return robots > 0 && full == robots
}

// full reports whether there is no slot. The lock is held.
func (r *Robots) full(of share) bool {
	return r.taken[of.provider] >= r.settings.Parallel || r.held[of] >= max(1, r.settings.Parallel/4)
}

func (r *Robots) lease(g Game) Lease {
	return Lease{GameID: g.ID, Version: g.Version, Holder: r.holder, Until: r.service.now().Add(r.settings.Lease)}
}

func (s *slot) lease() *Lease {
	if s == nil {
		return nil
	}
	return &s.leased
}

func (s *slot) free() {
	if s == nil {
		return
	}
	r := s.robots
	defer r.working.Done()
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting := r.full(s.share)
	r.taken[s.share.provider]--
	r.held[s.share]--
	if r.held[s.share] == 0 {
		delete(r.held, s.share)
	}
	if !waiting {
		return
	}
	select {
	case r.freed <- struct{}{}:
	default:
	}
}
