package storetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// racers is how many goroutines race for one thing.
const racers = 64

func commitIsDurable(f *fixture) {
	f.sub("whole games are there after closing and opening, and replay to what is stored", func(f *fixture) {
		var played []game.Game
		for _, setup := range []games.Setup{small, hex, trios, bigTrios()} {
			played = append(played,
				f.commit(f.created(setup, nobody, person("ann"))),
				f.commit(f.moved(f.commit(f.created(setup, person("ann"), person("bob"))))),
				f.playOut(f.commit(f.created(setup, robot, person("ann")))))
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
	f.sub("events are read as they were committed", func(f *fixture) {
		d := f.created(small, robot, person("ann"))
		f.commit(d)
		log := d.Events
		for g := d.Game; !g.State.Over(); g = d.Game {
			d = f.moved(g)
			f.commit(d)
			log = append(log, d.Events...)
		}
		f.same("log", log, f.log(d.Game.ID))
	})
	f.sub("nothing of a refused change remains", func(f *fixture) {
		g := f.commit(f.created(small, person("ann"), person("bob")))
		stale := change(f.moved(g))
		f.commit(f.moved(g))
		before, log := f.stored(g.ID), f.log(g.ID)
		cursor, err := f.Cursor(f.Context())
		f.check(err)

		stale.Request = &game.Request{Caller: "ann", ID: "refused", GameID: g.ID, First: 3, Last: 3}
		f.wantError(f.Commit(f.Context(), stale), game.ErrConflict)

		f.same("game", before, f.stored(g.ID))
		f.same("log", log, f.log(g.ID))
		_, err = f.Request(f.Context(), "ann", "refused")
		f.wantError(err, game.ErrNotFound)
		after, err := f.Cursor(f.Context())
		f.check(err)
		f.same("cursor", cursor, after)
	})
	f.sub("nothing is written for a caller who is gone", func(f *fixture) {
		gone, cancel := context.WithCancel(f.Context())
		cancel()
		d := f.created(small, person("ann"), person("bob"))
		f.wantError(f.Commit(gone, change(d)), context.Canceled)
		_, err := f.Game(gone, d.Game.ID)
		f.wantError(err, context.Canceled)
		_, err = f.Game(f.Context(), d.Game.ID)
		f.wantError(err, game.ErrNotFound)
	})
	f.sub("what many commit at once is all there", manyCommit)
}

// manyCommit has many games played at once, so that a store may commit moves of several together, some of
// which are refused, while another process does the same.
func manyCommit(f *fixture) {
	other := f.other()
	var all sync.WaitGroup
	ends := make([]game.Game, racers)
	for i := range racers {
		begin := f.commit(f.created(small, person("ann"), person("bob")))
		own := f.either(other, i)
		all.Go(func() { ends[i] = playWithRefusals(own, begin) })
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

// playWithRefusals plays a game to its end and tries to commit every move twice. It runs beside the test, which it
// must not stop.
func playWithRefusals(f *fixture, g game.Game) game.Game {
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
	first := f.created(small, person("ann"), person("bob"))
	g := f.commit(first)
	moved := f.moved(g)
	next := f.commit(moved)
	ahead := f.moved(f.moved(next).Game)
	for _, test := range []struct {
		name string
		d    game.Decision
	}{
		{"a game that exists", first},
		{"a version that is past", moved},
		{"a version that is not yet", ahead},
		{"a game that does not exist", f.moved(f.created(small, person("ann"), person("bob")).Game)},
	} {
		f.sub(test.name, func(f *fixture) {
			log := f.log(test.d.Game.ID)
			f.wantError(f.Commit(f.Context(), change(test.d)), game.ErrConflict)
			f.same("game", next, f.stored(g.ID))
			f.same("log", log, f.log(test.d.Game.ID))
		})
	}
}

func commitKnowsRequests(f *fixture) {
	g := f.commit(f.created(small, person("ann"), person("bob")))
	request := &game.Request{Caller: "ann", ID: "1", GameID: g.ID, First: 3, Last: 3}
	c := change(f.moved(g))
	c.Request = request
	f.check(f.Commit(f.Context(), c))
	next := f.stored(g.ID)

	f.sub("before a conflict", func(f *fixture) {
		f.wantError(f.Commit(f.Context(), c), game.ErrRequestSeen)
	})
	f.sub("where there is no conflict", func(f *fixture) {
		again := change(f.moved(next))
		again.Request = request
		f.wantError(f.Commit(f.Context(), again), game.ErrRequestSeen)
		f.same("game", next, f.stored(g.ID))
		f.same("log", 3, len(f.log(g.ID)))
	})
	f.sub("in another game", func(f *fixture) {
		other := change(f.created(small, person("ann"), person("bob")))
		other.Request = request
		f.wantError(f.Commit(f.Context(), other), game.ErrRequestSeen)
		_, err := f.Game(f.Context(), other.Game.ID)
		f.wantError(err, game.ErrNotFound)
	})
	f.sub("but an id of another caller is another request", func(f *fixture) {
		others := change(f.moved(next))
		others.Request = &game.Request{Caller: "bob", ID: "1", GameID: g.ID, First: 4, Last: 4}
		f.check(f.Commit(f.Context(), others))
	})
	f.sub("of requests that race exactly one succeeds", func(f *fixture) {
		changes := make([]game.Change, racers)
		for i := range changes {
			changes[i] = change(f.created(small, person("ann"), person("bob")))
			changes[i].Request = &game.Request{Caller: "ann", ID: "race", GameID: changes[i].Game.ID, First: 1, Last: 2}
		}
		won := race(f, changes, game.ErrRequestSeen)
		found, err := f.Request(f.Context(), "ann", "race")
		f.check(err)
		f.same("request", *won.Request, found)
	})
}

func commitsRace(f *fixture) {
	f.sub("to create a game", func(f *fixture) {
		d := f.created(small, person("ann"), person("bob"))
		race(f, slices.Repeat([]game.Change{change(d)}, racers), game.ErrConflict)
	})
	f.sub("to move", func(f *fixture) {
		g := f.commit(f.created(hex, person("ann"), person("bob")))
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

// race commits changes at once, of which one is to succeed and the others to be refused, and returns that one.
func race(f *fixture, changes []game.Change, refusal error) game.Change {
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
		f.Fatalf("all of %d commits were refused: %v", len(changes), errs[0])
	}
	for i, err := range errs {
		if i != won && !errors.Is(err, refusal) {
			f.Errorf("beside commit %d, commit %d returned %v", won, i, err)
		}
	}
	return changes[won]
}

func commitRefusesGaps(f *fixture) {
	g := f.commit(f.created(small, person("ann"), person("bob")))
	d := f.moved(g)
	for _, test := range []struct {
		name   string
		change func() game.Change
	}{
		{"without events", func() game.Change { return game.Change{Game: d.Game} }},
		{"with a game that is not what the events lead to", func() game.Change { return game.Change{Game: g, Events: d.Events} }},
		{"with a version left out", func() game.Change {
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
	f.sub("at every step", func(f *fixture) {
		for _, setup := range []games.Setup{small, hex, trios} {
			d := f.created(setup, robot, person("ann"))
			f.same("game", f.commit(d), f.stored(d.Game.ID))
			for g := d.Game; !g.State.Over(); {
				g = f.commit(f.moved(g))
				f.same("game", g, f.stored(g.ID))
			}
		}
	})
	f.sub("whatever can happen to it", func(f *fixture) {
		g := f.commit(f.created(small, nobody, robot))
		joined, err := g.Join(person("ann"), 0, f.now())
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
		f.same("resigned game, later", g, f.stored(g.ID))
	})
	f.sub("for readers beside the writer", readersSeeAcknowledged)
	f.sub("by turns in two processes", func(f *fixture) {
		other := f.other()
		g := f.commit(f.created(hex, person("ann"), person("bob")))
		for at := other; !g.State.Over(); f, at = at, f {
			f.same("game", g, at.stored(g.ID))
			g = at.commit(at.moved(g))
			f.same("game after a move in the other process", g, f.stored(g.ID))
		}
		d := f.moved(f.commit(f.created(small, person("ann"), person("bob"))))
		other.stored(d.Game.ID)
		f.commit(d)
		other.wantError(other.Commit(f.Context(), change(d)), game.ErrConflict)
	})
}

func gameMayBeStale(f *fixture) {
	_, err := f.StaleGame(f.Context(), "unknown")
	f.wantError(err, game.ErrNotFound)
	other, was := f.other(), map[int]game.Game{}
	for g := f.commit(f.created(small, person("ann"), person("bob"))); !g.State.Over(); g = f.commit(f.moved(g)) {
		was[g.Version] = g
		stale, err := other.StaleGame(f.Context(), g.ID)
		f.check(err)
		f.same("game after some commit", was[stale.Version], stale)
		if stale.Version < g.Version {
			other.wantError(other.Commit(f.Context(), change(other.moved(stale))), game.ErrConflict)
		}
	}
}

// readersSeeAcknowledged checks that nobody is shown less than what was acknowledged before he asked.
func readersSeeAcknowledged(f *fixture) {
	g := f.commit(f.created(hex, person("ann"), person("bob")))
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
				least, over := progress()
				seen, err := own.Game(f.Context(), g.ID)
				if err != nil || seen.Version < least {
					f.Errorf("version %d after %d was acknowledged, error %v", seen.Version, least, err)
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
	g := f.playOut(f.commit(f.created(small, person("ann"), person("bob"))))
	other := f.commit(f.created(small, person("ann"), person("bob")))
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
		{"after what is not yet", g.Version + 5, 10, nil},
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

func requestsAreKept(f *fixture) {
	c := change(f.created(small, person("ann"), person("bob")))
	c.Request = &game.Request{Caller: "ann", ID: "1", Fingerprint: [32]byte{31: 7, 0: 255}, GameID: c.Game.ID, First: 1, Last: 2}
	f.check(f.Commit(f.Context(), c))
	f.reopen()
	found, err := f.Request(f.Context(), "ann", "1")
	f.check(err)
	f.same("request", *c.Request, found)
	for _, unknown := range [][2]string{{"ann", "2"}, {"bob", "1"}} {
		_, err := f.Request(f.Context(), unknown[0], unknown[1])
		f.wantError(err, game.ErrNotFound)
	}
}

func pingFails(f *fixture) {
	f.check(f.Ping(f.Context()))
	g := f.commit(f.created(small, person("ann"), person("bob")))
	d := f.moved(g)
	f.check(f.Close())
	for name, call := range map[string]func(ctx context.Context) error{
		"Ping":   f.Ping,
		"Game":   func(ctx context.Context) error { _, err := f.Game(ctx, g.ID); return err },
		"Commit": func(ctx context.Context) error { return f.Commit(ctx, change(d)) },
	} {
		f.Run(name, func(t *testing.T) {
			if call(t.Context()) == nil {
				t.Error("a store that is closed can be used")
			}
		})
	}
	f.Store = f.Open(f.T, f.place)
	f.check(f.Ping(f.Context()))
}
