package service_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// moves returns the moves of a log.
func moves(log []game.Event) []*game.MovePlayed {
	var played []*game.MovePlayed
	for _, e := range log {
		if e.MovePlayed != nil {
			played = append(played, e.MovePlayed)
		}
	}
	return played
}

// chosen is the answer of a robot that chooses one move, legal or not.
func chosen(m rules.Move) opponent {
	return func(context.Context, robots.Request) (game.Choice, error) { return game.Choice{Move: m}, nil }
}

// illegal is on no board that is played on here.
var illegal = rules.Place(rules.HexCell(9, 0))

// silent answers nothing until it is told to stop.
func silent(ctx context.Context, _ robots.Request) (game.Choice, error) {
	<-ctx.Done()
	return game.Choice{}, ctx.Err()
}

func TestNoRobotHangsItsGame(t *testing.T) {
	const instead = true
	tests := []struct {
		name     string
		opponent opponent
		// took is how long each move takes, and automatic whether it is made in place of the robot.
		took      time.Duration
		automatic bool
	}{
		{"one that answers", prompt, 0, false},
		{"one that takes as long as patience lasts", thinks(time.Second - 1), time.Second - 1, false},
		{"one that takes longer", thinks(time.Second + 1), 3*time.Second + 750*time.Millisecond, instead},
		{"one that never answers", silent, 3*time.Second + 750*time.Millisecond, instead},
		{"one whose moves are illegal", chosen(illegal), 750 * time.Millisecond, instead},
		{"one that plays another game", chosen(rules.Play("ace", rules.SquareCell(1, 1))), 750 * time.Millisecond, instead},
		{"one that makes no sense", chosen(rules.Move{}), 750 * time.Millisecond, instead},
		{"one that is dead", func(context.Context, robots.Request) (game.Choice, error) { return game.Choice{}, errAway },
			750 * time.Millisecond, instead},
		{"one that panics", func(context.Context, robots.Request) (game.Choice, error) { panic("a bug") },
			750 * time.Millisecond, instead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			settings := robots.Settings{GracePeriod: time.Second, Poll: time.Minute}
			inWorld(t, parts{opponent: tt.opponent, robots: settings}, func(w *world) {
				g := w.create(robot, robot)
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				log := w.log(g.ID)
				last := log[len(log)-1]
				if last.Finished == nil {
					w.Fatalf("after ten minutes the game is at %s", kinds(log))
				}
				played := moves(log)
				for _, m := range played {
					if m.Automatic != tt.automatic {
						w.Errorf("%s: automatic is %v", m.Notation, m.Automatic)
					}
				}
				want := time.Duration(len(played)) * tt.took
				if got := last.Time.Sub(log[0].Time); got < want.Truncate(time.Millisecond) || got > want+time.Millisecond {
					w.Errorf("%d moves took %v, want %v", len(played), got, want)
				}
			})
		})
	}
}

func TestWatchersSeeThatARobotIsLate(t *testing.T) {
	p := parts{opponent: opponent(silent), robots: robots.Settings{GracePeriod: 4 * time.Second}}
	inWorld(t, p, func(w *world) {
		g := w.create(seat(w.ann), robot)
		var late []game.Delayed
		h := w.watch(w.bob, g.ID, func(m service.GameMessage) error {
			if m.Delayed != nil {
				late = append(late, *m.Delayed)
			}
			return nil
		})
		synctest.Wait()
		w.mustMove(w.ann, g.ID)
		start := time.Now().UTC()
		w.hears(h, "snapshot@2", "event@3")
		time.Sleep(4 * time.Second)
		w.hears(h, "snapshot@2", "event@3", "delayed1@3")
		time.Sleep(4*time.Second + 250*time.Millisecond)
		w.hears(h, "snapshot@2", "event@3", "delayed1@3", "delayed2@3")
		time.Sleep(4*time.Second + 500*time.Millisecond)
		w.hears(h, "snapshot@2", "event@3", "delayed1@3", "delayed2@3", "delayed3@3", "event@4")
		want := []game.Delayed{
			{Side: rules.Second, Attempt: 1, Retry: start.Add(4250 * time.Millisecond)},
			{Side: rules.Second, Attempt: 2, Retry: start.Add(8750 * time.Millisecond)},
			{Side: rules.Second, Attempt: 3, Retry: start.Add(12750 * time.Millisecond)}, // when it is moved for
		}
		if diff := cmp.Diff(want, late); diff != "" {
			w.Errorf("late (-want +got):\n%s", diff)
		}
	})
}

// TestARobotThatIsLateAtOnceIsSeenToBe has the word that a robot is late come together with the move before.
func TestARobotThatIsLateAtOnceIsSeenToBe(t *testing.T) {
	inWorld(t, parts{opponent: chosen(illegal)}, func(w *world) {
		g := w.create(seat(w.ann), robot)
		h := w.watch(w.bob, g.ID, func(service.GameMessage) error {
			time.Sleep(time.Millisecond)
			return nil
		}, 0)
		w.hears(h, "event@1")
		w.mustMove(w.ann, g.ID)
		time.Sleep(100 * time.Millisecond)
		w.hears(h, "event@1", "event@2", "event@3", "delayed1@3")
	})
}

// TestAnAnswerThatComesTooLateIsDropped changes the game while its robot thinks.
func TestAnAnswerThatComesTooLateIsDropped(t *testing.T) {
	easy := func(rules.Position) (game.Robot, error) {
		return game.Robot{Strategy: []byte(`{"level":"LEVEL_EASY"}`), Seed: 7}, nil
	}
	tests := []struct {
		name   string
		change func(w *world, id string) error
		want   string
		// moves is how many there are in the end.
		moves int
	}{
		{"since the opponent has resigned", func(w *world, id string) error {
			_, err := w.Resign(w.Context(), service.Call{Caller: w.ann}, id, rules.First)
			return err
		}, "finished", 1},
		{"since the game was aborted", func(w *world, id string) error {
			_, err := w.AbortGame(w.Context(), service.Call{Caller: w.ann}, id)
			return err
		}, "aborted", 1},
		{"since another robot sits there", func(w *world, id string) error {
			_, err := w.SetRobot(w.Context(), service.Call{Caller: w.ann}, id, rules.Second, easy)
			return err
		}, "robotChanged", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked, stopped atomic.Int32
			stubborn := func(ctx context.Context, q robots.Request) (game.Choice, error) {
				if q.Robot.Seed == 7 {
					return prompt(ctx, q)
				}
				asked.Add(1)
				context.AfterFunc(ctx, func() { stopped.Add(1) })
				time.Sleep(9 * time.Second) // It does not listen, and answers all the same.
				return prompt(ctx, q)
			}
			inWorld(t, parts{opponent: opponent(stubborn)}, func(w *world) {
				g := w.create(seat(w.ann), robot)
				w.mustMove(w.ann, g.ID)
				time.Sleep(time.Second)
				if err := tt.change(w, g.ID); err != nil {
					w.Fatal(err)
				}
				time.Sleep(2 * time.Second)
				if asked.Load() != 1 || stopped.Load() != 1 {
					w.Errorf("asked %d times, told to stop %d times", asked.Load(), stopped.Load())
				}
				time.Sleep(time.Minute)
				log := w.log(g.ID)
				if got := kinds(log[3:4]); got != tt.want || len(moves(log)) != tt.moves {
					w.Errorf("the log is %s", kinds(log))
				}
			})
		})
	}
}

// mortal is the store as seen by a process that stops working while it is dead: nothing it does has an effect.
type mortal struct {
	game.Store
	dead *atomic.Bool
}

func (m mortal) Commit(ctx context.Context, c game.Change) error {
	if m.dead.Load() {
		return errAway
	}
	return m.Store.Commit(ctx, c)
}

func (m mortal) Lease(ctx context.Context, l game.Lease, now time.Time) (bool, error) {
	if m.dead.Load() {
		return false, errAway
	}
	return m.Store.Lease(ctx, l, now)
}

func (m mortal) DueRobots(ctx context.Context, now time.Time, limit int) ([]string, error) {
	if m.dead.Load() {
		return nil, errAway
	}
	return m.Store.DueRobots(ctx, now, limit)
}

func (m mortal) DueClocks(ctx context.Context, before, now time.Time, limit int) ([]string, error) {
	if m.dead.Load() {
		return nil, errAway
	}
	return m.Store.DueClocks(ctx, before, now, limit)
}

func TestAnotherProcessTakesOverFromOneThatStops(t *testing.T) {
	var dead atomic.Bool
	var wokenUp atomic.Int32
	first := opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
		time.Sleep(9 * time.Second) // It is stopped meanwhile, and goes on as if nothing had been.
		wokenUp.Add(1)
		return prompt(ctx, q)
	})
	inWorld(t, parts{opponent: first, store: func(s game.Store) game.Store { return mortal{s, &dead} }}, func(w *world) {
		g := w.create(seat(w.ann), robot)
		w.mustMove(w.ann, g.ID)
		var asked atomic.Int32
		start(w.T, w.store, parts{opponent: opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
			asked.Add(1)
			return prompt(ctx, q)
		})})
		time.Sleep(2 * time.Second)
		if synctest.Wait(); asked.Load() != 0 {
			w.Error("a second process took the turn while the first one worked on it")
		}
		dead.Store(true)
		time.Sleep(6 * time.Second) // a lease, and a poll
		if got := w.now(g.ID).Version; got != 4 || asked.Load() != 1 {
			w.Errorf("after a lease the game is at version %d, asked %d times", got, asked.Load())
		}
		dead.Store(false)
		time.Sleep(time.Minute)
		if log := w.log(g.ID); len(log) != 4 || wokenUp.Load() == 0 {
			w.Errorf("the robot moved twice: %s", kinds(log))
		}
	})
}

// TestAProcessThatStopsHandsItsTurnsToAnother has a lease last for longer than anybody would wait.
func TestAProcessThatStopsHandsItsTurnsToAnother(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		hour := robots.Settings{Lease: time.Hour, Poll: time.Hour, GracePeriod: time.Hour}
		all := service.NewGames(w.store, w.feed)
		stopping := robots.New(all, w.feed, opponent(silent), slog.New(slog.DiscardHandler), robotSettings(hour))
		first := service.New(all, stopping, slog.New(slog.DiscardHandler), settings(service.Settings{}))
		ctx, stop := context.WithCancel(w.Context())
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			stopping.Run(ctx)
		}()
		synctest.Wait()
		setup := hexagon(2)
		wish := service.NewGame{Setup: games.Setup{Reversi: &setup}, Seats: game.Seats{robot, seat(w.ann)}}
		created, err := first.CreateGame(w.Context(), service.Call{Caller: w.ann}, wish)
		if err != nil {
			w.Fatal(err)
		}
		same := func(game.Feed) game.Feed { return w.feed }
		start(w.T, w.store, parts{opponent: opponent(prompt), robots: hour, feed: same})
		time.Sleep(time.Minute)
		if got := w.now(created.Game.ID).Version; got != 2 {
			w.Errorf("while the first process holds the lease the game is at version %d", got)
		}
		stop()
		<-stopped
		synctest.Wait()
		if got := w.now(created.Game.ID).Version; got != 3 {
			w.Errorf("once the first process has stopped the game is at version %d", got)
		}
	})
}

// TestTwoProcessesShareTheRobots has two processes, each of which stops for a while now and then, and many games.
func TestTwoProcessesShareTheRobots(t *testing.T) {
	var dead [2]atomic.Bool
	of := func(i int) parts {
		return parts{opponent: thinks(time.Second), store: func(s game.Store) game.Store { return mortal{s, &dead[i]} }}
	}
	inWorld(t, of(0), func(w *world) {
		start(w.T, w.store, of(1))
		var ids []string
		for range 12 {
			ids = append(ids, w.create(robot, robot).ID)
		}
		for i := range 40 {
			dead[0].Store(i%3 == 0)
			dead[1].Store(i%5 == 0)
			time.Sleep(7 * time.Second)
		}
		dead[0].Store(false)
		time.Sleep(5 * time.Minute)
		for _, id := range ids {
			if log := w.log(id); log[len(log)-1].Finished == nil {
				w.Errorf("the game is at %s", kinds(log))
			}
		}
	})
}

// interrupted commits, but tells a caller who has gone away that it does not know.
type interrupted struct {
	game.Store
	hangUp *func()
}

func (s interrupted) Commit(ctx context.Context, c game.Change) error {
	err := s.Store.Commit(context.WithoutCancel(ctx), c)
	if *s.hangUp != nil {
		(*s.hangUp)()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// TestACallerWhoHangsUpKeepsNobodyWaiting has one hang up just as his move is being written.
func TestACallerWhoHangsUpKeepsNobodyWaiting(t *testing.T) {
	var hangUp func()
	p := parts{opponent: opponent(prompt), store: func(s game.Store) game.Store { return interrupted{s, &hangUp} }}
	inWorld(t, p, func(w *world) {
		g := w.create(seat(w.ann), robot)
		h := w.watch(w.bob, g.ID, nil)
		synctest.Wait()
		ctx, cancel := context.WithCancel(w.Context())
		hangUp = sync.OnceFunc(cancel)
		_, _ = w.PlayMove(ctx, service.Call{Caller: w.ann}, g.ID, first, 0) // He is not there to hear the answer.
		w.hears(h, "snapshot@2", "event@3", "event@4")
		if w.since() != 0 {
			w.Errorf("it took %v", w.since())
		}
	})
}

func TestRobotsThatAreStoppedLeaveTheirTurns(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), robot)
		w.mustMove(w.ann, g.ID)
		if got := w.now(g.ID); got.RobotToMove() == nil {
			w.Fatalf("the log is %s", kinds(w.log(g.ID)))
		}
		start(w.T, w.store, parts{opponent: opponent(prompt)})
		time.Sleep(time.Second)
		if got := w.now(g.ID).Version; got != 4 {
			w.Errorf("a robot's turn from before was not taken: version %d", got)
		}
	})
}

// TestARobotThatLosesOnTimeWasNoFailure has an answer come after the time of the robot's side is up, in a game that is
// nobody else's business.
func TestARobotThatLosesOnTimeWasNoFailure(t *testing.T) {
	late := opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
		time.Sleep(time.Minute) // It does not listen, and answers all the same.
		return prompt(ctx, q)
	})
	inWorld(t, parts{opponent: late}, func(w *world) {
		_, err := w.CreateGame(w.Context(), service.Call{Caller: w.ann}, service.NewGame{
			Setup: long, TimeControl: &halfAMinute, Visibility: game.Private, Seats: game.Seats{robot, seat(w.ann)},
		})
		if err != nil {
			w.Fatal(err)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(w.turns.Metrics()...)
		families, err := registry.Gather()
		if err != nil {
			w.Fatal(err)
		}
		got := map[string]float64{}
		for _, family := range families {
			if family.GetName() == "flipside_robot_turns_total" {
				for _, m := range family.GetMetric() {
					got[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
				}
			}
		}
		if got["failed"] != 0 || got["stale"] != 1 {
			w.Errorf("robots' turns by outcome: %v", got)
		}
	})
}
