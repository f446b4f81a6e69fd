package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// due returns the games whose robots are to be asked.
func (f *fixture) due(now time.Time, limit int) []string {
	f.Helper()
	found, err := f.DueRobots(f.Context(), now, limit)
	f.check(err)
	return found
}

// lease tries to get a lease and reports whether it was given.
func (f *fixture) lease(g game.Game, holder string, now, until time.Time) bool {
	f.Helper()
	given, err := f.Lease(f.Context(), game.Lease{GameID: g.ID, Version: g.Version, Holder: holder, Until: until}, now)
	f.check(err)
	return given
}

func robotsAreDue(f *fixture) {
	first := f.commit(f.created(small, robot, person("ann")))
	f.commit(f.created(small, person("ann"), robot))
	f.commit(f.created(small, robot, nobody))
	second := f.commit(f.created(trios, robot, robot))
	third := f.commit(f.created(hex, robot, person("ann")))
	now := f.now()
	later := now.Add(time.Minute)

	f.sub("longest waiting first", func(f *fixture) {
		f.same("ids", []string{first.ID, second.ID, third.ID}, f.due(now, 10))
	})
	f.sub("at most limit", func(f *fixture) { f.same("ids", []string{first.ID, second.ID}, f.due(now, 2)) })
	f.sub("but those under a lease, until it ends", func(f *fixture) {
		f.same("given", true, f.lease(first, "me", now, later))
		f.same("ids", []string{second.ID, third.ID}, f.due(now, 10))
		f.same("ids just before the end", []string{second.ID}, f.due(later.Add(-1), 1))
		f.same("ids at the end", []string{first.ID, second.ID, third.ID}, f.due(later, 10))
	})
	f.sub("the turn after is a new one, at the end of the queue", func(f *fixture) {
		second = f.commit(f.moved(second))
		f.same("ids", []string{first.ID, third.ID, second.ID}, f.due(later, 10))
	})
	f.sub("unless it was given away with the change", func(f *fixture) {
		d := f.moved(second)
		c := change(d)
		c.Lease = &game.Lease{GameID: second.ID, Version: d.Game.Version, Holder: "me", Until: later}
		f.check(f.Commit(f.Context(), c))
		f.same("ids", []string{third.ID}, f.due(now, 10))
		f.same("given to another", false, f.lease(d.Game, "you", now, later))
		f.same("extended", true, f.lease(d.Game, "me", now, later.Add(1)))
	})
	f.sub("no longer when the game is over", func(f *fixture) {
		f.aborted(third)
		f.playOut(first)
		f.same("ids", []string(nil), f.due(now, 10))
	})
	f.sub("after closing and opening", func(f *fixture) {
		g := f.commit(f.created(small, robot, person("ann")))
		f.reopen()
		f.same("ids", []string{g.ID}, f.due(now, 10))
	})
}

func leases(f *fixture) {
	g := f.commit(f.created(small, robot, person("ann")))
	now := f.now()
	until, later := now.Add(time.Minute), now.Add(2*time.Minute)
	unknown := f.created(small, robot, person("ann")).Game
	ahead := f.moved(g).Game
	for _, test := range []struct {
		name       string
		game       game.Game
		holder     string
		now, until time.Time
		want       bool
	}{
		{"of a game that does not exist", unknown, "me", now, until, false},
		{"of a version that is not yet", ahead, "me", now, until, false},
		{"of a turn that nobody holds", g, "me", now, until, true},
		{"of a turn that another holds", g, "you", now, later, false},
		{"extended by the holder", g, "me", now, later, true},
		{"after what was the end before", g, "you", until, later, false},
		{"just before the end", g, "you", later.Add(-1), later.Add(time.Hour), false},
		{"after the end", g, "you", later, later.Add(time.Hour), true},
		{"for the one who held it before", g, "me", later, later.Add(time.Hour), false},
	} {
		f.sub(test.name, func(f *fixture) {
			f.same("given", test.want, f.lease(test.game, test.holder, test.now, test.until))
		})
	}
	f.sub("of a version that is past", func(f *fixture) {
		next := f.commit(f.moved(g))
		f.same("given", false, f.lease(g, "you", later, later.Add(time.Hour)))
		f.same("game", next, f.stored(g.ID))
	})
	f.sub("ends with the turn", func(f *fixture) {
		g := f.commit(f.created(small, robot, robot))
		f.same("given", true, f.lease(g, "you", now, later))
		next := f.commit(f.moved(g))
		f.same("given to another", true, f.lease(next, "me", now, later))
	})
}

func leasesRace(f *fixture) {
	g := f.commit(f.created(small, robot, person("ann")))
	now := f.now()
	other := f.other()
	var given atomic.Int64
	var all sync.WaitGroup
	for i := range racers {
		own := f.either(other, i)
		lease := game.Lease{GameID: g.ID, Version: g.Version, Holder: fmt.Sprint(i), Until: now.Add(time.Minute)}
		all.Go(func() {
			switch ok, err := own.Lease(f.Context(), lease, now); {
			case err != nil:
				f.Error(err)
			case ok:
				given.Add(1)
			}
		})
	}
	all.Wait()
	f.same("leases", int64(1), given.Load())
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
			f.Error("no robot waits")
		}
	})
	f.sub("after closing and opening", func(f *fixture) {
		f.reopen()
		got, err := f.Stats(f.Context())
		f.check(err)
		f.wantStats(counts, got.OldestRobotTurn)
	})
	f.sub("the longest waiting robot turn", func(f *fixture) {
		f = f.with(f.T) // another store, for this test alone
		f.Store = f.Open(f.T, f.Place(f.T))
		defer func() { f.check(f.Close()) }()
		first := f.commit(f.created(small, robot, person("ann")))
		second := f.commit(f.created(small, robot, person("ann")))
		f.wantStats(map[game.State]int{game.Active: 2}, first.Updated)
		f.same("given", true, f.lease(first, "me", f.now(), time.Now().Add(time.Hour)))
		f.wantStats(map[game.State]int{game.Active: 2}, second.Updated)
		f.same("given back", true, f.lease(first, "me", f.now(), time.Now()))
		f.wantStats(map[game.State]int{game.Active: 2}, first.Updated)
		f.commit(f.moved(first))
		f.wantStats(map[game.State]int{game.Active: 2}, second.Updated)
		f.aborted(second)
		f.wantStats(map[game.State]int{game.Active: 1, game.Aborted: 1}, time.Time{})
	})
	f.sub("the first deadline", func(f *fixture) {
		f = f.with(f.T)
		f.Store = f.Open(f.T, f.Place(f.T))
		defer func() { f.check(f.Close()) }()
		first := f.commit(f.timed(small, person("ann"), person("bob")))
		second := f.commit(f.timed(small, person("ann"), person("bob")))
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

// wantStats compares the stats. A state without games may be left out.
func (f *fixture) wantStats(counts map[game.State]int, oldest time.Time) {
	f.Helper()
	got, err := f.Stats(f.Context())
	f.check(err)
	for _, state := range []game.State{game.Waiting, game.Active, game.Finished, game.Aborted} {
		f.same("number of games "+string(state), counts[state], got.Games[state])
	}
	if !got.OldestRobotTurn.Equal(oldest) {
		f.Errorf("oldest robot turn %v, want %v", got.OldestRobotTurn, oldest)
	}
}
