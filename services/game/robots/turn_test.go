package robots_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// chooses always chooses one move, legal or not.
func chooses(m rules.Move) strategies {
	return func(context.Context, robots.Request) (game.Choice, error) { return game.Choice{Move: m}, nil }
}

// offBoard is illegal on every board of these tests.
var offBoard = rules.Place(rules.HexCell(9, 0))

// TestFailingRobots lets robots fail in every way. Their games must end nevertheless.
func TestFailingRobots(t *testing.T) {
	tests := []struct {
		name       string
		strategies strategies
		// perMove is the time of each move.
		perMove time.Duration
		// reason is the reason of the server's moves, "" if the robot moves.
		reason game.SubstituteReason
	}{
		{"immediate choice", immediate, 0, ""},
		{"choice at the end of the grace period", after(time.Second - 1), time.Second - 1, ""},
		{"choice after the grace period", after(time.Second + 1), 3*time.Second + 750*time.Millisecond, game.NoAnswer},
		{"no choice", never, 3*time.Second + 750*time.Millisecond, game.NoAnswer},
		{"illegal move", chooses(offBoard), 750 * time.Millisecond, game.IllegalMove},
		{"move of another game", chooses(rules.Play("ace", rules.SquareCell(1, 1))), 750 * time.Millisecond, game.IllegalMove},
		{"invalid move", chooses(rules.Move{}), 750 * time.Millisecond, game.IllegalMove},
		{"unavailable service", unavailable, 750 * time.Millisecond, game.Unavailable},
		{"panic", func(context.Context, robots.Request) (game.Choice, error) { panic("a bug") }, 750 * time.Millisecond, game.Unavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			settings := robots.Settings{GracePeriod: time.Second, Poll: time.Minute}
			run(t, options{strategies: tt.strategies, settings: settings}, func(f *fixture) {
				id := f.create(robot, robot)
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				log := f.log(id)
				last := log[len(log)-1]
				if last.Finished == nil {
					f.Fatalf("after ten minutes the log is %s", kinds(log))
				}
				played := moves(log)
				// The provider is suspended after three failed turns.
				attempted := len(played)
				if tt.reason != "" {
					attempted = min(3, len(played))
				}
				for i, m := range played {
					var want *game.Substitute
					if tt.reason != "" {
						want = &game.Substitute{Reason: tt.reason}
					}
					if i >= attempted {
						want = &game.Substitute{Reason: game.Suspended}
					}
					if diff := cmp.Diff(want, m.Substitute); diff != "" || m.Automatic != (want != nil) {
						f.Errorf("move %d: automatic %v, substitute (-want +got):\n%s", i+1, m.Automatic, diff)
					}
				}
				want := time.Duration(attempted) * tt.perMove
				if got := last.Time.Sub(log[0].Time); got < want.Truncate(time.Millisecond) || got > want+time.Millisecond {
					f.Errorf("%d moves took %v, want %v", len(played), got, want)
				}
			})
		})
	}
}

// TestGameChangesDuringTurn changes a game while its robot chooses a move. The choice must be
// dropped.
// Each attempt has the time that is left then.
func TestARequestHasTheClockOfTheGame(t *testing.T) {
	fischer := &game.TimeControl{
		Initial: time.Minute, Increment: 2 * time.Second, OnAbsence: game.Forfeit,
	}
	for name, test := range map[string]struct {
		control *game.TimeControl
		want    [2]*robots.Clock // of the first and of the second attempt
	}{
		"time for all moves": {fischer, [2]*robots.Clock{
			{Left: [2]time.Duration{time.Minute, time.Minute}, Increment: 2 * time.Second},
			{Left: [2]time.Duration{59 * time.Second, time.Minute}, Increment: 2 * time.Second},
		}},
		"time for each move": {&perMove, [2]*robots.Clock{
			{Left: [2]time.Duration{30 * time.Second, 30 * time.Second}, PerMove: 30 * time.Second},
			{Left: [2]time.Duration{29 * time.Second, 30 * time.Second}, PerMove: 30 * time.Second},
		}},
		"no time limit": {nil, [2]*robots.Clock{}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []*robots.Clock
			fails := strategies(func(ctx context.Context, r robots.Request) (game.Choice, error) {
				got = append(got, r.Clock)
				return unavailable(ctx, r)
			})
			settings := robots.Settings{Attempts: 2, RetryDelay: time.Second}
			run(t, options{strategies: fails, settings: settings}, func(f *fixture) {
				f.createTimed(test.control, robot, ann)
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if diff := cmp.Diff(test.want[:], got); diff != "" {
					t.Errorf("clocks (-want +got)\n%s", diff)
				}
			})
		})
	}
}

func TestGameChangesDuringTurn(t *testing.T) {
	replacement := game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`), Seed: 7}
	tests := []struct {
		name   string
		change func(g game.Game, now time.Time) (game.Decision, error)
		want   string
		moves  int
	}{
		{"resignation", func(g game.Game, now time.Time) (game.Decision, error) {
			return g.Resign("ann", rules.First, now)
		}, "finished", 1},
		{"abort", func(g game.Game, now time.Time) (game.Decision, error) {
			return g.Abort("ann", now)
		}, "aborted", 1},
		{"change of the robot", func(g game.Game, now time.Time) (game.Decision, error) {
			return g.SetRobot("ann", rules.Second, replacement, now)
		}, "robotChanged", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var calls, canceled atomic.Int32
			deaf := func(ctx context.Context, request robots.Request) (game.Choice, error) {
				if request.Robot.Seed == replacement.Seed {
					return immediate(ctx, request)
				}
				calls.Add(1)
				context.AfterFunc(ctx, func() { canceled.Add(1) })
				time.Sleep(9 * time.Second) // It ignores ctx.
				return immediate(ctx, request)
			}
			run(t, options{strategies: deaf}, func(f *fixture) {
				id := f.create(ann, robot)
				f.playFirst(id)
				time.Sleep(time.Second)
				f.change(id, tt.change)
				time.Sleep(2 * time.Second)
				if calls.Load() != 1 || canceled.Load() != 1 {
					f.Errorf("%d calls, %d canceled; want 1 and 1", calls.Load(), canceled.Load())
				}
				time.Sleep(time.Minute)
				if got := f.outcomes(); got["failed"] != 0 || got["stale"] != 1 {
					f.Errorf("turns by outcome: %v", got)
				}
				log := f.log(id)
				if got := kinds(log[3:4]); got != tt.want || len(moves(log)) != tt.moves {
					f.Errorf("the log is %s", kinds(log))
				}
			})
		})
	}
}

// crashing is a store for a process that has crashed while dead is set: nothing the process does
// has an effect.
type crashing struct {
	game.Store
	dead *atomic.Bool
}

func (c crashing) Commit(ctx context.Context, change game.Change) error {
	if c.dead.Load() {
		return errUnavailable
	}
	return c.Store.Commit(ctx, change)
}

func (c crashing) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	if c.dead.Load() {
		return false, errUnavailable
	}
	return c.Store.Lease(ctx, l, now)
}

func (c crashing) DueRobots(ctx context.Context, now time.Time, limit int) ([]game.Due, error) {
	if c.dead.Load() {
		return nil, errUnavailable
	}
	return c.Store.DueRobots(ctx, now, limit)
}

func (c crashing) DueClocks(
	ctx context.Context, before, now time.Time, limit int,
) ([]game.Due, error) {
	if c.dead.Load() {
		return nil, errUnavailable
	}
	return c.Store.DueClocks(ctx, before, now, limit)
}

func crashable(dead *atomic.Bool) func(game.Store) game.Store {
	return func(s game.Store) game.Store { return crashing{s, dead} }
}

func TestTakeoverAfterCrash(t *testing.T) {
	var dead atomic.Bool
	var woken atomic.Int32
	first := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		time.Sleep(9 * time.Second) // The process crashes meanwhile, then continues.
		woken.Add(1)
		return immediate(ctx, request)
	}
	run(t, options{strategies: first, store: crashable(&dead)}, func(f *fixture) {
		id := f.create(ann, robot)
		f.playFirst(id)
		var calls atomic.Int32
		f.startProcess(options{strategies: func(ctx context.Context, request robots.Request) (game.Choice, error) {
			calls.Add(1)
			return immediate(ctx, request)
		}})
		time.Sleep(2 * time.Second)
		if synctest.Wait(); calls.Load() != 0 {
			f.Error("a second process took over a leased turn")
		}
		dead.Store(true)
		time.Sleep(6 * time.Second) // a lease and a poll
		if got := f.load(id).Version; got != 4 || calls.Load() != 1 {
			f.Errorf("after the lease: version %d, %d calls; want 4 and 1", got, calls.Load())
		}
		dead.Store(false)
		time.Sleep(time.Minute)
		if log := f.log(id); len(log) != 4 || woken.Load() == 0 {
			f.Errorf("the robot moved twice: %s", kinds(log))
		}
	})
}

func TestStopHandsBackTurns(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		hour := robots.Settings{Lease: time.Hour, Poll: time.Hour, GracePeriod: time.Hour}
		feed := localfeed.New()
		first, stop := f.startStoppable(options{strategies: never, settings: hour, feed: feed})
		id := createBy(f, first, game.Created{Setup: small, Seats: game.Seats{robot, ann}})
		f.startProcess(options{strategies: immediate, settings: hour, feed: feed})
		time.Sleep(time.Minute)
		if got := f.load(id).Version; got != 2 {
			f.Errorf("version %d while the first process has the lease, want 2", got)
		}
		stop()
		synctest.Wait()
		if got := f.load(id).Version; got != 3 {
			f.Errorf("version %d after the first process stopped, want 3", got)
		}
	})
}

// TestTwoProcesses plays many games in two processes that crash for some time now and then.
func TestTwoProcesses(t *testing.T) {
	var dead [2]atomic.Bool
	of := func(i int) options { return options{strategies: after(time.Second), store: crashable(&dead[i])} }
	run(t, of(0), func(f *fixture) {
		f.startProcess(of(1))
		var ids []string
		for range 12 {
			ids = append(ids, f.create(robot, robot))
		}
		for i := range 40 {
			dead[0].Store(i%3 == 0)
			dead[1].Store(i%5 == 0)
			time.Sleep(7 * time.Second)
		}
		dead[0].Store(false)
		time.Sleep(5 * time.Minute)
		for _, id := range ids {
			f.wantOver(id)
		}
	})
}

func TestTurnsFromBeforeTheStart(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		id := f.create(ann, robot)
		f.playFirst(id)
		if f.load(id).RobotToMove() == nil {
			f.Fatalf("the log is %s", kinds(f.log(id)))
		}
		f.startProcess(options{strategies: immediate})
		time.Sleep(time.Second)
		if got := f.load(id).Version; got != 4 {
			f.Errorf("version %d, want 4", got)
		}
	})
}

// outcomes returns the number of turns with each outcome.
func (f *fixture) outcomes() map[string]float64 {
	f.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(f.Metrics()...)
	families, err := registry.Gather()
	if err != nil {
		f.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		if family.GetName() == "flipside_robot_turns_total" {
			for _, m := range family.GetMetric() {
				got[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	return got
}

// TestTimeUpIsStale lets the time of a robot run out. The turn must count as stale and not as
// failed.
func TestTimeUpIsStale(t *testing.T) {
	late := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		time.Sleep(time.Minute) // It ignores ctx.
		return immediate(ctx, request)
	}
	run(t, options{strategies: late}, func(f *fixture) {
		f.createTimed(&perMove, robot, ann)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		got := f.outcomes()
		if got["failed"] != 0 || got["stale"] != 1 {
			f.Errorf("turns by outcome: %v", got)
		}
	})
}
