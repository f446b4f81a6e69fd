package robots_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
)

// TestMoreTurnsThanSlots plays more games at once than there are slots for their creator.
func TestMoreTurnsThanSlots(t *testing.T) {
	var mu sync.Mutex
	current, most := 0, 0
	counting := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		mu.Lock()
		current++
		most = max(most, current)
		mu.Unlock()
		defer func() {
			mu.Lock()
			current--
			mu.Unlock()
		}()
		return after(100*time.Millisecond)(ctx, request)
	}
	// The games of one creator get at most as many slots as they leave free.
	run(t, options{strategies: counting, settings: robots.Settings{Parallel: 4}}, func(f *fixture) {
		var ids []string
		for range 8 {
			ids = append(ids, f.create(robot, robot))
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		turns, end := 0, f.start
		for _, id := range ids {
			f.wantOver(id)
			log := f.log(id)
			turns += len(moves(log))
			if last := log[len(log)-1]; last.Time.After(end) {
				end = last.Time
			}
		}
		if most > 2 {
			f.Errorf("%d turns at once, want at most 2", most)
		}
		if took, ideal := end.Sub(f.start), time.Duration(turns)*50*time.Millisecond; took > ideal*3/2 {
			f.Errorf("%d turns took %v, want %v", turns, took, ideal)
		}
	})
}

// silentRobot is a robot of a provider that never answers.
var silentRobot = game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Provider: "silent"}}

// silentProvider answers for all providers but "silent".
func silentProvider(ctx context.Context, request robots.Request) (game.Choice, error) {
	if request.Robot.Provider == "silent" {
		return never(ctx, request)
	}
	return immediate(ctx, request)
}

// TestSilentProvider has more games wait for a silent provider than there are slots. Games of other
// providers go on.
func TestSilentProvider(t *testing.T) {
	run(t, options{strategies: silentProvider, settings: robots.Settings{Parallel: 2}}, func(f *fixture) {
		for range 9 {
			f.create(silentRobot, silentRobot)
		}
		id := f.create(robot, robot)
		time.Sleep(2 * time.Second)
		f.wantOver(id)
	})
}

// TestDueTurnBehindMany starts a process with more due turns of a silent provider than one read
// returns. It must find the turn of another provider behind them.
func TestDueTurnBehindMany(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		for range 400 {
			f.create(silentRobot, silentRobot)
		}
		id := f.create(robot, robot)
		f.startProcess(options{strategies: silentProvider, settings: robots.Settings{GracePeriod: time.Hour}})
		time.Sleep(10 * time.Second)
		if log := f.log(id); len(moves(log)) == 0 {
			f.Errorf("the log is %s", kinds(log))
		}
	})
}

// stale is a store with an old version of one game in its cache.
type stale struct {
	game.Store
	cached game.Game
}

func (s stale) CachedGame(ctx context.Context, id string) (game.Game, error) {
	if id == s.cached.ID {
		return s.cached, nil
	}
	return s.Store.CachedGame(ctx, id)
}

// TestStaleCache caches a game when it was the turn of a robot without a free slot. By now it is
// another robot's turn.
func TestStaleCache(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		f.create(silentRobot, silentRobot)
		id := f.create(silentRobot, robot)
		cached := f.load(id)
		f.change(id, func(g game.Game, now time.Time) (game.Decision, error) {
			return g.PlayRobot(game.Choice{Move: g.Position.Legal()[0]}, now)
		})
		f.startProcess(options{
			strategies: silentProvider, settings: robots.Settings{Parallel: 1, GracePeriod: time.Hour},
			store: func(s game.Store) game.Store { return stale{s, cached} },
		})
		time.Sleep(10 * time.Second)
		if log := f.log(id); len(moves(log)) != 2 {
			f.Errorf("the log is %s", kinds(log))
		}
	})
}

// TestQuotaOfCreator has one player create more games with slow robots than there are slots. Games
// of other players go on.
func TestQuotaOfCreator(t *testing.T) {
	quick := game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Seed: 7}}
	slow := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		if request.Robot.Seed != quick.Robot.Seed {
			return never(ctx, request)
		}
		return immediate(ctx, request)
	}
	settings := robots.Settings{Parallel: 4, GracePeriod: 10 * time.Minute}
	run(t, options{strategies: slow, settings: settings}, func(f *fixture) {
		for range 9 {
			f.create(robot, robot)
		}
		id := f.createGame(game.Created{Creator: "bob", Setup: small, Seats: game.Seats{quick, quick}})
		time.Sleep(2 * time.Second)
		f.wantOver(id)
	})
}

// A person's pause is no work: robots that only wait leave the slots to others.
func TestARobotThatOnlyWaitsTakesNoSlot(t *testing.T) {
	waiting := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		request.Chosen()
		return after(time.Minute)(ctx, request)
	}
	settings := robots.Settings{Parallel: 1, GracePeriod: time.Hour}
	run(t, options{strategies: waiting, settings: settings}, func(f *fixture) {
		var ids []string
		for range 9 {
			ids = append(ids, f.create(robot, robot))
		}
		time.Sleep(90 * time.Second)
		for _, id := range ids {
			if log := f.log(id); len(moves(log)) != 1 {
				f.Errorf("the log is %s", kinds(log))
			}
		}
	})
}

// running counts turns in progress of robots that think as long as they mean to. A robot of no
// thinking time answers at once.
type running struct {
	mu    sync.Mutex
	turns int
}

func (r *running) choose(ctx context.Context, request robots.Request) (game.Choice, error) {
	thinking := strategies(nil).ThinkingTime(request.Robot)
	if thinking == 0 {
		return immediate(ctx, request)
	}
	r.add(1)
	defer r.add(-1)
	return after(thinking)(ctx, request)
}

func (r *running) add(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turns += n
}

func (r *running) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.turns
}

// A turn takes more slots the longer it may think.
func TestLongTurnsTakeMoreSlots(t *testing.T) {
	for _, tt := range []struct {
		thinking time.Duration
		turns    int
	}{
		{900 * time.Millisecond, 32}, {5 * time.Second, 12}, {15 * time.Second, 8}, {30 * time.Second, 6},
		{10 * time.Minute, 6},
	} {
		t.Run(tt.thinking.String(), func(t *testing.T) {
			var r running
			run(t, options{strategies: r.choose, settings: robots.Settings{Parallel: 64}}, func(f *fixture) {
				for range 40 {
					f.create(thinking(tt.thinking), thinking(tt.thinking))
				}
				synctest.Wait()
				if got := r.count(); got != tt.turns {
					f.Errorf("%d turns at once, want %d", got, tt.turns)
				}
			})
		})
	}
}

// Creators who call from one address or through one product share the slots of one party.
func TestPartiesShareSlots(t *testing.T) {
	for name, origin := range map[string]game.Origin{
		"address": {Address: 7}, "product": {Service: "shop"}, "product and address": {Service: "shop", Address: 7},
	} {
		t.Run(name, func(t *testing.T) {
			var r running
			run(t, options{strategies: r.choose, settings: robots.Settings{Parallel: 64}}, func(f *fixture) {
				for creator := range 16 {
					for range 4 {
						f.createGame(game.Created{
							Creator: fmt.Sprint("creator ", creator), Origin: origin, Setup: small,
							Seats: game.Seats{thinking(30 * time.Second), thinking(30 * time.Second)},
						})
					}
				}
				synctest.Wait()
				if got := r.count(); got != 6 {
					f.Errorf("%d turns at once, want 6", got)
				}
			})
		})
	}
}

// Many creators keep all slots for long turns busy, and the short turns of some take long. Short turns
// of others go on at once.
func TestShortTurnsDoNotWaitForLongOnes(t *testing.T) {
	liar := game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Seed: 7}}
	var r running
	strategies := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		if request.Robot.Seed == liar.Robot.Seed {
			return never(ctx, request)
		}
		return r.choose(ctx, request)
	}
	settings := robots.Settings{Parallel: 16, Attempts: 1}
	run(t, options{strategies: strategies, settings: settings}, func(f *fixture) {
		for i := range 80 {
			creator, seat := fmt.Sprint("creator ", i/2), thinking(10*time.Minute)
			if i < 16 {
				creator, seat = fmt.Sprint("liar ", i/8), liar
			}
			f.createGame(game.Created{Creator: creator, Setup: small, Seats: game.Seats{seat, seat}})
		}
		for range 20 {
			time.Sleep(2 * time.Second)
			id := f.createGame(game.Created{Creator: "bob", Setup: small, Seats: game.Seats{robot, robot}})
			time.Sleep(2 * time.Second)
			synctest.Wait()
			f.wantOver(id)
		}
	})
}
