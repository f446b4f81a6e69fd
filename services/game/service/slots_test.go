package service_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// TestMoreGamesThanARobotCanPlayAtOnce has them wait for each other, but no longer than it takes.
func TestMoreGamesThanARobotCanPlayAtOnce(t *testing.T) {
	var mu sync.Mutex
	atOnce, most := 0, 0
	busy := opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
		mu.Lock()
		atOnce++
		most = max(most, atOnce)
		mu.Unlock()
		defer func() {
			mu.Lock()
			atOnce--
			mu.Unlock()
		}()
		return thinks(100*time.Millisecond)(ctx, q)
	})
	// A quarter of the slots is for the games of one creator.
	inWorld(t, parts{opponent: busy, robots: robots.Settings{Parallel: 8}}, func(w *world) {
		const games = 8
		var ids []string
		for range games {
			ids = append(ids, w.create(robot, robot).ID)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		turns, end := 0, w.began
		for _, id := range ids {
			log := w.log(id)
			last := log[len(log)-1]
			if last.Finished == nil {
				w.Fatalf("after ten minutes a game is at %s", kinds(log))
			}
			turns += len(moves(log))
			if last.Time.After(end) {
				end = last.Time
			}
		}
		if most > 2 {
			w.Errorf("%d turns were worked on at once", most)
		}
		if took, ideal := end.Sub(w.began), time.Duration(turns)*50*time.Millisecond; took > ideal*3/2 {
			w.Errorf("%d turns took %v, and could have taken %v", turns, took, ideal)
		}
	})
}

// silentProvider answers but where the provider is "silent".
var silentProvider = opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
	if q.Robot.Provider == "silent" {
		return silent(ctx, q)
	}
	return prompt(ctx, q)
})

// TestAProviderThatIsSilentHoldsUpItsOwnGamesOnly has more games wait for it than are worked on at once.
func TestAProviderThatIsSilentHoldsUpItsOwnGamesOnly(t *testing.T) {
	quiet := game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Provider: "silent"}}
	p := parts{robots: robots.Settings{Parallel: 2}, opponent: silentProvider}
	inWorld(t, p, func(w *world) {
		for range 9 {
			w.create(quiet, quiet)
		}
		g := w.create(robot, robot)
		time.Sleep(2 * time.Second)
		if log := w.log(g.ID); log[len(log)-1].Finished == nil {
			w.Errorf("the game is at %s", kinds(log))
		}
	})
}

// TestTurnsThatNobodyWorkedOnAreFoundBehindOthers has a process start on what another left: behind more turns of a silent
// provider than are looked at in one read, and worked on at once, there is one of a provider that answers.
func TestTurnsThatNobodyWorkedOnAreFoundBehindOthers(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		quiet := game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Provider: "silent"}}
		for range 400 {
			w.create(quiet, quiet)
		}
		g := w.create(robot, robot)
		start(w.T, w.store, parts{opponent: silentProvider, robots: robots.Settings{GracePeriod: time.Hour}})
		time.Sleep(10 * time.Second)
		if log := w.log(g.ID); len(moves(log)) == 0 {
			w.Errorf("the game is at %s", kinds(log))
		}
	})
}

// frozen is a store of which this process knows a game as it was.
type frozen struct {
	game.Store
	was game.Game
}

func (s frozen) CachedGame(ctx context.Context, id string) (game.Game, error) {
	if id == s.was.ID {
		return s.was, nil
	}
	return s.Store.CachedGame(ctx, id)
}

// TestWhatIsKnownOfAGameHidesNoTurn has a process know that a robot is to move for which there is no slot, when by now
// it is another one's turn.
func TestWhatIsKnownOfAGameHidesNoTurn(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		quiet := game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Provider: "silent"}}
		w.create(quiet, quiet)
		was := w.create(quiet, robot)
		moved, err := was.PlayRobot(game.Choice{Move: was.Position.Legal()[0]}, false, time.Now())
		if err != nil {
			w.Fatal(err)
		}
		if err := w.store.Commit(w.Context(), game.Change{Game: moved.Game, Events: moved.Events}); err != nil {
			w.Fatal(err)
		}
		start(w.T, w.store, parts{
			opponent: silentProvider, robots: robots.Settings{Parallel: 1, GracePeriod: time.Hour},
			store: func(s game.Store) game.Store { return frozen{s, was} },
		})
		time.Sleep(10 * time.Second)
		if log := w.log(was.ID); len(moves(log)) != 2 {
			w.Errorf("the game is at %s", kinds(log))
		}
	})
}

// TestAPlayerWhoseRobotsThinkForLongHoldsUpHisOwnGamesOnly has one create more of them than are worked on at once.
func TestAPlayerWhoseRobotsThinkForLongHoldsUpHisOwnGamesOnly(t *testing.T) {
	quick := game.Seat{Robot: &game.Robot{Strategy: robot.Robot.Strategy, Seed: 7}}
	slow := opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
		if q.Robot.Seed != 7 {
			return silent(ctx, q)
		}
		return prompt(ctx, q)
	})
	settings := robots.Settings{Parallel: 4, GracePeriod: 10 * time.Minute}
	inWorld(t, parts{opponent: slow, robots: settings}, func(w *world) {
		for range 9 {
			w.create(robot, robot)
		}
		setup := hexagon(2)
		wish := service.NewGame{Setup: games.Setup{Reversi: &setup}, Seats: game.Seats{quick, quick}}
		done, err := w.CreateGame(w.Context(), service.Call{Caller: w.bob}, wish)
		if err != nil {
			w.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if log := w.log(done.Game.ID); log[len(log)-1].Finished == nil {
			w.Errorf("the game is at %s", kinds(log))
		}
	})
}
