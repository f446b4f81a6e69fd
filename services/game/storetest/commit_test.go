package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// racers is the number of goroutines that make the same call concurrently.
const racers = 64

func commitIsDurable(f *fixture) {
	f.sub("whole games survive reopening, and replay to the stored game", func(f *fixture) {
		var played []game.Game
		for _, setup := range []games.Setup{small, hex, trios, bigTrios()} {
			played = append(played,
				f.commit(f.created(setup, emptySeat, seatOf("ann"))),
				f.commit(f.moved(f.commit(f.created(setup, seatOf("ann"), seatOf("bob"))))),
				f.playOut(f.commit(f.created(setup, robot, seatOf("ann")))))
		}
		f.reopen()
		for _, g := range played {
			f.same("game", g, f.stored(g.ID))
			log := f.log(g.ID)
			replayed, err := game.Replay(log)
			f.check(err)
			f.same("replayed game", g, replayed)
			for i, e := range log {
				if e.Version != i+1 || e.GameID != g.ID {
					f.Fatalf("event %d of %s is version %d of %s", i, g.ID, e.Version, e.GameID)
				}
			}
		}
	})
	f.sub("events are returned as they were committed", func(f *fixture) {
		d := f.created(small, robot, seatOf("ann"))
		f.commit(d)
		log := d.Events
		for g := d.Game; !g.State.Over(); g = d.Game {
			d = f.moved(g)
			f.commit(d)
			log = append(log, d.Events...)
		}
		f.same("log", log, f.log(d.Game.ID))
	})
	f.sub("a rejected change leaves nothing behind", func(f *fixture) {
		g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
		old := change(f.moved(g))
		f.commit(f.moved(g))
		before, log := f.stored(g.ID), f.log(g.ID)

		old.Request = &game.Request{Caller: "ann", ID: "rejected", GameID: g.ID, First: 3, Last: 3}
		f.wantError(f.Commit(f.Context(), old), game.ErrConflict)

		f.same("game", before, f.stored(g.ID))
		f.same("log", log, f.log(g.ID))
		_, err := f.Request(f.Context(), "ann", "rejected", g.ID)
		f.wantError(err, game.ErrNotFound)
	})
	f.sub("nothing is written if the context has ended", func(f *fixture) {
		ended, cancel := context.WithCancel(f.Context())
		cancel()
		d := f.created(small, seatOf("ann"), seatOf("bob"))
		f.wantError(f.Commit(ended, change(d)), context.Canceled)
		_, err := f.Game(ended, d.Game.ID)
		f.wantError(err, context.Canceled)
		_, err = f.Game(f.Context(), d.Game.ID)
		f.wantError(err, game.ErrNotFound)
	})
	f.sub("many concurrent commits are all stored", manyCommit)
}

// manyCommit plays many games concurrently in two processes, so that a store can commit changes in
// batches. Some changes of a batch are rejected.
func manyCommit(f *fixture) {
	other := f.other()
	var all sync.WaitGroup
	ends := make([]game.Game, racers)
	for i := range racers {
		begin := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
		own := f.either(other, i)
		all.Go(func() { ends[i] = playCommittingTwice(own, begin) })
	}
	all.Wait()
	f.reopen()
	for _, g := range ends {
		f.same("game", g, f.stored(g.ID))
		replayed, err := game.Replay(f.log(g.ID))
		f.check(err)
		f.same("replayed game", g, replayed)
	}
}

// playCommittingTwice plays a game to its end and commits every move a second time, which must be
// rejected. It can run outside the goroutine of the test, so it does not call Fatal.
func playCommittingTwice(f *fixture, g game.Game) game.Game {
	for !g.State.Over() {
		d := f.moved(g)
		if err := f.Commit(f.Context(), change(d)); err != nil {
			f.Error(err)
			return g
		}
		if err := f.Commit(f.Context(), change(d)); !errors.Is(err, game.ErrConflict) {
			f.Errorf("committed twice: %v", err)
		}
		g = d.Game
	}
	return g
}

func commitConflicts(f *fixture) {
	first := f.created(small, seatOf("ann"), seatOf("bob"))
	g := f.commit(first)
	moved := f.moved(g)
	next := f.commit(moved)
	ahead := f.moved(f.moved(next).Game)
	for _, test := range []struct {
		name string
		d    game.Decision
	}{
		{"the game exists", first},
		{"the version is old", moved},
		{"the version is in the future", ahead},
		{"the game does not exist", f.moved(f.created(small, seatOf("ann"), seatOf("bob")).Game)},
	} {
		f.sub(test.name, func(f *fixture) {
			log := f.log(test.d.Game.ID)
			f.wantError(f.Commit(f.Context(), change(test.d)), game.ErrConflict)
			f.same("game", next, f.stored(g.ID))
			f.same("log", log, f.log(test.d.Game.ID))
		})
	}
}

func commitRejectsSeenRequests(f *fixture) {
	g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	request := &game.Request{Caller: "ann", ID: "1", GameID: g.ID, First: 3, Last: 3}
	c := change(f.moved(g))
	c.Request = request
	f.check(f.Commit(f.Context(), c))
	next := f.stored(g.ID)

	f.sub("with a conflict", func(f *fixture) {
		f.wantError(f.Commit(f.Context(), c), game.ErrRequestSeen)
	})
	f.sub("without a conflict", func(f *fixture) {
		repeated := change(f.moved(next))
		repeated.Request = request
		f.wantError(f.Commit(f.Context(), repeated), game.ErrRequestSeen)
		f.same("game", next, f.stored(g.ID))
		f.same("log", 3, len(f.log(g.ID)))
	})
	f.sub("in another game", func(f *fixture) {
		f.key = game.PartitionKey(g.ID)
		other := change(f.created(small, seatOf("ann"), seatOf("bob")))
		other.Request = request
		f.wantError(f.Commit(f.Context(), other), game.ErrRequestSeen)
		_, err := f.Game(f.Context(), other.Game.ID)
		f.wantError(err, game.ErrNotFound)
	})
	f.sub("but another caller can use the same id", func(f *fixture) {
		others := change(f.moved(next))
		others.Request = &game.Request{Caller: "bob", ID: "1", GameID: g.ID, First: 4, Last: 4}
		f.check(f.Commit(f.Context(), others))
	})
	f.sub("exactly one of several concurrent requests succeeds", func(f *fixture) {
		f.key = oneKey
		changes := make([]game.Change, racers)
		for i := range changes {
			changes[i] = change(f.created(small, seatOf("ann"), seatOf("bob")))
			changes[i].Request = &game.Request{Caller: "ann", ID: "race", GameID: changes[i].Game.ID, First: 1, Last: 2}
		}
		won := race(f, changes, game.ErrRequestSeen)
		found, err := f.Request(f.Context(), "ann", "race", won.Game.ID)
		f.check(err)
		f.same("request", *won.Request, found)
	})
}

func concurrentCommits(f *fixture) {
	f.sub("to create a game", func(f *fixture) {
		d := f.created(small, seatOf("ann"), seatOf("bob"))
		race(f, slices.Repeat([]game.Change{change(d)}, racers), game.ErrConflict)
	})
	f.sub("to move", func(f *fixture) {
		g := f.commit(f.created(hex, seatOf("ann"), seatOf("bob")))
		for !g.State.Over() && g.Version < 10 {
			changes := make([]game.Change, racers)
			for i := range changes {
				changes[i] = change(f.moved(g))
			}
			won := race(f, changes, game.ErrConflict)
			f.same("game", won.Game, f.stored(g.ID))
			g = won.Game
		}
	})
}

// race commits changes concurrently and returns the one that succeeded. The others must be rejected
// with an error.
func race(f *fixture, changes []game.Change, rejection error) game.Change {
	f.Helper()
	errs := make([]error, len(changes))
	other := f.other()
	var all sync.WaitGroup
	for i, c := range changes {
		own := f.either(other, i)
		all.Go(func() { errs[i] = own.Commit(f.Context(), c) })
	}
	all.Wait()
	won := slices.Index(errs, nil)
	if won < 0 {
		f.Fatalf("all of %d commits were rejected: %v", len(changes), errs[0])
	}
	for i, err := range errs {
		if i != won && !errors.Is(err, rejection) {
			f.Errorf("commit %d succeeded, commit %d returned %v", won, i, err)
		}
	}
	return changes[won]
}

func commitRejectsGaps(f *fixture) {
	g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	d := f.moved(g)
	for _, test := range []struct {
		name   string
		change func() game.Change
	}{
		{"without events", func() game.Change { return game.Change{Game: d.Game} }},
		{"with a game at another version than the last event", func() game.Change { return game.Change{Game: g, Events: d.Events} }},
		{"with a missing version", func() game.Change {
			next := f.moved(d.Game)
			return game.Change{Game: next.Game, Events: slices.Concat(d.Events, f.moved(next.Game).Events)}
		}},
	} {
		f.sub(test.name, func(f *fixture) {
			if f.Commit(f.Context(), test.change()) == nil {
				f.Error("committed")
			}
			f.same("game", g, f.stored(g.ID))
			f.same("log", g.Version, len(f.log(g.ID)))
		})
	}
}

func gameIsLatest(f *fixture) {
	f.sub("unknown", func(f *fixture) {
		_, err := f.Game(f.Context(), "unknown")
		f.wantError(err, game.ErrNotFound)
	})
	f.sub("after every move", func(f *fixture) {
		for _, setup := range []games.Setup{small, hex, trios} {
			d := f.created(setup, robot, seatOf("ann"))
			f.same("game", f.commit(d), f.stored(d.Game.ID))
			for g := d.Game; !g.State.Over(); {
				g = f.commit(f.moved(g))
				f.same("game", g, f.stored(g.ID))
			}
		}
	})
	f.sub("after every kind of change", func(f *fixture) {
		g := f.commit(f.created(small, emptySeat, robot))
		joined, err := g.Join(seatOf("ann"), 0, f.now())
		f.check(err)
		g = f.commit(joined)
		f.same("joined game", g, f.stored(g.ID))
		changed, err := g.SetRobot("ann", 0, game.Robot{Strategy: []byte(`{"greedy":{}}`)}, f.now())
		f.check(err)
		g = f.commit(changed)
		f.same("game with another robot", g, f.stored(g.ID))
		resigned, err := g.Resign("ann", 0, f.now())
		f.check(err)
		g = f.commit(resigned)
		f.same("resigned game", g, f.stored(g.ID))
		f.reopen()
		f.same("resigned game after reopening", g, f.stored(g.ID))
	})
	f.sub("while another goroutine writes", readersSeeAcknowledged)
	f.sub("when two processes take turns", func(f *fixture) {
		other := f.other()
		g := f.commit(f.created(hex, seatOf("ann"), seatOf("bob")))
		for at := other; !g.State.Over(); f, at = at, f {
			f.same("game", g, at.stored(g.ID))
			g = at.commit(at.moved(g))
			f.same("game after a move in the other process", g, f.stored(g.ID))
		}
		d := f.moved(f.commit(f.created(small, seatOf("ann"), seatOf("bob"))))
		other.stored(d.Game.ID)
		f.commit(d)
		other.wantError(other.Commit(f.Context(), change(d)), game.ErrConflict)
	})
}

func cachedGameMayBeStale(f *fixture) {
	_, err := f.CachedGame(f.Context(), "unknown")
	f.wantError(err, game.ErrNotFound)
	other, committed := f.other(), map[int]game.Game{}
	for g := f.commit(f.created(small, seatOf("ann"), seatOf("bob"))); !g.State.Over(); g = f.commit(f.moved(g)) {
		committed[g.Version] = g
		cached, err := other.CachedGame(f.Context(), g.ID)
		f.check(err)
		f.same("game after some commit", committed[cached.Version], cached)
		if cached.Version < g.Version {
			other.wantError(other.Commit(f.Context(), change(other.moved(cached))), game.ErrConflict)
		}
	}
}

// readersSeeAcknowledged checks that a reader gets at least the version that was acknowledged
// before the read.
func readersSeeAcknowledged(f *fixture) {
	g := f.commit(f.created(hex, seatOf("ann"), seatOf("bob")))
	var mu sync.Mutex
	acknowledged, over := g.Version, false
	progress := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		return acknowledged, over
	}
	var readers sync.WaitGroup
	other := f.other()
	for i := range 4 {
		own := f.either(other, i)
		readers.Go(func() {
			for {
				minimum, over := progress()
				seen, err := own.Game(f.Context(), g.ID)
				if err != nil || seen.Version < minimum {
					f.Errorf("version %d, error %v: version %d was acknowledged", seen.Version, err, minimum)
					return
				}
				if over {
					return
				}
			}
		})
	}
	defer readers.Wait()
	for next := g; !next.State.Over(); {
		next = f.commit(f.moved(next))
		mu.Lock()
		acknowledged, over = next.Version, next.State.Over()
		mu.Unlock()
	}
}

func eventsInOrder(f *fixture) {
	g := f.playOut(f.commit(f.created(small, seatOf("ann"), seatOf("bob"))))
	other := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	log := f.log(g.ID)
	f.same("length of the log", g.Version, len(log))
	for _, test := range []struct {
		name         string
		after, limit int
		want         []game.Event
	}{
		{"all", 0, 1000, log},
		{"the first", 0, 1, log[:1]},
		{"some in the middle", 2, 3, log[2:5]},
		{"the last", g.Version - 1, 10, log[g.Version-1:]},
		{"after the last", g.Version, 10, nil},
		{"after a future version", g.Version + 5, 10, nil},
		{"none", 0, 0, nil},
	} {
		f.sub(test.name, func(f *fixture) {
			got, err := f.Events(f.Context(), g.ID, test.after, test.limit)
			f.check(err)
			f.same("events", test.want, got)
		})
	}
	f.sub("of an unknown game", func(f *fixture) {
		got, err := f.Events(f.Context(), "unknown", 0, 10)
		f.check(err)
		f.same("events", []game.Event(nil), got)
	})
	f.sub("of that game only", func(f *fixture) { f.same("length of the log", other.Version, len(f.log(other.ID))) })
}

// lastEvents compares the last events of each kind at every version with the log.
func lastEvents(f *fixture) {
	g := f.commit(f.created(small, seatOf("ann"), game.Seat{}))
	d, err := g.Join(seatOf("bob"), 0, f.now())
	f.check(err)
	g = f.playOut(f.commit(d))
	f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	log := f.log(g.ID)
	for _, kinds := range [][]game.EventKind{
		{game.KindCreated}, {game.KindFinished}, {game.KindAborted},
		{game.KindMovePlayed, game.KindMovesTakenBack},
		{game.KindCreated, game.KindStarted, game.KindFinished, game.KindAborted},
	} {
		for version := range g.Version + 2 {
			var want *game.Event
			for i := range log[:min(version, len(log))] {
				if slices.Contains(kinds, kindOf(log[i])) {
					want = &log[i]
				}
			}
			got, err := f.LastEvent(f.Context(), g.ID, version, kinds...)
			if want == nil {
				f.wantError(err, game.ErrNotFound)
				continue
			}
			f.check(err)
			f.same(fmt.Sprintf("the last of %v up to %d", kinds, version), *want, got)
		}
	}
	_, err = f.LastEvent(f.Context(), "unknown", 1, game.KindCreated)
	f.wantError(err, game.ErrNotFound)
}

func kindOf(e game.Event) game.EventKind {
	switch {
	case e.Created != nil:
		return game.KindCreated
	case e.Started != nil:
		return game.KindStarted
	case e.MovePlayed != nil:
		return game.KindMovePlayed
	case e.MovesTakenBack != nil:
		return game.KindMovesTakenBack
	case e.Finished != nil:
		return game.KindFinished
	}
	return ""
}

func requestsAreStored(f *fixture) {
	c := change(f.created(small, seatOf("ann"), seatOf("bob")))
	c.Request = &game.Request{Caller: "ann", ID: "1", Fingerprint: [32]byte{31: 7, 0: 255}, GameID: c.Game.ID, First: 1, Last: 2}
	f.check(f.Commit(f.Context(), c))
	f.reopen()
	found, err := f.Request(f.Context(), "ann", "1", c.Game.ID)
	f.check(err)
	f.same("request", *c.Request, found)
	for _, unknown := range [][2]string{{"ann", "2"}, {"bob", "1"}} {
		_, err := f.Request(f.Context(), unknown[0], unknown[1], c.Game.ID)
		f.wantError(err, game.ErrNotFound)
	}
}

func pingFails(f *fixture) {
	f.check(f.Ping(f.Context()))
	g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	d := f.moved(g)
	f.check(f.Close())
	for name, call := range map[string]func(ctx context.Context) error{
		"Ping":   f.Ping,
		"Game":   func(ctx context.Context) error { _, err := f.Game(ctx, g.ID); return err },
		"Commit": func(ctx context.Context) error { return f.Commit(ctx, change(d)) },
	} {
		f.Run(name, func(t *testing.T) {
			if call(t.Context()) == nil {
				t.Error("no error from a closed store")
			}
		})
	}
	f.Store = f.Open(f.T, f.place, patient)
	f.check(f.Ping(f.Context()))
}
