package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// due returns the ids of the games whose robots are due.
func (f *fixture) due(now time.Time, limit int) []string {
	f.Helper()
	found, err := f.DueRobots(f.Context(), now, limit)
	f.check(err)
	return f.idsOfDue(found)
}

// idsOfDue returns the ids of due turns, which must be in the order of their times.
func (f *fixture) idsOfDue(found []game.Due) (ids []string) {
	f.Helper()
	for i, turn := range found {
		ids = append(ids, turn.GameID)
		if turn.Since.IsZero() || i > 0 && turn.Since.Before(found[i-1].Since) {
			f.Errorf("turn %d is due since %v", i, turn.Since)
		}
	}
	return ids
}

// lease requests a lease and reports whether it was granted.
func (f *fixture) lease(g game.Game, holder string, now, until time.Time) bool {
	f.Helper()
	granted, err := f.Lease(f.Context(), game.Lease{GameID: g.ID, Version: g.Version, Holder: holder, Until: until}, now)
	f.check(err)
	return granted
}

func robotsAreDue(f *fixture) {
	first := f.commit(f.created(small, robot, seatOf("ann")))
	f.commit(f.created(small, seatOf("ann"), robot))
	f.commit(f.created(small, robot, emptySeat))
	second := f.commit(f.created(trios, robot, robot))
	third := f.commit(f.created(hex, robot, seatOf("ann")))
	now := f.now()
	later := now.Add(time.Minute)

	f.sub("longest waiting first", func(f *fixture) {
		f.same("ids", []string{first.ID, second.ID, third.ID}, f.due(now, 10))
	})
	f.sub("at most limit", func(f *fixture) { f.same("ids", []string{first.ID, second.ID}, f.due(now, 2)) })
	f.sub("not while a lease lasts", func(f *fixture) {
		f.same("granted", true, f.lease(first, "me", now, later))
		f.same("ids", []string{second.ID, third.ID}, f.due(now, 10))
		f.same("ids just before the end", []string{second.ID}, f.due(later.Add(-1), 1))
		f.same("ids at the end", []string{first.ID, second.ID, third.ID}, f.due(later, 10))
	})
	f.sub("the next turn is at the end of the queue", func(f *fixture) {
		second = f.commit(f.moved(second))
		f.same("ids", []string{first.ID, third.ID, second.ID}, f.due(later, 10))
	})
	f.sub("not if the change came with a lease", func(f *fixture) {
		d := f.moved(second)
		c := change(d)
		c.Lease = &game.Lease{GameID: second.ID, Version: d.Game.Version, Holder: "me", Until: later}
		f.check(f.Commit(f.Context(), c))
		f.same("ids", []string{third.ID}, f.due(now, 10))
		f.same("granted to another holder", false, f.lease(d.Game, "you", now, later))
		f.same("extended", true, f.lease(d.Game, "me", now, later.Add(1)))
	})
	f.sub("not after the game is over", func(f *fixture) {
		f.aborted(third)
		f.playOut(first)
		f.same("ids", []string(nil), f.due(now, 10))
	})
	f.sub("after reopening", func(f *fixture) {
		g := f.commit(f.created(small, robot, seatOf("ann")))
		f.reopen()
		f.same("ids", []string{g.ID}, f.due(now, 10))
	})
}

func leases(f *fixture) {
	g := f.commit(f.created(small, robot, seatOf("ann")))
	now := f.now()
	until, later := now.Add(time.Minute), now.Add(2*time.Minute)
	unknown := f.created(small, robot, seatOf("ann")).Game
	ahead := f.moved(g).Game
	for _, test := range []struct {
		name       string
		game       game.Game
		holder     string
		now, until time.Time
		want       bool
	}{
		{"of a game that does not exist", unknown, "me", now, until, false},
		{"of a future version", ahead, "me", now, until, false},
		{"of a turn without a lease", g, "me", now, until, true},
		{"of a turn with the lease of another holder", g, "you", now, later, false},
		{"extended by the holder", g, "me", now, later, true},
		{"after the previous end", g, "you", until, later, false},
		{"just before the end", g, "you", later.Add(-1), later.Add(time.Hour), false},
		{"after the end", g, "you", later, later.Add(time.Hour), true},
		{"for the previous holder", g, "me", later, later.Add(time.Hour), false},
	} {
		f.sub(test.name, func(f *fixture) {
			f.same("granted", test.want, f.lease(test.game, test.holder, test.now, test.until))
		})
	}
	f.sub("of an old version", func(f *fixture) {
		next := f.commit(f.moved(g))
		f.same("granted", false, f.lease(g, "you", later, later.Add(time.Hour)))
		f.same("game", next, f.stored(g.ID))
	})
	f.sub("ends with the turn", func(f *fixture) {
		g := f.commit(f.created(small, robot, robot))
		f.same("granted", true, f.lease(g, "you", now, later))
		next := f.commit(f.moved(g))
		f.same("granted to another holder", true, f.lease(next, "me", now, later))
	})
}

func concurrentLeases(f *fixture) {
	g := f.commit(f.created(small, robot, seatOf("ann")))
	now := f.now()
	other := f.other()
	var granted atomic.Int64
	var all sync.WaitGroup
	for i := range racers {
		own := f.either(other, i)
		lease := game.Lease{GameID: g.ID, Version: g.Version, Holder: fmt.Sprint(i), Until: now.Add(time.Minute)}
		all.Go(func() {
			switch ok, err := own.Lease(f.Context(), lease, now); {
			case err != nil:
				f.Error(err)
			case ok:
				granted.Add(1)
			}
		})
	}
	all.Wait()
	f.same("leases", int64(1), granted.Load())
}

func stats(f *fixture) {
	f.sub("of an empty store", func(f *fixture) { f.wantStats(map[game.State]int{}, time.Time{}) })
	counts := map[game.State]int{}
	for _, g := range assorted(f) {
		counts[g.State]++
	}
	f.sub("of many games", func(f *fixture) {
		got, err := f.Stats(f.Context())
		f.check(err)
		f.wantStats(counts, got.OldestRobotTurn)
		if got.OldestRobotTurn.IsZero() {
			f.Error("no robot turn")
		}
	})
	f.sub("after reopening", func(f *fixture) {
		f.reopen()
		got, err := f.Stats(f.Context())
		f.check(err)
		f.wantStats(counts, got.OldestRobotTurn)
	})
	f.sub("the oldest robot turn", func(f *fixture) {
		f = f.with(f.T) // an own store
		f.Store = f.Open(f.T, f.Place(f.T), patient)
		defer func() { f.check(f.Close()) }()
		first := f.commit(f.created(small, robot, seatOf("ann")))
		second := f.commit(f.created(small, robot, seatOf("ann")))
		f.wantStats(map[game.State]int{game.StateActive: 2}, first.Updated)
		f.same("granted", true, f.lease(first, "me", f.now(), time.Now().Add(time.Hour)))
		f.wantStats(map[game.State]int{game.StateActive: 2}, second.Updated)
		f.same("returned", true, f.lease(first, "me", f.now(), time.Now()))
		f.wantStats(map[game.State]int{game.StateActive: 2}, first.Updated)
		f.commit(f.moved(first))
		f.wantStats(map[game.State]int{game.StateActive: 2}, second.Updated)
		f.aborted(second)
		f.wantStats(map[game.State]int{game.StateActive: 1, game.StateAborted: 1}, time.Time{})
	})
	f.sub("the earliest deadline", func(f *fixture) {
		f = f.with(f.T)
		f.Store = f.Open(f.T, f.Place(f.T), patient)
		defer func() { f.check(f.Close()) }()
		first := f.commit(f.timed(small, seatOf("ann"), seatOf("bob")))
		second := f.commit(f.timed(small, seatOf("ann"), seatOf("bob")))
		f.wantFirstDeadline(first.Deadline())
		first = f.commit(f.moved(first))
		f.wantFirstDeadline(second.Deadline())
		f.aborted(second)
		f.wantFirstDeadline(first.Deadline())
		f.aborted(first)
		f.wantFirstDeadline(time.Time{})
	})
}

func (f *fixture) wantFirstDeadline(want time.Time) {
	f.Helper()
	got, err := f.Stats(f.Context())
	f.check(err)
	if !got.FirstDeadline.Equal(want) {
		f.Errorf("first deadline %v, want %v", got.FirstDeadline, want)
	}
}

// wantStats compares the statistics. A state without games can be missing.
func (f *fixture) wantStats(counts map[game.State]int, oldest time.Time) {
	f.Helper()
	got, err := f.Stats(f.Context())
	f.check(err)
	for _, state := range []game.State{game.StateWaiting, game.StateActive, game.StateFinished, game.StateAborted} {
		f.same("number of games "+string(state), counts[state], got.Games[state])
	}
	if !got.OldestRobotTurn.Equal(oldest) {
		f.Errorf("oldest robot turn %v, want %v", got.OldestRobotTurn, oldest)
	}
}
