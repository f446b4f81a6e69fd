package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// matches reports whether a filter selects a game. It is the definition that the test compares
// with.
func matches(g game.Game, f game.Filter) bool {
	sits := func(player string) bool { return g.Seats[0].Player == player || g.Seats[1].Player == player }
	own := f.Viewer != "" && (g.Creator == f.Viewer || sits(f.Viewer))
	return (len(f.States) == 0 || slices.Contains(f.States, g.State)) &&
		(f.Kind == "" || g.Setup.Kind() == f.Kind) &&
		(f.Player == "" || sits(f.Player)) &&
		(f.Before == "" || g.ID < f.Before) &&
		(g.Visibility == game.Public || own)
}

// assorted commits games of both kinds with every combination of visibility, seats and state.
func assorted(f *fixture) []game.Game {
	var all []game.Game
	for _, setup := range []games.Setup{small, trios} {
		for _, visibility := range []game.Visibility{game.Public, game.Link, game.Private} {
			for _, seats := range []game.Seats{
				{seatOf("ann"), seatOf("bob")}, {seatOf("bob"), robot}, {robot, seatOf("cid")}, {seatOf("ann"), seatOf("ann")},
				{emptySeat, seatOf("ann")}, {robot, emptySeat}, {robot, robot},
			} {
				open := seats[0] == emptySeat || seats[1] == emptySeat
				if open && visibility == game.Private {
					continue
				}
				create := func() game.Game {
					return f.commit(f.createdAs(game.Created{Creator: "ann", Visibility: visibility, Setup: setup, Seats: seats}))
				}
				all = append(all, create(), f.aborted(create()))
				if !open {
					all = append(all, f.playOut(create()), f.commit(f.timed(setup, seats[0], seats[1])))
				}
			}
		}
	}
	return all
}

func (f *fixture) aborted(g game.Game) game.Game {
	f.Helper()
	d, err := g.Abort(g.Creator, f.now())
	f.check(err)
	return f.commit(d)
}

// filters returns every combination of filter fields for one page.
func filters(limit int, before string) []game.Filter {
	var all []game.Filter
	for _, states := range [][]game.State{
		nil, {game.StateWaiting}, {game.StateActive}, {game.StateFinished}, {game.StateAborted}, {game.StateWaiting, game.StateActive},
	} {
		for _, kind := range []rules.Kind{"", rules.Reversi, rules.ThreeTrios} {
			for _, player := range []string{"", "ann", "bob", "stranger"} {
				for _, viewer := range []string{"", "ann", "bob", "cid", "stranger"} {
					all = append(all, game.Filter{
						States: states, Kind: kind, Player: player, Viewer: viewer, Before: before, Limit: limit,
					})
				}
			}
		}
	}
	return all
}

func gamesThatMatch(f *fixture) {
	all := assorted(f)
	slices.SortFunc(all, func(a, b game.Game) int { return strings.Compare(b.ID, a.ID) })
	matching := func(filter game.Filter) []game.Game {
		return slices.DeleteFunc(slices.Clone(all), func(g game.Game) bool { return !matches(g, filter) })
	}
	check := func(f *fixture, filters []game.Filter) {
		for _, filter := range filters {
			want := matching(filter)
			got, err := f.Games(f.Context(), filter)
			f.check(err)
			f.same(fmt.Sprintf("ids of %+v", filter), ids(want[:min(len(want), filter.Limit)]), ids(got))
		}
	}
	middle := all[len(all)/2].ID
	f.sub("all games", func(f *fixture) { check(f, filters(1000, "")) })
	f.sub("page by page", func(f *fixture) { check(f, slices.Concat(filters(3, ""), filters(2, middle))) })
	f.sub("after reopening", func(f *fixture) {
		f.reopen()
		filter := game.Filter{Viewer: "ann", Limit: 1000}
		got, err := f.Games(f.Context(), filter)
		f.check(err)
		f.same("games", matching(filter), got)
	})
	f.sub("no games with a limit of 0", func(f *fixture) {
		got, err := f.Games(f.Context(), game.Filter{})
		f.check(err)
		f.same("games", 0, len(got))
	})
	f.sub("games that the player joined", func(f *fixture) {
		g := f.commit(f.createdAs(game.Created{
			Creator: "ann", Visibility: game.Link, Setup: small, Seats: game.Seats{seatOf("ann"), emptySeat},
		}))
		dan := game.Filter{Viewer: "dan", Player: "dan", Limit: 10}
		got, err := f.Games(f.Context(), dan)
		f.check(err)
		f.same("games before", 0, len(got))
		joined, err := g.Join(seatOf("dan"), rules.NoSide, f.now())
		f.check(err)
		f.commit(joined)
		got, err = f.Games(f.Context(), dan)
		f.check(err)
		f.same("ids after", []string{g.ID}, ids(got))
	})
}

// shard returns the number of the first shard in which a player has a game, or 0.
func (f *fixture) shard(player string) int {
	f.Helper()
	for shard := range f.settled() {
		found, _, err := f.Turns(f.Context(), player, shard, 0, 1)
		f.check(err)
		if len(found) > 0 {
			return shard
		}
	}
	return 0
}

// turns returns the games of a page and the number of the last change in it. All games of the test
// are in one shard.
func (f *fixture) turns(player string, after int64, limit int) ([]game.Game, int64) {
	f.Helper()
	found, _, err := f.Turns(f.Context(), player, f.shard(player), after, limit)
	f.check(err)
	var games []game.Game
	for _, c := range found {
		if c.Change <= after {
			f.Fatalf("change %d is followed by %d", after, c.Change)
		}
		games, after = append(games, c.Game), c.Change
	}
	return games, after
}

func turnsInOrder(f *fixture) {
	f.key = oneKey
	one := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	two := f.commit(f.created(small, seatOf("ann"), seatOf("ann")))
	three := f.commit(f.created(trios, robot, seatOf("ann")))
	f.commit(f.created(small, seatOf("bob"), robot))
	joined := f.commit(f.created(small, emptySeat, seatOf("bob")))

	f.sub("from the start", func(f *fixture) {
		found, _ := f.turns("ann", 0, 10)
		f.same("games", []game.Game{one, two, three}, found)
	})
	f.sub("page by page", func(f *fixture) {
		found, cursor := f.turns("ann", 0, 2)
		f.same("first page", ids([]game.Game{one, two}), ids(found))
		found, cursor = f.turns("ann", cursor, 2)
		f.same("second page", ids([]game.Game{three}), ids(found))
		found, last := f.turns("ann", cursor, 2)
		f.same("last page", 0, len(found))
		f.same("last cursor", cursor, last)
	})
	f.sub("from the middle of a page", func(f *fixture) {
		all, _, err := f.Turns(f.Context(), "ann", f.shard("ann"), 0, 10)
		f.check(err)
		for i, c := range all {
			rest, _, err := f.Turns(f.Context(), "ann", f.shard("ann"), c.Change, 10)
			f.check(err)
			f.same("number of games", len(all)-1-i, len(rest))
		}
	})
	f.sub("a game moves to the end when it changes", func(f *fixture) {
		_, cursor := f.turns("ann", 0, 10)
		one = f.commit(f.moved(one))
		d, err := joined.Join(seatOf("ann"), rules.NoSide, f.now())
		f.check(err)
		joined = f.commit(d)
		found, _ := f.turns("ann", cursor, 10)
		f.same("changed games", []game.Game{one, joined}, found)
		found, _ = f.turns("ann", 0, 10)
		f.same("all games", ids([]game.Game{two, three, one, joined}), ids(found))
	})
	f.sub("a finished game is returned too", func(f *fixture) {
		_, cursor := f.turns("ann", 0, 10)
		one = f.playOut(one)
		found, _ := f.turns("ann", cursor, 10)
		f.same("changed games", []game.Game{one}, found)
	})
	f.sub("after reopening", func(f *fixture) {
		_, cursor := f.turns("ann", 0, 10)
		f.reopen()
		two = f.commit(f.moved(two))
		found, _ := f.turns("ann", cursor, 10)
		f.same("changed games", ids([]game.Game{two}), ids(found))
	})
	f.sub("no games for a stranger", func(f *fixture) {
		found, _ := f.turns("stranger", 0, 10)
		f.same("games", 0, len(found))
	})
}

// turnsMissNoChange reads page after page while two processes play games, and checks that it gets
// the last version of every game.
func turnsMissNoChange(f *fixture) {
	const writers = 8
	ends := make([]game.Game, writers)
	other := f.other()
	var all sync.WaitGroup
	for i := range writers {
		begin := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
		own := f.either(other, i)
		all.Go(func() { ends[i] = playCommittingTwice(own, begin) })
	}
	written := make(chan struct{})
	go func() { all.Wait(); close(written) }()
	seen := map[string]int{}
	after := make([]int64, len(f.settled()))
	for last := false; ; {
		full := false
		for shard := range after {
			page, settled, err := f.Turns(f.Context(), "bob", shard, after[shard], 3)
			f.check(err)
			for _, c := range page {
				seen[c.Game.ID] = max(seen[c.Game.ID], c.Game.Version)
				after[shard] = max(after[shard], min(c.Change, settled))
			}
			full = full || len(page) >= 3
		}
		if last && !full {
			break
		}
		select {
		case <-written:
			last = true
		default:
		}
	}
	for _, g := range ends {
		if seen[g.ID] != g.Version {
			f.Errorf("game %s: last version %d, want %d", g.ID, seen[g.ID], g.Version)
		}
	}
}

func changesAreSettled(f *fixture) {
	f.key = oneKey
	f.sub("no change of an empty store", func(f *fixture) {
		for shard, settled := range f.settled() {
			found, _, err := f.Turns(f.Context(), "ann", shard, settled, 10)
			f.check(err)
			f.same("games", 0, len(found))
		}
	})
	f.sub("all changes are settled at last", func(f *fixture) {
		f.playOut(f.commit(f.created(small, seatOf("ann"), seatOf("bob"))))
		_, last := f.turns("ann", 0, 100)
		f.settledAt(f.shard("ann"), last)
	})
}

func settledDoesNotDecrease(f *fixture) {
	g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	before := f.settled()
	for !g.State.Over() {
		g = f.commit(f.moved(g))
		after := f.settled()
		for shard := range after {
			if after[shard] < before[shard] {
				f.Fatalf("change %d is followed by %d", before, after)
			}
		}
		before = after
	}
}

func laterChangesAreGreater(f *fixture) {
	f.key = oneKey
	g := f.commit(f.created(small, seatOf("ann"), seatOf("bob")))
	settled := f.settled()
	f.reopen()
	f.commit(f.moved(g))
	if _, last := f.turns("ann", 0, 100); last <= settled[f.shard("ann")] {
		f.Errorf("change %d commits after %d was settled", last, settled)
	}
}

func (f *fixture) settled() []int64 {
	f.Helper()
	changes, err := f.Settled(f.Context())
	f.check(err)
	return changes
}

// settledAt waits until a change in a shard is settled. Transactions of other databases on the same server can
// delay it.
func (f *fixture) settledAt(shard int, change int64) {
	f.Helper()
	for start := time.Now(); f.settled()[shard] < change; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			f.Fatalf("change %d is not settled: %d is", change, f.settled())
		}
	}
}
