package service_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// wildFeed loses a third of the wake-ups and doubles another.
type wildFeed struct {
	game.Feed
	random *rand.Rand
}

func (f wildFeed) Publish(ctx context.Context, wake game.Wake) {
	for range f.random.IntN(3) {
		f.Feed.Publish(ctx, wake)
	}
}

// TestWakeUpsThatAreLostOrDoubledChangeNothing has a watcher of each kind see a game to its end.
func TestWakeUpsThatAreLostOrDoubledChangeNothing(t *testing.T) {
	wild := func(f game.Feed) game.Feed { return wildFeed{f, rand.New(rand.NewPCG(7, 8))} }
	inWorld(t, parts{feed: wild}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		anns, turns := w.watch(w.bob, g.ID, nil, 0), w.watchTurns(w.ann, nil)
		for !g.State.Over() {
			time.Sleep(time.Second)
			g = w.mustMove(w.ann, g.ID)
		}
		time.Sleep(20 * time.Second)
		if got, want := anns.all(), toTheEnd(len(w.log(g.ID))); got != want {
			w.Errorf("got  %s\nwant %s", got, want)
		}
		if got := turns.all(); !strings.Contains(got, "over") {
			w.Errorf("the turns were %s", got)
		}
	})
}

// TestALongPollNoticesWhatItWasNotWokenFor waits for a move whose wake-up is lost.
func TestALongPollNoticesWhatItWasNotWokenFor(t *testing.T) {
	deaf := func(f game.Feed) game.Feed { return deafFeed{f} }
	inWorld(t, parts{feed: deaf}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		start := time.Now()
		time.AfterFunc(time.Second, func() { w.mustMove(w.ann, g.ID) })
		page, err := w.Events(w.Context(), w.bob, g.ID, g.Version, 10, time.Minute)
		if err != nil || len(page) != 1 || time.Since(start) > 10*time.Second {
			w.Errorf("after %v came %v, %v", time.Since(start), page, err)
		}
	})
}

// TestMissedWakeUpsAreLookedFor wakes watchers as a feed does that was cut off from other processes.
func TestMissedWakeUpsAreLookedFor(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		bobs, turns := w.watch(w.bob, g.ID, nil), w.watchTurns(w.ann, nil)
		other := start(w.T, w.store, parts{})
		there := &world{T: w.T, process: other}
		w.hears(turns, "turn@2") // What happens before they have begun to watch, they would not have missed.
		w.hears(bobs, "snapshot@2")
		there.mustMove(w.ann, g.ID)
		w.hears(turns, "turn@2")
		w.hears(bobs, "snapshot@2")
		for _, topic := range []string{"game." + g.ID, "player." + w.ann.Player.ID} {
			w.feed.Publish(w.Context(), game.Wake{Topic: topic, Missed: true})
		}
		w.hears(bobs, "snapshot@2", "event@3")
		w.hears(turns, "turn@2", "turn@3")
	})
}

// TestAWakeUpIsAHintOnly has one tell of versions that a game has not reached.
func TestAWakeUpIsAHintOnly(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		h, left := w.watch(w.bob, g.ID, nil), w.watch(w.ann, g.ID, nil)
		wrong := game.Wake{Topic: "game." + g.ID, Version: 7}
		w.hears(h, "snapshot@2")
		w.feed.Publish(w.Context(), wrong)
		w.hears(h, "snapshot@2")
		w.mustMove(w.ann, g.ID)
		w.hears(h, "snapshot@2", "event@3")
		w.feed.Publish(w.Context(), wrong)
		left.leave()
		if err := w.ends(left); !errors.Is(err, context.Canceled) {
			w.Errorf("left with %v", err)
		}
		w.Shutdown()
		w.hears(h, "snapshot@2", "event@3", "end:shuttingDown@3")
	})
}

// countingStore counts the reads of events.
type countingStore struct {
	game.Store
	reads *atomic.Int32
}

func (s countingStore) Events(ctx context.Context, id string, after, limit int) ([]game.Event, error) {
	s.reads.Add(1)
	time.Sleep(time.Millisecond)
	return s.Store.Events(ctx, id, after, limit)
}

// TestWatchersOfAGameThatMovesElsewhereShareOneRead has many watch in one process what happens in another.
func TestWatchersOfAGameThatMovesElsewhereShareOneRead(t *testing.T) {
	var reads atomic.Int32
	counting := func(s game.Store) game.Store { return countingStore{s, &reads} }
	inWorld(t, parts{store: counting}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		var watchers []*heard
		for range 200 {
			watchers = append(watchers, w.watch(w.bob, g.ID, nil))
		}
		there := &world{T: w.T}
		there.process = start(w.T, w.store, parts{})
		synctest.Wait()
		reads.Store(0)
		g = there.mustMove(w.ann, g.ID)
		w.feed.Publish(w.Context(), game.Wake{Topic: "game." + g.ID, Version: g.Version})
		time.Sleep(time.Second)
		for _, h := range watchers {
			w.hears(h, "snapshot@2", "event@3")
		}
		if n := reads.Load(); n != 1 {
			w.Errorf("200 watchers took %d reads", n)
		}
	})
}
