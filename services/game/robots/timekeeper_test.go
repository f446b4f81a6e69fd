package robots_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// timekeeper is a process that keeps time with a grace period of a second.
var timekeeper = options{keepsTime: true, settings: robots.Settings{LagGrace: time.Second}}

// wantLost fails the test unless the first side lost on time.
func (f *fixture) wantLost(id string) {
	f.Helper()
	g := f.load(id)
	if g.Outcome == nil || *g.Outcome != (game.Outcome{Winner: rules.Second, Ending: game.ByTime}) {
		f.Errorf("after %v the game is %s, %+v", time.Since(f.start), g.State, g.Outcome)
	}
	if got := kinds(f.log(id)); got != "created started finished" {
		f.Errorf("the log is %s", got)
	}
}

func TestKeepTime(t *testing.T) {
	run(t, timekeeper, func(f *fixture) {
		id := f.createTimed(&perMove, ann, bob)
		time.Sleep(31 * time.Second)
		if synctest.Wait(); f.load(id).State.Over() {
			f.Error("the game ended in the grace period")
		}
		time.Sleep(time.Second + 1) // the time to commit a move, and a poll
		synctest.Wait()
		f.wantLost(id)
		time.Sleep(time.Minute)
		f.wantLost(id)
	})
}

func TestGamesWithoutDeadline(t *testing.T) {
	run(t, timekeeper, func(f *fixture) {
		claims := &game.TimeControl{ClaimAfter: time.Minute, OnAbsence: game.Forfeit}
		ids := []string{f.create(ann, bob), f.createTimed(claims, ann, bob)}
		time.Sleep(10 * time.Minute)
		for _, id := range ids {
			if f.load(id).State.Over() {
				f.Errorf("the log is %s", kinds(f.log(id)))
			}
		}
	})
}

// crashingWithLease is a store for a process that crashes when it gets a lease.
type crashingWithLease struct{ crashing }

func (c crashingWithLease) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	ok, err := c.crashing.Lease(ctx, l, now)
	c.dead.Store(ok)
	return ok, err
}

func TestClockTakeoverAfterCrash(t *testing.T) {
	var dead atomic.Bool
	o := timekeeper
	o.store = func(s game.Store) game.Store { return crashingWithLease{crashing{s, &dead}} }
	run(t, o, func(f *fixture) {
		id := f.createTimed(&perMove, ann, bob)
		time.Sleep(31*time.Second + 1100*time.Millisecond)
		if synctest.Wait(); !dead.Load() {
			f.Fatal("the process did not lease the turn")
		}
		f.startProcess(timekeeper)
		time.Sleep(3 * time.Second)
		if synctest.Wait(); f.load(id).State.Over() {
			f.Error("a second process took over a leased turn")
		}
		time.Sleep(3 * time.Second)
		f.wantLost(id)
	})
}

func TestManyTimekeepers(t *testing.T) {
	run(t, timekeeper, func(f *fixture) {
		for range 3 {
			f.startProcess(timekeeper)
		}
		var ids []string
		for range 260 { // more than one read returns
			ids = append(ids, f.createTimed(&perMove, ann, bob))
		}
		time.Sleep(35 * time.Second)
		for _, id := range ids {
			f.wantLost(id)
		}
	})
}

// TestClocksWhileNoProcessRuns closes the store ten seconds before a deadline and opens it an hour
// later.
func TestClocksWhileNoProcessRuns(t *testing.T) {
	restarted := func(t *testing.T, o sqlstore.Options, test func(f *fixture, id string)) {
		synctest.Test(t, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "games.db")
			f := &fixture{T: t, store: openWith(t, path, o), start: time.Now()}
			f.Robots = f.startProcess(options{})
			id := f.createTimed(&perMove, ann, bob)
			time.Sleep(20 * time.Second)
			closeStore(t, f.store)

			time.Sleep(time.Hour)
			f.store = openWith(t, path, o)
			t.Cleanup(func() { closeStore(t, f.store) })
			f.startProcess(timekeeper)
			test(f, id)
		})
	}
	t.Run("they stand still", func(t *testing.T) {
		restarted(t, sqlstore.Options{}, func(f *fixture, id string) {
			time.Sleep(9 * time.Second)
			if g := f.load(id); g.State != game.StateActive {
				f.Errorf("the game is %s", g.State)
			}
			time.Sleep(4 * time.Second)
			f.wantLost(id)
		})
	})
	t.Run("they run if outages count", func(t *testing.T) {
		restarted(t, sqlstore.Options{CountOutages: true}, func(f *fixture, id string) {
			time.Sleep(time.Second)
			f.wantLost(id)
		})
	})
}

func TestRobotReplacesPlayer(t *testing.T) {
	o := timekeeper
	o.strategies = immediate
	run(t, o, func(f *fixture) {
		c := perMove
		c.OnAbsence, c.Robot = game.ReplaceWithRobot, robot.Robot
		id := f.createTimed(&c, ann, bob)
		time.Sleep(33 * time.Second)
		synctest.Wait()
		g := f.load(id)
		if got := kinds(f.log(id)[:3]); got != "created started robotChanged" || g.Turn() != rules.Second || g.Version != 4 {
			f.Errorf("after %v the log is %s", time.Since(f.start), kinds(f.log(id)))
		}
		if _, err := g.Play("ann", rules.Pass, 0, time.Now()); fault.ReasonOf(err) != fault.NotYourSeat {
			f.Errorf("got %v, want %s", err, fault.NotYourSeat)
		}
		f.playFirst(id)
	})
}

// TestClockLimitsRobots has robots that use as much time as they get.
func TestClockLimitsRobots(t *testing.T) {
	for _, tt := range []struct {
		name       string
		strategies strategies
		control    game.TimeControl
		automatic  bool
	}{
		{"no choice, per move", never, game.TimeControl{PerMove: 5 * time.Second}, true},
		{"no choice, for all moves", never, game.TimeControl{Initial: 20 * time.Second}, true},
		{"no choice, with increment", never, game.TimeControl{Initial: time.Second, Increment: time.Second}, true},
		{"unavailable service", unavailable, game.TimeControl{Initial: 20 * time.Second}, true},
		{"choice just before the deadline", func(ctx context.Context, request robots.Request) (game.Choice, error) {
			deadline, _ := ctx.Deadline()
			return after(time.Until(deadline)-time.Millisecond)(ctx, request)
		}, game.TimeControl{Initial: 20 * time.Second}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run(t, options{strategies: tt.strategies, keepsTime: true}, func(f *fixture) {
				id := f.createTimed(&tt.control, robot, robot)
				for range 12 {
					if time.Sleep(time.Minute); f.load(id).State.Over() {
						break
					}
				}
				if g := f.load(id); g.Outcome == nil || g.Outcome.Ending != game.ByScore {
					f.Errorf("the game is %s at version %d: %+v", g.State, g.Version, g.Outcome)
				}
				log := f.log(id)
				if took := log[2].Time.Sub(log[1].Time); !tt.automatic && took > 2*time.Second {
					f.Errorf("the first move took %v of %v", took, tt.control.Initial)
				}
				for _, m := range moves(log) {
					if m.Automatic != tt.automatic {
						f.Fatalf("automatic %v, want %v", m.Automatic, tt.automatic)
					}
				}
			})
		})
	}
}
