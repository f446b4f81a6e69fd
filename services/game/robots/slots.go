package robots

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

const (
	// dueLimit is the number of due turns that the first read of the store returns at most.
	dueLimit = 256
	// deepLimit is the number of due turns that a poll reads at most.
	deepLimit = 64 * dueLimit
)

// takeDue starts to work on due turns while there are free slots. Turns without a free slot stay in
// front of the list, so that it reads longer lists, up to a limit, until it finds others.
func (r *Robots) takeDue(ctx context.Context, most int) {
	for limit := dueLimit; ctx.Err() == nil && limit <= most; limit *= 2 {
		due, err := r.games.DueRobots(ctx, r.now(), limit)
		if err != nil {
			r.warn(ctx, "cannot read the due turns of robots", err)
			return
		}
		taken := false
		for _, turn := range due {
			taken = r.take(ctx, turn.GameID) || taken
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
	if ok, err := r.games.Lease(ctx, slot.lease, r.now()); err != nil || !ok {
		slot.free()
		return false
	}
	slot.start(ctx, g)
	return true
}

const (
	// shortTurn is the thinking time below which a turn is short.
	shortTurn = time.Second
	// unitTime is the thinking time for which a long turn takes one more slot.
	unitTime = 10 * time.Second
)

// turn describes the use of slots by a robot's turn.
type turn struct {
	provider string
	// parties share the slots: the creator of the game, and the product or the address that the
	// creator called from.
	parties []string
	// slots is the number of slots that the turn takes. A short turn takes one.
	slots int
	short bool
}

// turnOf returns the turn of a robot in a game.
func (r *Robots) turnOf(g game.Game, robot *game.Robot) turn {
	t := turn{provider: robot.Provider, slots: 1, parties: []string{"creator " + g.Creator}}
	if from := g.Origin; from.Service != "" {
		t.parties = append(t.parties, "service "+from.Service)
	} else if from.Address != 0 {
		t.parties = append(t.parties, fmt.Sprint("address ", from.Address))
	}
	thinking := r.strategies.ThinkingTime(*robot)
	if t.short = thinking < shortTurn; !t.short {
		t.slots = min(1+int((thinking+unitTime-1)/unitTime), max(1, r.settings.Parallel/16))
	}
	return t
}

// load counts the slots of a provider that are in use.
type load struct {
	short, long int
	// parties counts the slots of each party.
	parties map[string]int
}

// reservedSlots returns the number of slots that only short turns get.
func (r *Robots) reservedSlots() int { return r.settings.Parallel / 4 }

// freeSlots returns the number of slots that are free for short turns or for long ones. A short turn
// that takes longer than expected counts as long, so that it leaves the reserved slots to others.
func (r *Robots) freeSlots(l *load, short bool) int {
	common := r.settings.Parallel - r.reservedSlots()
	free := max(0, common-l.long)
	if short {
		return r.reservedSlots() + free - l.short
	}
	return min(free, r.settings.Parallel-l.long-l.short)
}

// full reports whether a turn has to wait. A party gets no further slot if it would then have more
// than are free, so that slots are left for other parties, however many there are. The caller holds
// mu.
func (r *Robots) full(t turn) bool {
	l := r.loads[t.provider]
	if l == nil {
		return false
	}
	free := r.freeSlots(l, t.short)
	if t.slots > free {
		return true
	}
	return slices.ContainsFunc(t.parties, func(party string) bool {
		used := l.parties[party]
		return used > 0 && used+t.slots > free
	})
}

// slot is the right to work on one turn. It takes one or more slots of the provider.
type slot struct {
	robots *Robots
	// running ends when the robots stop.
	running context.Context
	turn    turn
	lease   game.Lease
	// overdue counts a short turn as long when it takes longer than expected.
	overdue  *time.Timer
	released bool
}

// reserve reserves a slot for the turn of a game. It returns nil if no slot is free, if it is no
// robot's turn, or if the clock of this process is not in sync.
func (r *Robots) reserve(g game.Game) *slot {
	robot := g.RobotToMove()
	if robot == nil || !r.games.InSync() {
		return nil
	}
	t := r.turnOf(g, robot)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil || r.full(t) {
		r.waiting = true
		return nil
	}
	lease := r.lease(g, r.now().Add(r.settings.Lease))
	s := &slot{robots: r, running: r.running, turn: t, lease: lease}
	r.add(t, 1)
	r.turns++
	if t.short {
		s.overdue = time.AfterFunc(shortTurn, s.countAsLong)
	}
	r.working.Add(1)
	return s
}

// add adds the slots of a turn to the load of its provider, or removes them if sign is -1. The
// caller holds mu.
func (r *Robots) add(t turn, sign int) {
	l := r.loads[t.provider]
	if l == nil {
		l = &load{parties: map[string]int{}}
		r.loads[t.provider] = l
	}
	n := sign * t.slots
	if t.short {
		l.short += n
	} else {
		l.long += n
	}
	for _, party := range t.parties {
		if l.parties[party] += n; l.parties[party] == 0 {
			delete(l.parties, party)
		}
	}
	if len(l.parties) == 0 {
		delete(r.loads, t.provider)
	}
}

// countAsLong counts a short turn in progress as a long one.
func (s *slot) countAsLong() {
	r := s.robots
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.released {
		return
	}
	r.add(s.turn, -1)
	s.turn.short = false
	r.add(s.turn, 1)
	r.wakeWaiting()
}

// allFull reports whether no robot of a game has a free slot.
func (r *Robots) allFull(g game.Game) bool {
	var turns []turn
	for _, seat := range g.Seats {
		if seat.Robot != nil {
			turns = append(turns, r.turnOf(g, seat.Robot))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	full := !slices.ContainsFunc(turns, func(t turn) bool { return !r.full(t) })
	r.waiting = r.waiting || full
	return len(turns) > 0 && full
}

func (r *Robots) lease(g game.Game, until time.Time) game.Lease {
	return game.Lease{GameID: g.ID, Version: g.Version, Holder: r.holder, Until: until}
}

// free ends the work on the turn.
func (s *slot) free() {
	s.release()
	s.robots.working.Done()
}

// release frees the slot and wakes Run if a turn has waited for one. A turn whose robot only waits
// goes on without a slot.
func (s *slot) release() {
	r := s.robots
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.released {
		return
	}
	s.released = true
	if s.overdue != nil {
		s.overdue.Stop()
	}
	r.add(s.turn, -1)
	r.turns--
	r.wakeWaiting()
}

// wakeWaiting wakes Run if a turn has waited for a slot. The caller holds mu.
func (r *Robots) wakeWaiting() {
	if !r.waiting {
		return
	}
	r.waiting = false
	select {
	case r.freed <- struct{}{}:
	default:
	}
}
