package service_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// request returns a call with a request id. fingerprint stands for the content of the request.
func request(c service.Caller, id string, fingerprint byte) service.Call {
	return service.Call{Caller: c, RequestID: id, Fingerprint: [32]byte{fingerprint}}
}

func TestRepeatedRequest(t *testing.T) {
	t.Run("one database", func(t *testing.T) { testRepeatedRequest(t, options{}) })
	t.Run("several databases", func(t *testing.T) { testRepeatedRequest(t, options{furtherShards: 3}) })
}

func testRepeatedRequest(t *testing.T, o options) {
	t.Helper()
	run(t, o, func(f *fixture) {
		cards := service.NewGame{Setup: games.Setup{ThreeTrios: &threetrios.Setup{}}, Seats: game.Seats{seat(f.ann), seat(f.ann)}}
		trios := f.createGame(cards)
		waiting := f.create(seat(f.ann), open)
		withRobot := f.create(seat(f.ann), robot)
		changes := func(g game.Game, command service.Command) func(service.Call) (service.Result, error) {
			return func(c service.Call) (service.Result, error) { return f.Change(f.Context(), c, g.ID, command) }
		}
		calls := []struct {
			name string
			do   func(service.Call) (service.Result, error)
		}{
			{"create", func(c service.Call) (service.Result, error) { return f.CreateGame(f.Context(), c, cards) }},
			{"fork", func(c service.Call) (service.Result, error) {
				return f.ForkGame(f.Context(), c, trios.ID, 0, described(service.NewGame{}))
			}},
			{"join", changes(waiting, func(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
				return g.Join(game.Seat{Player: p.ID, Name: p.Name}, rules.Second, now)
			})},
			{"play", changes(trios, playFirstCard(trios))},
			{"set robot", changes(withRobot, setRobot)},
			{"resign", changes(withRobot, resign(rules.First))},
			{"abort", changes(waiting, abort)},
		}
		for i, call := range calls {
			id := fmt.Sprintf("request-%d", i)
			first, err := call.do(request(f.ann, id, 'a'))
			if err != nil || first.Replayed {
				f.Fatalf("%s: %v, replayed %v", call.name, err, first.Replayed)
			}
			// The repeated request must return the game before this move.
			if call.name == "play" {
				f.play(f.ann, trios.ID)
			}
			second, err := call.do(request(f.ann, id, 'a'))
			if err != nil || !second.Replayed {
				f.Errorf("repeated %s: %v, replayed %v", call.name, err, second.Replayed)
			}
			second.Replayed = false
			if diff := cmp.Diff(first, second, samePosition, cmpopts.EquateEmpty(),
				cmpopts.IgnoreUnexported(game.MovePlayed{}), cmpopts.EquateComparable(rules.Cell{})); diff != "" {
				f.Errorf("repeated %s (-first +second):\n%s", call.name, diff)
			}
			_, err = call.do(request(f.ann, id, 'b'))
			wantReason(f, err, fault.RequestIDReused)
		}
	})
}

// playFirstCard plays the first card of a game, which is illegal later.
func playFirstCard(g game.Game) service.Command {
	notation := g.Position.MoveNotation(g.Position.Legal()[0])
	return func(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
		move, err := g.Position.ParseMove(notation)
		if err != nil {
			return game.Decision{}, err
		}
		return g.Play(p.ID, move, 2, now)
	}
}

var samePosition = cmp.Comparer(func(a, b rules.Position) bool { return a.Notation() == b.Notation() })

func TestRequestIDsOfTwoCallers(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		for _, c := range []service.Caller{f.ann, f.bob} {
			result, err := f.Change(f.Context(), request(c, "same", 'a'), g.ID, play(0))
			if err != nil || result.Replayed {
				f.Fatalf("%s: %v, replayed %v", c.Player.Name, err, result.Replayed)
			}
		}
	})
}

func TestRejectedRequestCanBeRepeated(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.bob))
		_, err := f.Change(f.Context(), request(f.bob, "early", 'a'), g.ID, play(0))
		wantReason(f, err, fault.NotYourTurn)
		f.play(f.ann, g.ID)
		result, err := f.Change(f.Context(), request(f.bob, "early", 'a'), g.ID, play(0))
		if err != nil || result.Replayed {
			f.Errorf("%v, replayed %v", err, result.Replayed)
		}
	})
}

func TestConcurrentRepeatedRequests(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		results := make([]service.Result, 16)
		concurrently(len(results), func(i int) {
			var err error
			if results[i], err = f.Change(f.Context(), request(f.ann, "once", 'a'), g.ID, play(2)); err != nil {
				f.Error(err)
			}
		})
		replayed := 0
		for _, r := range results {
			if r.Replayed {
				replayed++
			}
			if r.Event.Version != 3 || r.Game.Version != 3 {
				f.Errorf("got event %d and version %d, want 3", r.Event.Version, r.Game.Version)
			}
		}
		if replayed != len(results)-1 || len(f.log(g.ID)) != 3 {
			f.Errorf("%d of %d results are replayed, and the log is %s", replayed, len(results), kinds(f.log(g.ID)))
		}
	})
}

// concurrently calls do in n goroutines and waits for them.
func concurrently(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// TestReplacedPlayer follows a private game whose seat a robot has taken, and repeats a request from
// before.
func TestReplacedPlayer(t *testing.T) {
	run(t, options{keepsTime: true}, func(f *fixture) {
		c := perMove
		c.OnAbsence, c.Robot = game.ReplaceWithRobot, robot.Robot
		g := f.createGame(service.NewGame{Setup: large, TimeControl: &c, Visibility: game.Private}, seat(f.bob), seat(f.ann))
		move := func() (service.Result, error) {
			return f.Change(f.Context(), request(f.bob, "1", 'a'), g.ID, play(0))
		}
		first, err := move()
		if err != nil {
			f.Fatal(err)
		}
		f.play(f.ann, g.ID)
		time.Sleep(time.Minute)
		stranger, _ := f.player("Eve")
		for _, process := range []process{f.process, f.startProcess(options{})} {
			if _, err := process.Game(f.Context(), f.bob, g.ID); err != nil {
				f.Errorf("the replaced player gets %v", err)
			}
			_, err = process.Game(f.Context(), stranger, g.ID)
			wantReason(f, err, fault.GameNotFound)
		}
		second, err := move()
		if err != nil || !second.Replayed || second.Event.Version != first.Event.Version {
			f.Errorf("repeated: %+v, %v", second.Event, err)
		}
		_, err = f.Change(f.Context(), request(f.bob, "2", 'a'), g.ID, resign(rules.NoSide))
		wantReason(f, err, fault.NotYourSeat)
	})
}

func TestRepeatedRequestAfterDeadline(t *testing.T) {
	run(t, options{keepsTime: true}, func(f *fixture) {
		g := f.createTimed(&perMove, seat(f.ann), seat(f.bob))
		call := service.Call{Caller: f.ann, RequestID: "r"}
		first, err := f.Change(f.Context(), call, g.ID, play(0))
		if err != nil {
			f.Fatal(err)
		}
		time.Sleep(time.Hour)
		second, err := f.Change(f.Context(), call, g.ID, play(0))
		if err != nil || !second.Replayed || second.Game.Version != first.Game.Version {
			f.Errorf("got version %d, replayed %v, %v", second.Game.Version, second.Replayed, err)
		}
		if last := f.load(g.ID); last.Outcome == nil || last.Outcome.Winner != rules.First || last.Outcome.Ending != game.ByTime {
			f.Errorf("the outcome is %+v", last.Outcome)
		}
	})
}

// The replay that a repeated request takes counts against the quota of the caller.
func TestRepeatedRequestsAreWeighed(t *testing.T) {
	rates := callquota.Rates{Caller: 10, Address: 1000}
	run(t, options{settings: service.Settings{CallRates: rates}}, func(f *fixture) {
		g := f.create(seat(f.ann), seat(f.ann))
		call := func() error {
			_, err := f.Change(f.Context(), request(f.ann, "move", 'a'), g.ID, play(0))
			return err
		}
		if err := errors.Join(call(), call(), f.Weigh(f.ann, 10)); err != nil {
			f.Fatalf("without a replay: %v", err)
		}
		f.playToEnd(f.ann, f.load(g.ID))
		for range 1000 {
			if err := call(); err != nil {
				f.Fatal(err)
			}
		}
		wantReason(f, f.Weigh(f.ann, 2), fault.RateLimited)
		time.Sleep(50 * time.Second) // It refills what the quota holds many times.
		wantReason(f, f.Weigh(f.ann, 2), fault.RateLimited)
	})
}
