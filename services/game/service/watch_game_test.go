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

func TestWatchGameStarts(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		f.wantMessages(f.watch(f.bob, g.ID, nil), "snapshot@2")
		f.wantMessages(f.watch(f.bob, g.ID, nil, 0), "event@1", "event@2")
		f.wantMessages(f.watch(f.bob, g.ID, nil, 1), "event@2")
		f.wantMessages(f.watch(f.bob, g.ID, nil, 2), "heartbeat@2")
	})
}

func TestFirstMessageHasHeartbeatInterval(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		var frames []service.Frame
		f.watch(f.ann, g.ID, func(m service.GameMessage) error {
			frames = append(frames, m.Frame)
			return nil
		})
		synctest.Wait()
		f.play(f.ann, g.ID)
		synctest.Wait()
		now := time.Now().UTC()
		want := []service.Frame{{Time: now, HeartbeatInterval: 10 * time.Second}, {Time: now}}
		if diff := cmp.Diff(want, frames); diff != "" {
			f.Errorf("frames (-want +got):\n%s", diff)
		}
	})
}

func TestHeartbeat(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		r := f.watch(f.ann, g.ID, nil)
		time.Sleep(10*time.Second - time.Nanosecond)
		f.wantMessages(r, "snapshot@2")
		time.Sleep(time.Nanosecond)
		f.wantMessages(r, "snapshot@2", "heartbeat@2")
		time.Sleep(9 * time.Second)
		f.play(f.ann, g.ID)
		time.Sleep(9 * time.Second)
		f.wantMessages(r, "snapshot@2", "heartbeat@2", "event@3")
		time.Sleep(1 * time.Second)
		f.wantMessages(r, "snapshot@2", "heartbeat@2", "event@3", "heartbeat@3")
	})
}

// Watchers see the progress of a robot until it moves. A report that arrives after the move is
// dropped.
func TestWatchersSeeTheProgressOfRobots(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		watching := f.watch(f.bob, g.ID, nil)
		synctest.Wait()
		report := func(version int, analysis string) {
			f.feed.Publish(f.Context(), game.Wake{
				Topic: game.GameTopic(g.ID), Version: version,
				Thinking: &game.Thinking{Side: rules.First, Analysis: []byte(analysis)},
			})
			synctest.Wait()
		}
		report(2, "8")
		report(2, "9")
		f.play(f.ann, g.ID)
		synctest.Wait()
		report(2, "10")
		f.wantMessages(watching, "snapshot@2", "thinking8@2", "thinking9@2", "event@3")
		f.wantMessages(f.watch(f.bob, g.ID, nil), "snapshot@3")
	})
}

// TestResumeWatchGame cuts the stream after every message and resumes it.
func TestResumeWatchGame(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		f.play(f.ann, g.ID)
		errCut := errors.New("cut")
		var versions []int
		for end := false; !end; {
			from := 0
			if len(versions) > 0 {
				from = versions[len(versions)-1]
			}
			r := f.watch(f.bob, g.ID, func(m service.GameMessage) error {
				end = m.End == service.EndGameOver
				if m.Event == nil {
					return nil
				}
				versions = append(versions, m.Version)
				return errCut
			}, from)
			if ended, _ := r.result(); !ended {
				f.play(f.ann, g.ID)
			}
			if err := f.wantEnd(r); !end && !errors.Is(err, errCut) {
				f.Fatalf("the stream ended with %v", err)
			}
		}
		log := f.log(g.ID)
		for i, version := range versions {
			if version != i+1 {
				f.Fatalf("got the versions %v", versions)
			}
		}
		if len(versions) != len(log) || log[len(log)-1].Finished == nil {
			f.Errorf("got %d of %d events", len(versions), len(log))
		}
	})
}

func TestEndOfGameEndsStream(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		r := f.watch(f.bob, g.ID, nil)
		synctest.Wait()
		f.change(f.ann, g.ID, resign(rules.NoSide))
		f.wantMessages(r, "snapshot@2", "event@3", "end:gameOver@3")
		if err := f.wantEnd(r); err != nil {
			f.Errorf("the stream ended with %v", err)
		}
		f.wantMessages(f.watch(f.bob, g.ID, nil), "snapshot@3", "end:gameOver@3")
		f.wantMessages(f.watch(f.bob, g.ID, nil, 2), "event@3", "end:gameOver@3")
		f.wantMessages(f.watch(f.bob, g.ID, nil, 3), "end:gameOver@3")

		aborted := f.create(seat(f.ann))
		r = f.watch(f.bob, aborted.ID, nil)
		synctest.Wait()
		f.change(f.ann, aborted.ID, abort)
		f.wantMessages(r, "snapshot@1", "event@2", "end:gameOver@2")
	})
}

func TestWatchGameRejectsFutureVersion(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		r := f.watch(f.ann, g.ID, nil, 3)
		f.wantMessages(r)
		wantReason(f, f.wantEnd(r), fault.InvalidField)
	})
}

func TestShutdownEndsStreams(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		r, turns := f.watch(f.ann, g.ID, nil), f.watchTurns(f.bob, nil)
		synctest.Wait()
		f.Shutdown()
		f.Shutdown()
		f.wantMessages(r, "snapshot@2", "end:shuttingDown@2")
		f.wantMessages(turns, "heartbeat", "end:shuttingDown")
		f.wantMessages(f.watch(f.ann, g.ID, nil), "snapshot@2", "end:shuttingDown@2")
	})
}

func TestRotationEndsStreams(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		anns, bobs := f.watch(f.ann, g.ID, nil), f.watch(f.bob, g.ID, nil)
		turns := f.watchTurns(f.ann, nil)
		synctest.Wait()
		if _, err := f.RotateKey(f.Context(), f.ann); err != nil {
			f.Fatal(err)
		}
		f.wantMessages(anns, "snapshot@2", "end:keyRevoked@2")
		f.wantMessages(turns, "turn@2", "end:keyRevoked")
		f.wantMessages(bobs, "snapshot@2")
		f.wantInvalid(f.Service, f.annsKey, "old key")
	})
}

// TestRemoteRotationEndsBusyStream rotates a key in another process, which does not wake the
// stream.
func TestRemoteRotationEndsBusyStream(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.bob), seat(f.bob))
		anns := f.watch(f.ann, g.ID, nil)
		remote := f.startProcess(options{})
		if _, err := remote.RotateKey(f.Context(), f.ann); err != nil {
			f.Fatal(err)
		}
		for range 3 {
			time.Sleep(4 * time.Second)
			f.play(f.bob, g.ID)
		}
		f.wantMessages(anns, "snapshot@2", "event@3", "event@4", "end:keyRevoked@4")
	})
}

func TestSlowReader(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		slow := f.watch(f.bob, g.ID, func(m service.GameMessage) error {
			if m.Version == 3 && m.Event != nil {
				time.Sleep(31 * time.Second)
			}
			return nil
		})
		fast := f.watch(f.bob, g.ID, nil)
		synctest.Wait()
		for range 3 {
			f.play(f.ann, g.ID)
			synctest.Wait()
		}
		if f.elapsed() != 0 {
			f.Errorf("a slow reader held up the players for %v", f.elapsed())
		}
		f.wantMessages(fast, "snapshot@2", "event@3", "event@4", "event@5")
		time.Sleep(31 * time.Second)
		f.wantMessages(slow, "snapshot@2", "event@3", "end:tooSlow@3")
		f.wantMessages(f.watch(f.bob, g.ID, nil, 3), "event@4", "event@5")
	})
}

func TestStuckReader(t *testing.T) {
	run(t, options{settings: service.Settings{MaxStreams: 1}}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		closed := make(chan struct{})
		defer close(closed)
		stuck := f.watch(f.bob, g.ID, func(service.GameMessage) error { <-closed; return nil })
		synctest.Wait()
		f.playToEnd(f.ann, g)
		if f.elapsed() != 0 {
			f.Errorf("a stuck reader held up the players for %v", f.elapsed())
		}
		time.Sleep(59 * time.Second)
		if ended, _ := stuck.result(); ended {
			f.Fatal("the stream ended too early")
		}
		wantReason(f, f.wantEnd(f.watch(f.bob, g.ID, nil)), fault.TooManyStreams)
		time.Sleep(2 * time.Second)
		if err := f.wantEnd(stuck); !errors.Is(err, context.DeadlineExceeded) {
			f.Errorf("got %v, want %v", err, context.DeadlineExceeded)
		}
		f.wantMessages(f.watch(f.bob, g.ID, nil, 0), wholeGame(len(f.log(g.ID))))
	})
}

// All players at an address share a limit. A stream that ends leaves room for another one.
func TestMaxAddressStreams(t *testing.T) {
	run(t, options{settings: service.Settings{MaxAddressStreams: 2}}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		r, _ := f.watch(f.ann, g.ID, nil), f.watchTurns(f.bob, nil)
		synctest.Wait()
		wantReason(f, f.wantEnd(f.watch(f.bob, g.ID, nil)), fault.TooManyStreams)
		r.cancel()
		if err := f.wantEnd(r); !errors.Is(err, context.Canceled) {
			f.Errorf("got %v, want %v", err, context.Canceled)
		}
		f.wantMessages(f.watch(f.bob, g.ID, nil), "snapshot@2")
	})
}

func TestMaxStreams(t *testing.T) {
	run(t, options{settings: service.Settings{MaxStreams: 2}}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		r, turns := f.watch(f.ann, g.ID, nil), f.watchTurns(f.ann, nil)
		synctest.Wait()
		wantReason(f, f.wantEnd(f.watch(f.ann, g.ID, nil)), fault.TooManyStreams)
		wantReason(f, f.wantEnd(f.watchTurns(f.ann, nil)), fault.TooManyStreams)
		f.wantMessages(f.watch(f.bob, g.ID, nil), "snapshot@2")
		r.cancel()
		if err := f.wantEnd(r); !errors.Is(err, context.Canceled) {
			f.Errorf("got %v, want %v", err, context.Canceled)
		}
		f.wantMessages(f.watch(f.ann, g.ID, nil), "snapshot@2")
		f.wantMessages(turns, "turn@2")
	})
}

// TestManyWatchers watches a game with readers of different speed while it is played at full speed.
func TestManyWatchers(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.createGame(service.NewGame{Setup: large}, seat(f.ann), seat(f.ann))
		var all []*recorder
		for i := range 20 {
			random := rand.New(rand.NewPCG(7, uint64(i)))
			all = append(all, f.watch(f.bob, g.ID, func(service.GameMessage) error {
				time.Sleep(time.Duration(random.IntN(3)) * time.Microsecond)
				return nil
			}, 0))
		}
		f.playToEnd(f.ann, g)
		time.Sleep(time.Second)
		for _, r := range all {
			f.wantMessages(r, wholeGame(len(f.log(g.ID))))
		}
	})
}

func TestPanicEndsOneStream(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		broken := f.watch(f.bob, g.ID, func(m service.GameMessage) error {
			if m.Event != nil {
				panic("a bug")
			}
			return nil
		})
		other := f.watch(f.bob, g.ID, nil)
		synctest.Wait()
		f.play(f.ann, g.ID)
		if err := f.wantEnd(broken); err == nil || !strings.Contains(err.Error(), "a bug") {
			f.Errorf("the stream ended with %v", err)
		}
		f.wantMessages(other, "snapshot@2", "event@3")
	})
}
