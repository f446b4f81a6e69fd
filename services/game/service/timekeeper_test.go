package service_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// kept are the parts of a process that keeps time, with a grace of a second.
var kept = parts{keepsTime: true, settings: service.Settings{LagGrace: time.Second}}

// lost fails the test unless the game was lost on time by the first side, and says so once.
func (w *world) lost(id string) {
	w.Helper()
	g := w.now(id)
	if g.Outcome == nil || *g.Outcome != (game.Outcome{Winner: rules.Second, Ending: game.ByTime}) {
		w.Errorf("after %v the game is %s, %+v", w.since(), g.State, g.Outcome)
	}
	if got := kinds(w.log(id)); got != "created started finished" {
		w.Errorf("the log is %s", got)
	}
}

func TestAPlayerWhoDoesNotMoveLosesThoughNobodyWatches(t *testing.T) {
	inWorld(t, kept, func(w *world) {
		g := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		time.Sleep(31 * time.Second)
		if synctest.Wait(); w.now(g.ID).State.Over() {
			w.Error("the game ended while there was grace")
		}
		time.Sleep(time.Second + 1) // what a move may take to be stored, and a poll
		synctest.Wait()
		w.lost(g.ID)
		time.Sleep(time.Minute)
		w.lost(g.ID)
	})
}

func TestAGameWithoutALimitWaitsForEver(t *testing.T) {
	inWorld(t, kept, func(w *world) {
		ids := []string{w.create(seat(w.ann), seat(w.bob)).ID, w.createTimed(long, &claims, seat(w.ann), seat(w.bob)).ID}
		time.Sleep(10 * time.Minute)
		for _, id := range ids {
			if w.now(id).State.Over() {
				w.Errorf("the log is %s", kinds(w.log(id)))
			}
		}
	})
}

func TestWatchersHearThatTheTimeIsUp(t *testing.T) {
	inWorld(t, kept, func(w *world) {
		g := w.createTimed(long, &game.TimeControl{PerMove: 5 * time.Second}, seat(w.ann), seat(w.bob))
		var deadline time.Time
		anns := w.watchTurns(w.ann, func(m service.TurnMessage) error {
			if m.Game != nil && m.Side != rules.NoSide {
				deadline = m.Game.Deadline()
			}
			return nil
		})
		bobs := w.watch(w.bob, g.ID, nil)
		time.Sleep(8 * time.Second)
		w.hears(anns, "turn@2", "over")
		w.hears(bobs, "snapshot@2", "event@3", "end:gameOver@3")
		if want := w.began.Add(5 * time.Second); !deadline.Equal(want) {
			w.Errorf("the turn was told with the deadline %v, want %v", deadline, want)
		}
	})
}

// TestAMoveCountsByWhenItCame has nobody look whose time is up but the one who moves.
func TestAMoveCountsByWhenItCame(t *testing.T) {
	inWorld(t, parts{settings: service.Settings{LagGrace: time.Second}}, func(w *world) {
		inTime := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		late := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		time.Sleep(31 * time.Second)
		w.mustMove(w.ann, inTime.ID)
		time.Sleep(time.Microsecond)
		_, err := w.PlayMove(w.Context(), service.Call{Caller: w.ann}, late.ID, first, 0)
		refuses(w.T, err, fault.GameOver)
		w.lost(late.ID)
	})
}

// TestWhateverIsAskedOfAGameWhoseTimeIsUpComesTooLate has nobody else look whose time is up.
func TestWhateverIsAskedOfAGameWhoseTimeIsUpComesTooLate(t *testing.T) {
	for name, ask := range map[string]func(w *world, id string) error{
		"Resign": func(w *world, id string) error {
			_, err := w.Resign(w.Context(), service.Call{Caller: w.ann}, id, rules.First)
			return err
		},
		"AbortGame": func(w *world, id string) error {
			_, err := w.AbortGame(w.Context(), service.Call{Caller: w.ann}, id)
			return err
		},
		"ClaimAbandonment": func(w *world, id string) error {
			_, err := w.ClaimAbandonment(w.Context(), service.Call{Caller: w.bob}, id)
			return err
		},
		"JoinGame": func(w *world, id string) error {
			_, err := w.JoinGame(w.Context(), service.Call{Caller: w.bob}, id, rules.NoSide)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, parts{}, func(w *world) {
				g := w.createTimed(long, &game.TimeControl{PerMove: time.Minute, ClaimAfter: time.Minute}, seat(w.ann), seat(w.bob))
				time.Sleep(time.Minute + time.Microsecond)
				refuses(w.T, ask(w, g.ID), fault.GameOver)
				w.lost(g.ID)
			})
		})
	}
}

func TestAMoveThatIsSentAgainAfterTheDeadlineGetsItsFirstAnswer(t *testing.T) {
	inWorld(t, kept, func(w *world) {
		g := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		call := service.Call{Caller: w.ann, RequestID: "r"}
		made, err := w.PlayMove(w.Context(), call, g.ID, first, 0)
		if err != nil {
			w.Fatal(err)
		}
		time.Sleep(time.Hour)
		again, err := w.PlayMove(w.Context(), call, g.ID, first, 0)
		if err != nil || !again.Replayed || again.Game.Version != made.Game.Version {
			w.Errorf("got version %d, replayed: %v, %v", again.Game.Version, again.Replayed, err)
		}
		if last := w.now(g.ID); last.Outcome == nil || last.Outcome.Winner != rules.First || last.Outcome.Ending != game.ByTime {
			w.Errorf("the game came to %+v", last.Outcome)
		}
	})
}

// delayed takes its time to commit moves.
type delayed struct {
	game.Store
	by time.Duration
}

func (s delayed) Commit(ctx context.Context, c game.Change) error {
	if c.Events[0].MovePlayed != nil {
		time.Sleep(s.by)
	}
	return s.Store.Commit(ctx, c)
}

// TestAMoveThatCameInTimeMayTakeAWhileToBeStored has another process see that the time is up meanwhile.
func TestAMoveThatCameInTimeMayTakeAWhileToBeStored(t *testing.T) {
	p := parts{
		settings: service.Settings{LagGrace: time.Second},
		store:    func(s game.Store) game.Store { return delayed{s, 400 * time.Millisecond} },
	}
	inWorld(t, p, func(w *world) {
		g := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		time.Sleep(300 * time.Millisecond)
		start(w.T, w.store, kept)
		time.Sleep(31*time.Second - 300*time.Millisecond)
		if g := w.mustMove(w.ann, g.ID); g.State.Over() || g.Turn() != rules.Second {
			w.Errorf("the game is %s", g.State)
		}
	})
}

// TestAnotherProcessKeepsTimeForOneThatStops has one die with the lease in its hand.
func TestAnotherProcessKeepsTimeForOneThatStops(t *testing.T) {
	var dead atomic.Bool
	p := kept
	p.store = func(s game.Store) game.Store { return dying{mortal{s, &dead}} }
	inWorld(t, p, func(w *world) {
		g := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		time.Sleep(31*time.Second + 1100*time.Millisecond)
		if synctest.Wait(); !dead.Load() {
			w.Fatal("the process did not take the turn")
		}
		start(w.T, w.store, kept)
		time.Sleep(3 * time.Second)
		if synctest.Wait(); w.now(g.ID).State.Over() {
			w.Error("a second process took the turn while the first one had the lease")
		}
		time.Sleep(3 * time.Second)
		w.lost(g.ID)
	})
}

// dying is a process that dies as soon as it has a lease.
type dying struct{ mortal }

func (d dying) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	given, err := d.mortal.Lease(ctx, l, now)
	d.dead.Store(given)
	return given, err
}

func TestOfManyProcessesOneEndsTheGame(t *testing.T) {
	inWorld(t, kept, func(w *world) {
		for range 3 {
			start(w.T, w.store, kept)
		}
		var ids []string
		for range 260 { // more than are looked at in one read
			ids = append(ids, w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob)).ID)
		}
		time.Sleep(35 * time.Second)
		for _, id := range ids {
			w.lost(id)
		}
	})
}

// TestTheTimeOfAGameRunsWhileNoProcessDoes closes the store and opens it after the deadline.
func TestTheTimeOfAGameRunsWhileNoProcessDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		open := func() *sqlstore.Store {
			store, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return store
		}
		w := &world{T: t, store: open(), began: time.Now()}
		w.process = start(t, w.store, parts{})
		w.ann, w.annsKey = w.player("Ann")
		w.bob, _ = w.player("Bob")
		g := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		time.Sleep(20 * time.Second)
		closeSound(t, w.store)

		time.Sleep(time.Hour)
		w.store = open()
		t.Cleanup(func() { closeSound(t, w.store) })
		w.process = start(t, w.store, kept)
		time.Sleep(time.Second)
		w.lost(g.ID)
	})
}

func TestARobotTakesTheSeatOfAPlayerWhoDoesNotMove(t *testing.T) {
	p := kept
	p.opponent = opponent(prompt)
	inWorld(t, p, func(w *world) {
		g := w.createTimed(long, takenOver(halfAMinute), seat(w.ann), seat(w.bob))
		time.Sleep(33 * time.Second)
		synctest.Wait()
		g = w.now(g.ID)
		if got := kinds(w.log(g.ID)[:3]); got != "created started robotChanged" || g.Turn() != rules.Second || g.Version != 4 {
			w.Errorf("after %v the log is %s", w.since(), kinds(w.log(g.ID)))
		}
		_, err := w.PlayMove(w.Context(), service.Call{Caller: w.ann}, g.ID, first, 0)
		refuses(w.T, err, fault.NotYourSeat)
		w.mustMove(w.bob, g.ID)
	})
}

// TestARobotIsBoundedByItsClock has robots that take as long as they are let, and a service that is away.
func TestARobotIsBoundedByItsClock(t *testing.T) {
	for _, tt := range []struct {
		name      string
		opponent  opponent
		control   game.TimeControl
		automatic bool
	}{
		{"one that never answers", silent, game.TimeControl{PerMove: 5 * time.Second}, true},
		{"one that never answers, with a time for all moves", silent, game.TimeControl{Initial: 20 * time.Second}, true},
		{"one that never answers, with an increment", silent, game.TimeControl{Initial: time.Second, Increment: time.Second}, true},
		{"one that is away", func(context.Context, robots.Request) (game.Choice, error) { return game.Choice{}, errAway },
			game.TimeControl{Initial: 20 * time.Second}, true},
		{"one that thinks as long as it may", func(ctx context.Context, q robots.Request) (game.Choice, error) {
			deadline, _ := ctx.Deadline()
			return thinks(time.Until(deadline)-time.Millisecond)(ctx, q)
		}, game.TimeControl{Initial: 20 * time.Second}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inWorld(t, parts{opponent: tt.opponent, keepsTime: true}, func(w *world) {
				g := w.createTimed(long, &tt.control, robot, robot)
				for range 12 {
					if time.Sleep(time.Minute); w.now(g.ID).State.Over() {
						break
					}
				}
				if g = w.now(g.ID); g.Outcome == nil || g.Outcome.Ending != game.ByScore {
					w.Errorf("the game is %s at version %d: %+v", g.State, g.Version, g.Outcome)
				}
				log := w.log(g.ID)
				if took := log[2].Time.Sub(log[1].Time); !tt.automatic && took > 2*time.Second {
					w.Errorf("the first move took %v of %v", took, tt.control.Initial)
				}
				for _, m := range moves(log) {
					if m.Automatic != tt.automatic {
						w.Fatalf("automatic: %v, want %v", m.Automatic, tt.automatic)
					}
				}
			})
		})
	}
}

func TestAForkHasItsOwnTimeControl(t *testing.T) {
	inWorld(t, kept, func(w *world) {
		g := w.createTimed(long, &halfAMinute, seat(w.ann), seat(w.bob))
		time.Sleep(20 * time.Second)
		for _, control := range []*game.TimeControl{nil, &fischer} {
			wish := service.NewGame{TimeControl: control, Seats: game.Seats{seat(w.ann), seat(w.bob)}}
			fork, err := w.ForkGame(w.Context(), service.Call{Caller: w.ann}, g.ID, 0, wish)
			if err != nil {
				w.Fatal(err)
			}
			want := time.Time{}
			if control != nil {
				want = time.Now().Add(time.Minute)
			}
			if !fork.Game.Deadline().Equal(want) {
				w.Errorf("the deadline is %v, want %v", fork.Game.Deadline(), want)
			}
		}
	})
}
