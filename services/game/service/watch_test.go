package service_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestWatchGameSaysSomethingAtOnce(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		w.hears(w.watch(w.bob, g.ID, nil), "snapshot@2")
		w.hears(w.watch(w.bob, g.ID, nil, 0), "event@1", "event@2")
		w.hears(w.watch(w.bob, g.ID, nil, 1), "event@2")
		w.hears(w.watch(w.bob, g.ID, nil, 2), "heartbeat@2")
	})
}

func TestOnlyTheFirstMessageNamesTheHeartbeatInterval(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		var frames []service.Frame
		w.watch(w.ann, g.ID, func(m service.GameMessage) error {
			frames = append(frames, m.Frame)
			return nil
		})
		synctest.Wait()
		w.mustMove(w.ann, g.ID)
		synctest.Wait()
		now := time.Now().UTC()
		want := []service.Frame{{Time: now, HeartbeatInterval: 10 * time.Second}, {Time: now}}
		if diff := cmp.Diff(want, frames); diff != "" {
			w.Errorf("frames (-want +got):\n%s", diff)
		}
	})
}

func TestAHeartbeatBreaksTenSecondsOfSilence(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		h := w.watch(w.ann, g.ID, nil)
		time.Sleep(10*time.Second - time.Nanosecond)
		w.hears(h, "snapshot@2")
		time.Sleep(time.Nanosecond)
		w.hears(h, "snapshot@2", "heartbeat@2")
		time.Sleep(9 * time.Second)
		w.mustMove(w.ann, g.ID)
		time.Sleep(9 * time.Second)
		w.hears(h, "snapshot@2", "heartbeat@2", "event@3")
		time.Sleep(1 * time.Second)
		w.hears(h, "snapshot@2", "heartbeat@2", "event@3", "heartbeat@3")
	})
}

// TestAStreamThatIsCutAnywhereCanBeResumed cuts after every message there is.
func TestAStreamThatIsCutAnywhereCanBeResumed(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		w.mustMove(w.ann, g.ID)
		errCut := errors.New("cut")
		var versions []int
		for end := false; !end; {
			from := []int{0}
			if len(versions) > 0 {
				from[0] = versions[len(versions)-1]
			}
			h := w.watch(w.bob, g.ID, func(m service.GameMessage) error {
				end = m.End == service.EndGameOver
				if m.Event == nil {
					return nil
				}
				versions = append(versions, m.Version)
				return errCut
			}, from...)
			if ended, _ := h.over(); !ended {
				w.mustMove(w.ann, g.ID)
			}
			if err := w.ends(h); !end && !errors.Is(err, errCut) {
				w.Fatalf("the stream ended with %v", err)
			}
		}
		log := w.log(g.ID)
		for i, version := range versions {
			if version != i+1 {
				w.Fatalf("heard versions %v", versions)
			}
		}
		if len(versions) != len(log) || log[len(log)-1].Finished == nil {
			w.Errorf("heard %d of %d events", len(versions), len(log))
		}
	})
}

func TestAGameThatEndsEndsItsStream(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		h := w.watch(w.bob, g.ID, nil)
		synctest.Wait()
		if _, err := w.Resign(w.Context(), service.Call{Caller: w.ann}, g.ID, rules.NoSide); err != nil {
			w.Fatal(err)
		}
		w.hears(h, "snapshot@2", "event@3", "end:gameOver@3")
		if err := w.ends(h); err != nil {
			w.Errorf("the stream ended with %v", err)
		}
		w.hears(w.watch(w.bob, g.ID, nil), "snapshot@3", "end:gameOver@3")
		w.hears(w.watch(w.bob, g.ID, nil, 2), "event@3", "end:gameOver@3")
		w.hears(w.watch(w.bob, g.ID, nil, 3), "end:gameOver@3")

		aborted := w.create(seat(w.ann))
		h = w.watch(w.bob, aborted.ID, nil)
		synctest.Wait()
		if _, err := w.AbortGame(w.Context(), service.Call{Caller: w.ann}, aborted.ID); err != nil {
			w.Fatal(err)
		}
		w.hears(h, "snapshot@1", "event@2", "end:gameOver@2")
	})
}

func TestAVersionThatIsNotThereYetIsNoResumePoint(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		h := w.watch(w.ann, g.ID, nil, 3)
		w.hears(h)
		refuses(w.T, w.ends(h), fault.InvalidField)
	})
}

func TestShutdownEndsStreamsWithAWord(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		h, turns := w.watch(w.ann, g.ID, nil), w.watchTurns(w.bob, nil)
		synctest.Wait()
		w.Shutdown()
		w.Shutdown() // twice is as well
		w.hears(h, "snapshot@2", "end:shuttingDown@2")
		w.hears(turns, "heartbeat", "end:shuttingDown")
		w.hears(w.watch(w.ann, g.ID, nil), "snapshot@2", "end:shuttingDown@2")
	})
}

func TestANewKeyEndsTheStreamsOfTheOldOne(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		anns, bobs := w.watch(w.ann, g.ID, nil), w.watch(w.bob, g.ID, nil)
		turns := w.watchTurns(w.ann, nil)
		synctest.Wait()
		if _, err := w.RotateKey(w.Context(), w.ann); err != nil {
			w.Fatal(err)
		}
		w.hears(anns, "snapshot@2", "end:keyRevoked@2")
		w.hears(turns, "turn@2", "end:keyRevoked")
		w.hears(bobs, "snapshot@2")
		if _, err := w.Authenticate(w.Context(), w.annsKey, ""); fault.ReasonOf(err) != fault.InvalidKey {
			w.Errorf("the old key still works: %v", err)
		}
	})
}

// deafFeed loses every wake-up.
type deafFeed struct{ game.Feed }

func (deafFeed) Publish(context.Context, game.Wake) {}

func TestWhatAWakeUpWouldHaveToldComesWithTheNextHeartbeat(t *testing.T) {
	deaf := func(f game.Feed) game.Feed { return deafFeed{f} }
	inWorld(t, parts{feed: deaf}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		h, turns, bobs := w.watch(w.ann, g.ID, nil), w.watchTurns(w.ann, nil), w.watch(w.bob, g.ID, nil)
		synctest.Wait()
		w.mustMove(w.ann, g.ID)
		w.mustMove(w.ann, g.ID)
		w.hears(h, "snapshot@2")
		time.Sleep(10 * time.Second)
		w.hears(h, "snapshot@2", "event@3", "event@4")
		w.hears(turns, "turn@2", "turn@4")
		if _, err := w.RotateKey(w.Context(), w.ann); err != nil {
			w.Fatal(err)
		}
		w.finish(w.ann, w.now(g.ID))
		time.Sleep(10 * time.Second)
		w.hears(turns, "turn@2", "turn@4", "end:keyRevoked")
		if got, want := bobs.all(), strings.Replace(toTheEnd(len(w.log(g.ID))), "event@1 event@2", "snapshot@2", 1); got != want {
			w.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestAReaderWhoIsTooSlowIsToldSo(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		slow := w.watch(w.bob, g.ID, func(m service.GameMessage) error {
			if m.Version == 3 && m.Event != nil {
				time.Sleep(31 * time.Second)
			}
			return nil
		})
		ready := w.watch(w.bob, g.ID, nil)
		synctest.Wait()
		for range 3 {
			w.mustMove(w.ann, g.ID)
			synctest.Wait()
		}
		if w.since() != 0 {
			w.Errorf("a slow reader held up the players for %v", w.since())
		}
		w.hears(ready, "snapshot@2", "event@3", "event@4", "event@5")
		time.Sleep(31 * time.Second)
		w.hears(slow, "snapshot@2", "event@3", "end:tooSlow@3")
		w.hears(w.watch(w.bob, g.ID, nil, 3), "event@4", "event@5")
	})
}

func TestAReaderWhoNeverReadsIsLeftBehind(t *testing.T) {
	settings := service.Settings{MaxStreams: 1}
	inWorld(t, parts{settings: settings}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		gone := make(chan struct{})
		defer close(gone)
		stuck := w.watch(w.bob, g.ID, func(service.GameMessage) error { <-gone; return nil })
		synctest.Wait()
		w.finish(w.ann, g)
		if w.since() != 0 {
			w.Errorf("a reader who never reads held up the players for %v", w.since())
		}
		time.Sleep(59 * time.Second)
		if ended, _ := stuck.over(); ended {
			w.Fatal("the stream ended though there was time left to read")
		}
		refuses(w.T, w.ends(w.watch(w.bob, g.ID, nil)), fault.TooManyStreams)
		time.Sleep(2 * time.Second)
		if err := w.ends(stuck); !errors.Is(err, context.DeadlineExceeded) {
			w.Errorf("ended with %v", err)
		}
		w.hears(w.watch(w.bob, g.ID, nil, 0), toTheEnd(len(w.log(g.ID))))
	})
}

func TestStreamsAreCounted(t *testing.T) {
	inWorld(t, parts{settings: service.Settings{MaxStreams: 2}}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		one, turns := w.watch(w.ann, g.ID, nil), w.watchTurns(w.ann, nil)
		synctest.Wait()
		refuses(w.T, w.ends(w.watch(w.ann, g.ID, nil)), fault.TooManyStreams)
		refuses(w.T, w.ends(w.watchTurns(w.ann, nil)), fault.TooManyStreams)
		w.hears(w.watch(w.bob, g.ID, nil), "snapshot@2")
		one.leave()
		if err := w.ends(one); !errors.Is(err, context.Canceled) {
			w.Errorf("left with %v", err)
		}
		w.hears(w.watch(w.ann, g.ID, nil), "snapshot@2")
		w.hears(turns, "turn@2")
	})
}

// TestWatchersWhileManyMove has readers of all kinds beside a game that is played as fast as it goes.
func TestWatchersWhileManyMove(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.createOf(long, seat(w.ann), seat(w.ann))
		var all []*heard
		for i := range 20 {
			random := rand.New(rand.NewPCG(7, uint64(i)))
			all = append(all, w.watch(w.bob, g.ID, func(service.GameMessage) error {
				time.Sleep(time.Duration(random.IntN(3)) * time.Microsecond)
				return nil
			}, 0))
		}
		w.finish(w.ann, g)
		time.Sleep(time.Second)
		synctest.Wait()
		for _, h := range all {
			if got, want := h.all(), toTheEnd(len(w.log(g.ID))); got != want {
				w.Errorf("got  %s\nwant %s", got, want)
			}
		}
	})
}

func TestAPanicEndsItsStreamOnly(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		broken := w.watch(w.bob, g.ID, func(m service.GameMessage) error {
			if m.Event != nil {
				panic("a bug")
			}
			return nil
		})
		whole := w.watch(w.bob, g.ID, nil)
		synctest.Wait()
		w.mustMove(w.ann, g.ID)
		if err := w.ends(broken); err == nil || !strings.Contains(err.Error(), "a bug") {
			w.Errorf("the stream ended with %v", err)
		}
		w.hears(whole, "snapshot@2", "event@3")
	})
}
