package service_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// losingFeed loses every wake-up.
type losingFeed struct{ game.Feed }

func (losingFeed) Publish(context.Context, game.Wake) {}

func losesAll(f game.Feed) game.Feed { return losingFeed{f} }

// unreliableFeed loses a third of the wake-ups and doubles another third.
type unreliableFeed struct {
	game.Feed
	random *rand.Rand
}

func (f unreliableFeed) Publish(ctx context.Context, wake game.Wake) {
	for range f.random.IntN(3) {
		f.Feed.Publish(ctx, wake)
	}
}

func TestUnreliableFeed(t *testing.T) {
	unreliable := func(f game.Feed) game.Feed { return unreliableFeed{f, rand.New(rand.NewPCG(7, 8))} }
	run(t, options{feed: unreliable}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		events, turns := f.watch(f.bob, g.ID, nil, 0), f.watchTurns(f.ann, nil)
		for !g.State.Over() {
			time.Sleep(time.Second)
			g = f.play(f.ann, g.ID)
		}
		time.Sleep(20 * time.Second)
		f.wantMessages(events, wholeGame(len(f.log(g.ID))))
		if got := turns.all(); !strings.Contains(got, "over") {
			f.Errorf("the turns are %s", got)
		}
	})
}

func TestLostWakeUpsComeWithHeartbeat(t *testing.T) {
	run(t, options{feed: losesAll}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		anns, turns, bobs := f.watch(f.ann, g.ID, nil), f.watchTurns(f.ann, nil), f.watch(f.bob, g.ID, nil)
		synctest.Wait()
		f.play(f.ann, g.ID)
		f.play(f.ann, g.ID)
		f.wantMessages(anns, "snapshot@2")
		time.Sleep(10 * time.Second)
		f.wantMessages(anns, "snapshot@2", "event@3", "event@4")
		f.wantMessages(turns, "turn@2", "turn@4")
		if _, err := f.RotateKey(f.Context(), f.ann); err != nil {
			f.Fatal(err)
		}
		f.playToEnd(f.ann, f.load(g.ID))
		time.Sleep(10 * time.Second)
		f.wantMessages(turns, "turn@2", "turn@4", "end:keyRevoked")
		f.wantMessages(bobs, strings.Replace(wholeGame(len(f.log(g.ID))), "event@1 event@2", "snapshot@2", 1))
	})
}

// TestLongPollWithoutWakeUp polls for a move whose wake-up is lost.
func TestLongPollWithoutWakeUp(t *testing.T) {
	run(t, options{feed: losesAll}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		time.AfterFunc(time.Second, func() { f.play(f.ann, g.ID) })
		page, err := f.Events(f.Context(), f.bob, g.ID, g.Version, 10, time.Minute)
		if err != nil || len(page) != 1 || f.elapsed() > 10*time.Second {
			f.Errorf("after %v got %v, %v", f.elapsed(), page, err)
		}
	})
}

// TestMissedWakeUps wakes watchers as a feed does after it lost its connection to other processes.
func TestMissedWakeUps(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		bobs, turns := f.watch(f.bob, g.ID, nil), f.watchTurns(f.ann, nil)
		remote := &fixture{T: f.T, process: f.startProcess(options{})}
		f.wantMessages(turns, "turn@2") // The streams have started before the move.
		f.wantMessages(bobs, "snapshot@2")
		remote.play(f.ann, g.ID)
		f.wantMessages(turns, "turn@2")
		f.wantMessages(bobs, "snapshot@2")
		for _, topic := range []string{game.GameTopic(g.ID), game.PlayerTopic(f.ann.Player.ID)} {
			f.feed.Publish(f.Context(), game.Wake{Topic: topic, Missed: true})
		}
		f.wantMessages(bobs, "snapshot@2", "event@3")
		f.wantMessages(turns, "turn@2", "turn@3")
	})
}

// TestWrongWakeUp publishes a version that the game has not reached.
func TestWrongWakeUp(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		bobs, anns := f.watch(f.bob, g.ID, nil), f.watch(f.ann, g.ID, nil)
		wrong := game.Wake{Topic: game.GameTopic(g.ID), Version: 7}
		f.wantMessages(bobs, "snapshot@2")
		f.feed.Publish(f.Context(), wrong)
		f.wantMessages(bobs, "snapshot@2")
		f.play(f.ann, g.ID)
		f.wantMessages(bobs, "snapshot@2", "event@3")
		f.feed.Publish(f.Context(), wrong)
		anns.cancel()
		if err := f.wantEnd(anns); !errors.Is(err, context.Canceled) {
			f.Errorf("got %v, want %v", err, context.Canceled)
		}
		f.Shutdown()
		f.wantMessages(bobs, "snapshot@2", "event@3", "end:shuttingDown@3")
	})
}

// countingStore counts the reads of events.
type countingStore struct {
	game.Store
	reads *atomic.Int32
}

func (s countingStore) Events(
	ctx context.Context, id string, after, limit int,
) ([]game.Event, error) {
	s.reads.Add(1)
	time.Sleep(time.Millisecond)
	return s.Store.Events(ctx, id, after, limit)
}

// TestWatchersShareReads has many watchers in one process of a game that is played in another.
func TestWatchersShareReads(t *testing.T) {
	var reads atomic.Int32
	counting := func(s game.Store) game.Store { return countingStore{s, &reads} }
	run(t, options{store: counting}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		var watchers []*recorder
		for range 200 {
			watchers = append(watchers, f.watch(f.bob, g.ID, nil))
		}
		remote := &fixture{T: f.T, process: f.startProcess(options{})}
		synctest.Wait()
		reads.Store(0)
		g = remote.play(f.ann, g.ID)
		f.feed.Publish(f.Context(), game.Wake{Topic: game.GameTopic(g.ID), Version: g.Version})
		time.Sleep(time.Second)
		for _, w := range watchers {
			f.wantMessages(w, "snapshot@2", "event@3")
		}
		if n := reads.Load(); n != 1 {
			f.Errorf("200 watchers made %d reads, want 1", n)
		}
	})
}

// TestEventCache plays in this process. Only a reader of old events may read the store.
func TestEventCache(t *testing.T) {
	var reads atomic.Int32
	counting := func(s game.Store) game.Store { return countingStore{s, &reads} }
	run(t, options{store: counting}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		r := f.watch(f.bob, g.ID, nil, 0)
		synctest.Wait()
		for range 5 {
			f.play(f.ann, g.ID)
			synctest.Wait()
		}
		f.wantMessages(r, "event@1", "event@2", "event@3", "event@4", "event@5", "event@6", "event@7")
		page, err := f.Events(f.Context(), f.bob, g.ID, 3, 2, 0)
		if got := fmt.Sprint(kinds(page) == kinds(f.log(g.ID)[3:5]), err, reads.Load()); got != "true <nil> 0" {
			f.Errorf("same events, error, reads: %s", got)
		}
		remote := f.startProcess(options{store: counting})
		if page, err := remote.Events(f.Context(), f.bob, g.ID, 0, 3, 0); err != nil || len(page) != 3 || reads.Load() != 1 {
			f.Errorf("in another process: %d events after %d reads, %v", len(page), reads.Load(), err)
		}
	})
}

// TestDelays watches a game whose robot never answers. Each retry is announced; after the last
// attempt the server plays.
func TestDelays(t *testing.T) {
	never := func(ctx context.Context, _ robots.Request) (game.Choice, error) {
		<-ctx.Done()
		return game.Choice{}, ctx.Err()
	}
	o := options{strategies: never}
	o.robots.GracePeriod = 4 * time.Second
	run(t, o, func(f *fixture) {
		g := f.create(seat(f.ann), robot)
		var delays []game.Delayed
		r := f.watch(f.bob, g.ID, func(m service.GameMessage) error {
			if m.Delayed != nil {
				delays = append(delays, *m.Delayed)
			}
			return nil
		})
		synctest.Wait()
		f.play(f.ann, g.ID)
		start := time.Now().UTC()
		f.wantMessages(r, "snapshot@2", "event@3")
		time.Sleep(4 * time.Second)
		f.wantMessages(r, "snapshot@2", "event@3", "delayed1@3")
		time.Sleep(4*time.Second + 250*time.Millisecond)
		f.wantMessages(r, "snapshot@2", "event@3", "delayed1@3", "delayed2@3")
		time.Sleep(4*time.Second + 500*time.Millisecond)
		f.wantMessages(r, "snapshot@2", "event@3", "delayed1@3", "delayed2@3", "event@4")
		for i, offset := range []time.Duration{4250 * time.Millisecond, 8750 * time.Millisecond} {
			want := game.Delayed{Side: rules.Second, Attempt: i + 1, Retry: start.Add(offset)}
			if delays[i] != want {
				f.Errorf("delay %+v, want %+v", delays[i], want)
			}
		}
	})
}

// TestDelayMergedWithMove has the delay of a robot arrive together with the move before it.
func TestDelayMergedWithMove(t *testing.T) {
	illegal := func(context.Context, robots.Request) (game.Choice, error) {
		return game.Choice{Move: rules.Place(rules.HexCell(9, 0))}, nil
	}
	run(t, options{strategies: illegal}, func(f *fixture) {
		g := f.create(seat(f.ann), robot)
		r := f.watch(f.bob, g.ID, func(service.GameMessage) error {
			time.Sleep(time.Millisecond)
			return nil
		}, 0)
		f.wantMessages(r, "event@1")
		f.play(f.ann, g.ID)
		time.Sleep(100 * time.Millisecond)
		f.wantMessages(r, "event@1", "event@2", "event@3", "delayed1@3")
	})
}
