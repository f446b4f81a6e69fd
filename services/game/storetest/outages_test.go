package storetest

import (
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

const (
	// quickHeartbeat is the interval of the heartbeats in tests of outages.
	quickHeartbeat = 400 * time.Millisecond
	// outageTime is the length of an outage in these tests.
	outageTime = 3 * quickHeartbeat
)

// process opens the store as a process of its own, until the test ends or the caller closes it.
func (f *fixture) process(p Process) *fixture {
	f.Helper()
	c := *f
	c.Store = f.Open(f.T, f.place, p)
	f.Cleanup(func() { f.check(c.Close()) })
	return &c
}

func clockIsShared(f *fixture) {
	offset := time.Minute
	if !f.Shared {
		f.check(f.Close())
		offset = 0
	}
	now := f.process(Process{ClockOffset: offset, Heartbeat: time.Hour}).Now()
	if difference := time.Since(now).Abs(); difference > time.Second {
		f.Errorf("the shared time differs by %v", difference)
	}
}

func offsetIsReported(f *fixture) {
	f.same("in sync", true, f.InSync())
	if !f.Shared {
		return // There is one process, whose clock is the shared one.
	}
	for offset, want := range map[time.Duration]bool{
		game.MaxClockOffset - time.Second:  true,
		-game.MaxClockOffset + time.Second: true,
		game.MaxClockOffset + time.Second:  false,
		-game.MaxClockOffset - time.Second: false,
	} {
		p := f.process(Process{ClockOffset: offset, Heartbeat: time.Hour})
		f.same("in sync with an offset of "+offset.String(), want, p.InSync())
	}
}

func outagesAreRecorded(f *fixture) {
	f.check(f.Close())
	quick := Process{Heartbeat: quickHeartbeat}
	f = f.process(quick)
	f.check(f.Close())
	time.Sleep(outageTime)
	f = f.process(quick)
	ann, bob := seatOf("ann"), seatOf("bob")
	d, err := game.Create(f.newID(), game.Created{
		Creator: "ann", Visibility: game.Public, Setup: small, Seats: game.Seats{ann, bob},
		TimeControl: &game.TimeControl{PerMove: time.Hour, ClaimAfter: time.Hour},
	}, f.Now())
	f.check(err)
	g := f.commit(d)
	f.same("Paused of a turn after the outage", time.Duration(0), f.stored(g.ID).Paused)

	start := time.Now()
	f.check(f.Close())
	time.Sleep(outageTime)
	// Several processes start at once, where they can.
	processes := make([]*fixture, 1, 4)
	if f.Shared {
		processes = processes[:4]
	}
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() { processes[i] = f.process(quick) })
	}
	all.Wait()
	f = processes[0]
	after := f.stored(g.ID)
	if after.Paused < outageTime-quickHeartbeat || after.Paused > time.Since(start) {
		f.Fatalf("Paused is %v after an outage of %v", after.Paused, outageTime)
	}
	for _, p := range processes {
		f.same("game in another process", after, p.stored(g.ID))
		cached, err := p.CachedGame(f.Context(), g.ID)
		f.check(err)
		f.same("cached game", after, cached)
		listed, err := p.Games(f.Context(), game.Filter{Limit: 10})
		f.check(err)
		f.same("listed games", []game.Game{after}, listed)
	}
	f.same("deadline", g.Deadline().Add(after.Paused), after.Deadline())
	f.same("claim time", g.ClaimTime().Add(after.Paused), after.ClaimTime())
	now := after.Deadline().Add(time.Hour)
	f.same("due at its deadline", []string(nil), f.overdue(after.Deadline(), now, 10))
	f.same("due after its deadline", []string{g.ID}, f.overdue(after.Deadline().Add(time.Microsecond), now, 10))

	played, err := after.Play("ann", after.Position.Legal()[0], 0, f.Now())
	f.check(err)
	after = f.commit(played)
	f.same("Paused of the next turn", time.Duration(0), f.stored(g.ID).Paused)
	replayed, err := game.Replay(f.log(g.ID))
	f.check(err)
	f.same("replayed game", after, replayed)
	if !f.Shared {
		return
	}
	// One process after the other stops, except for the last one.
	for _, p := range processes[1:] {
		f.check(p.Close())
		time.Sleep(outageTime / 3)
	}
	f.same("Paused while a process serves", time.Duration(0), f.stored(g.ID).Paused)
}
