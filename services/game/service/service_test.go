package service_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// TestConcurrentMoves has callers of two processes play one game. Each plays as soon as they see a
// version, and exactly one must win each version.
func TestConcurrentMoves(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		processes := []process{f.process, f.startProcess(options{})}
		g := f.create(seat(f.ann), seat(f.ann))
		var mu sync.Mutex
		won := map[int]int{}
		concurrently(8, func(i int) {
			p := processes[i%2]
			for seen := g; !seen.State.Over(); {
				result, err := p.Change(f.Context(), by(f.ann), g.ID, play(seen.Version))
				switch {
				case err == nil:
					mu.Lock()
					won[result.Event.Version]++
					mu.Unlock()
				case fault.ReasonOf(err) != fault.VersionMismatch:
					f.Error(err)
				}
				if seen, err = p.Game(f.Context(), f.ann, g.ID); err != nil {
					f.Error(err)
					return
				}
			}
		})
		moves := 0
		for _, e := range f.log(g.ID) {
			if e.MovePlayed != nil {
				moves++
				if won[e.Version] != 1 {
					f.Errorf("%d callers won version %d", won[e.Version], e.Version)
				}
			}
		}
		if len(won) != moves {
			f.Errorf("%d versions won, %d moves in the log", len(won), moves)
		}
	})
}

func TestLongPoll(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		poll := func(after int, wait time.Duration) *recorder {
			return f.record(func(ctx context.Context, r *recorder) error {
				events, err := f.Events(ctx, f.bob, g.ID, after, 100, wait)
				if err == nil {
					r.record(fmt.Sprintf("%v: %s", f.elapsed(), kinds(events)))
				}
				return err
			})
		}
		f.wantMessages(poll(0, 0), "0s: created started")
		f.wantMessages(poll(2, 0), "0s: ")
		f.wantMessages(poll(1, 50*time.Second), "0s: started")
		f.wantMessages(poll(2, time.Second)) // It waits.
		three, canceled, two := poll(2, 50*time.Second), poll(2, 50*time.Second), poll(3, 50*time.Second)
		time.Sleep(20 * time.Second)
		canceled.cancel()
		if err := f.wantEnd(canceled); !errors.Is(err, context.Canceled) {
			f.Errorf("got %v, want %v", err, context.Canceled)
		}
		f.play(f.ann, g.ID)
		f.wantMessages(three, "20s: "+kinds(f.log(g.ID)[2:]))
		time.Sleep(29 * time.Second)
		f.wantMessages(two)
		time.Sleep(time.Second)
		f.wantMessages(two, "50s: ")
		last := poll(3, 50*time.Second)
		f.wantMessages(last)
		f.Shutdown()
		f.wantMessages(last, "50s: ")
	})
}

// TestStoreUnavailable closes the store of a running service.
func TestStoreUnavailable(t *testing.T) {
	run(t, options{strategies: immediate, closesStore: true}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		stream, turns := f.watch(f.ann, g.ID, nil), f.watchTurns(f.ann, nil)
		synctest.Wait()
		call := service.Call{Caller: f.ann, RequestID: "1"}
		ctx := f.Context()
		if err := f.store.Close(); err != nil {
			f.Fatal(err)
		}
		for name, err := range map[string]error{
			"CreatePlayer": errorOf3(f.CreatePlayer(ctx, "Cat", "192.0.2.1")),
			"RotateKey":    errorOf(f.RotateKey(ctx, f.ann)),
			"CreateGame":   errorOf(f.CreateGame(ctx, call, service.NewGame{})),
			"ForkGame":     errorOf(f.ForkGame(ctx, call, g.ID, 0, described(service.NewGame{}))),
			"Change":       errorOf(f.Change(ctx, call, g.ID, play(0))),
			"GameAt":       errorOf(f.GameAt(ctx, f.ann, g.ID, 1)),
			"Games":        errorOf(f.Games(ctx, f.ann, game.Filter{Limit: 1})),
			"Events":       errorOf(f.Events(ctx, f.ann, g.ID, 2, 1, time.Second)),
			"LastFlips":    errorOf(f.LastFlips(ctx, g)),
			"WatchGame":    f.wantEnd(f.watch(f.ann, g.ID, nil)),
			"WatchTurns":   f.wantEnd(f.watchTurns(f.ann, nil)),
		} {
			if e, ok := errors.AsType[*fault.Error](err); !ok || e.Reason != fault.StoreUnavailable || e.RetryAfter <= 0 {
				f.Errorf("%s: %v", name, err)
			} else if strings.Contains(e.Message, "closed") {
				f.Errorf("%s reveals the cause: %s", name, e.Message)
			}
		}
		if err := f.Ready(ctx); err == nil {
			f.Error("the service is ready")
		}
		time.Sleep(10 * time.Second)
		wantReason(f, f.wantEnd(stream), fault.StoreUnavailable)
		wantReason(f, f.wantEnd(turns), fault.StoreUnavailable)
	})
}

// conflicting is a store where every change conflicts and games cannot be read.
type conflicting struct{ game.Store }

func (conflicting) Commit(context.Context, game.Change) error { return game.ErrConflict }

func (conflicting) Game(context.Context, string) (game.Game, error) {
	return game.Game{}, errUnavailable
}

func TestStoreUnavailableAfterConflict(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), robot)
		second := f.startProcess(options{store: func(s game.Store) game.Store { return conflicting{s} }})
		_, err := second.Change(f.Context(), request(f.ann, "1", 'a'), g.ID, play(0))
		wantReason(f, err, fault.StoreUnavailable)
	})
}

// interrupting is a store that cancels the context of a call after a commit.
type interrupting struct {
	game.Store
	cancel *func()
}

func (s interrupting) Commit(ctx context.Context, c game.Change) error {
	err := s.Store.Commit(context.WithoutCancel(ctx), c)
	if *s.cancel != nil {
		(*s.cancel)()
	}
	return cmp.Or(ctx.Err(), err)
}

// TestCanceledCall cancels a call while its move is committed. Watchers and robots must be notified
// nevertheless.
func TestCanceledCall(t *testing.T) {
	var cancelOnce func()
	o := options{strategies: immediate, store: func(s game.Store) game.Store { return interrupting{s, &cancelOnce} }}
	run(t, o, func(f *fixture) {
		g := f.create(seat(f.ann), robot)
		r := f.watch(f.bob, g.ID, nil)
		synctest.Wait()
		ctx, cancel := context.WithCancel(f.Context())
		cancelOnce = sync.OnceFunc(cancel)
		_, _ = f.Change(ctx, by(f.ann), g.ID, play(0)) // The caller has left.
		f.wantMessages(r, "snapshot@2", "event@3", "event@4")
		if f.elapsed() != 0 {
			f.Errorf("it took %v", f.elapsed())
		}
	})
}

// wantLost fails the test unless the first side lost on time.
func (f *fixture) wantLost(id string) {
	f.Helper()
	g := f.load(id)
	if g.Outcome == nil || *g.Outcome != (game.Outcome{Winner: rules.Second, Ending: game.ByTime}) {
		f.Errorf("after %v the game is %s, %+v", f.elapsed(), g.State, g.Outcome)
	}
	if got := kinds(f.log(id)); got != "created started finished" {
		f.Errorf("the log is %s", got)
	}
}

// TestMovesAroundDeadline runs no timekeeper: a late move must end the game itself.
func TestMovesAroundDeadline(t *testing.T) {
	run(t, options{settings: service.Settings{LagGrace: time.Second}}, func(f *fixture) {
		inTime := f.createTimed(&perMove, seat(f.ann), seat(f.bob))
		late := f.createTimed(&perMove, seat(f.ann), seat(f.bob))
		time.Sleep(31 * time.Second)
		f.play(f.ann, inTime.ID)
		time.Sleep(time.Microsecond)
		_, err := f.Change(f.Context(), by(f.ann), late.ID, play(0))
		wantReason(f, err, fault.GameOver)
		f.wantLost(late.ID)
	})
}

// TestCommandsAfterDeadline runs no timekeeper: a command after the deadline must end the game
// itself.
func TestCommandsAfterDeadline(t *testing.T) {
	for name, command := range map[string]service.Command{
		"resign": resign(rules.NoSide), "abort": abort, "claim": claim, "join": join,
	} {
		t.Run(name, func(t *testing.T) {
			run(t, options{}, func(f *fixture) {
				g := f.createTimed(&game.TimeControl{PerMove: time.Minute, ClaimAfter: time.Minute}, seat(f.ann), seat(f.bob))
				time.Sleep(time.Minute + time.Microsecond)
				_, err := f.Change(f.Context(), by(f.bob), g.ID, command)
				wantReason(f, err, fault.GameOver)
				f.wantLost(g.ID)
			})
		})
	}
}

// slow is a store with slow commits of moves.
type slow struct{ game.Store }

func (s slow) Commit(ctx context.Context, c game.Change) error {
	if c.Events[0].MovePlayed != nil {
		time.Sleep(400 * time.Millisecond)
	}
	return s.Store.Commit(ctx, c)
}

// TestSlowCommitAtDeadline commits a move that came in time while the timekeeper of another process
// looks for expired clocks.
func TestSlowCommitAtDeadline(t *testing.T) {
	grace := service.Settings{LagGrace: time.Second}
	run(t, options{settings: grace, store: func(s game.Store) game.Store { return slow{s} }}, func(f *fixture) {
		g := f.createTimed(&perMove, seat(f.ann), seat(f.bob))
		time.Sleep(300 * time.Millisecond)
		f.startProcess(options{keepsTime: true, settings: grace})
		time.Sleep(31*time.Second - 300*time.Millisecond)
		if g := f.play(f.ann, g.ID); g.State.Over() || g.Turn() != rules.Second {
			f.Errorf("the game is %s", g.State)
		}
	})
}

func TestForkHasItsOwnTimeControl(t *testing.T) {
	fischer := game.TimeControl{Initial: time.Minute, Increment: 3 * time.Second, OnAbsence: game.Forfeit}
	run(t, options{}, func(f *fixture) {
		g := f.createTimed(&perMove, seat(f.ann), seat(f.bob))
		time.Sleep(20 * time.Second)
		for _, control := range []*game.TimeControl{nil, &fischer} {
			n := service.NewGame{TimeControl: control, Seats: game.Seats{seat(f.ann), seat(f.bob)}}
			fork, err := f.ForkGame(f.Context(), f.asService(), g.ID, 0, described(n))
			if err != nil {
				f.Fatal(err)
			}
			want := time.Time{}
			if control != nil {
				want = time.Now().Add(time.Minute)
			}
			if !fork.Game.Deadline().Equal(want) {
				f.Errorf("deadline %v, want %v", fork.Game.Deadline(), want)
			}
		}
	})
}
