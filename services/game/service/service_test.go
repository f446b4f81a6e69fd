package service_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// request is a call with a request id and a body, which a letter stands for.
func request(by service.Caller, id string, body byte) service.Call {
	return service.Call{Caller: by, RequestID: id, Fingerprint: [32]byte{body}}
}

func TestARequestThatIsSentAgainGetsItsFirstAnswer(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		other := service.NewGame{Setup: games.Setup{ThreeTrios: &threetrios.Setup{}}, Seats: game.Seats{seat(w.ann), seat(w.ann)}}
		trios := w.createOf(other.Setup, other.Seats[:]...)
		hexes := w.create(seat(w.ann), open)
		robots := w.create(seat(w.ann), robot)
		easy := func(rules.Position) (game.Robot, error) { return *robot.Robot, nil }
		calls := []struct {
			name string
			make func(service.Call) (service.Changed, error)
		}{
			{"CreateGame", func(c service.Call) (service.Changed, error) { return w.CreateGame(w.Context(), c, other) }},
			{"ForkGame", func(c service.Call) (service.Changed, error) {
				return w.ForkGame(w.Context(), c, trios.ID, 0, service.NewGame{})
			}},
			{"JoinGame", func(c service.Call) (service.Changed, error) {
				return w.JoinGame(w.Context(), c, hexes.ID, rules.NoSide)
			}},
			{"PlayMove", func(c service.Call) (service.Changed, error) {
				return w.PlayMove(w.Context(), c, trios.ID, playsFirstCard(w, trios), 2)
			}},
			{"SetRobot", func(c service.Call) (service.Changed, error) {
				return w.SetRobot(w.Context(), c, robots.ID, rules.NoSide, easy)
			}},
			{"Resign", func(c service.Call) (service.Changed, error) { return w.Resign(w.Context(), c, robots.ID, rules.First) }},
			{"AbortGame", func(c service.Call) (service.Changed, error) { return w.AbortGame(w.Context(), c, hexes.ID) }},
		}
		for i, call := range calls {
			id := fmt.Sprintf("request-%d", i)
			once, err := call.make(request(w.ann, id, 'a'))
			if err != nil || once.Replayed {
				w.Fatalf("%s: %v, replayed %v", call.name, err, once.Replayed)
			}
			// The game goes on meanwhile, which must not show.
			if call.name == "PlayMove" {
				w.mustMove(w.ann, trios.ID)
			}
			again, err := call.make(request(w.ann, id, 'a'))
			if err != nil || !again.Replayed {
				w.Errorf("%s again: %v, replayed %v", call.name, err, again.Replayed)
			}
			again.Replayed = false
			if diff := cmp.Diff(once, again, samePosition, cmpopts.EquateEmpty(),
				cmpopts.IgnoreUnexported(game.MovePlayed{}), cmpopts.EquateComparable(rules.Cell{})); diff != "" {
				w.Errorf("%s again (-first +second):\n%s", call.name, diff)
			}
			_, err = call.make(request(w.ann, id, 'b'))
			refuses(w.T, err, fault.RequestIDReused)
		}
	})
}

// playsFirstCard reads the move that lays the first card of a game: later its hand has it no more.
func playsFirstCard(w *world, g game.Game) func(rules.Position) (rules.Move, error) {
	w.Helper()
	notation := g.Position.MoveNotation(g.Position.Legal()[0])
	return func(p rules.Position) (rules.Move, error) { return p.ParseMove(notation) }
}

var samePosition = cmp.Comparer(func(a, b rules.Position) bool { return a.Notation() == b.Notation() })

func TestRequestIdsAreTheirCallersOwn(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		for _, by := range []service.Caller{w.ann, w.bob} {
			done, err := w.PlayMove(w.Context(), request(by, "same", 'a'), g.ID, first, 0)
			if err != nil || done.Replayed {
				w.Fatalf("%s: %v, replayed %v", by.Player.Name, err, done.Replayed)
			}
		}
	})
}

func TestARefusalIsNotRemembered(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		_, err := w.PlayMove(w.Context(), request(w.bob, "early", 'a'), g.ID, first, 0)
		refuses(w.T, err, fault.NotYourTurn)
		w.mustMove(w.ann, g.ID)
		done, err := w.PlayMove(w.Context(), request(w.bob, "early", 'a'), g.ID, first, 0)
		if err != nil || done.Replayed {
			w.Errorf("%v, replayed %v", err, done.Replayed)
		}
	})
}

func TestARequestThatIsSentManyTimesAtOnceIsDoneOnce(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.ann))
		answers := make([]service.Changed, 16)
		w.atOnce(len(answers), func(i int) {
			var err error
			if answers[i], err = w.PlayMove(w.Context(), request(w.ann, "once", 'a'), g.ID, first, 2); err != nil {
				w.Error(err)
			}
		})
		replayed := 0
		for _, a := range answers {
			if a.Replayed {
				replayed++
			}
			if a.Event.Version != 3 || a.Game.Version != 3 {
				w.Errorf("answered with event %d, version %d", a.Event.Version, a.Game.Version)
			}
		}
		if replayed != len(answers)-1 || len(w.log(g.ID)) != 3 {
			w.Errorf("%d of %d were replayed, and the log is %s", replayed, len(answers), kinds(w.log(g.ID)))
		}
	})
}

// atOnce does something in as many goroutines, and waits for them.
func (w *world) atOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// TestOfMovesThatRaceForAVersionOneWins has callers of two processes on one store, each of whom moves as soon as he
// sees a version.
func TestOfMovesThatRaceForAVersionOneWins(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		second := start(w.T, w.store, parts{})
		services := []*service.Service{w.Service, second.Service}
		g := w.create(seat(w.ann), seat(w.ann))
		var mu sync.Mutex
		won := map[int]int{}
		w.atOnce(8, func(i int) {
			svc := services[i%2]
			for seen := g; !seen.State.Over(); {
				done, err := svc.PlayMove(w.Context(), service.Call{Caller: w.ann}, g.ID, first, seen.Version)
				switch {
				case err == nil:
					mu.Lock()
					won[done.Event.Version]++
					mu.Unlock()
				case fault.ReasonOf(err) != fault.VersionMismatch:
					w.Error(err)
				}
				if seen, err = svc.Game(w.Context(), w.ann, g.ID); err != nil {
					w.Error(err)
					return
				}
			}
		})
		for _, e := range w.log(g.ID) {
			if e.MovePlayed != nil && won[e.Version] != 1 {
				w.Errorf("%d callers won version %d", won[e.Version], e.Version)
			}
		}
		if len(won) != len(moves(w.log(g.ID))) {
			w.Errorf("won are %v, and the log is %s", won, kinds(w.log(g.ID)))
		}
	})
}

func TestALongPollWaitsForAnEvent(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		poll := func(after int, wait time.Duration) *heard {
			return w.listen(func(ctx context.Context, h *heard) error {
				events, err := w.Events(ctx, w.bob, g.ID, after, 100, wait)
				if err == nil {
					h.hear(fmt.Sprintf("%v: %s", w.since(), kinds(events)))
				}
				return err
			})
		}
		w.hears(poll(0, 0), "0s: created started")
		w.hears(poll(2, 0), "0s: ")
		w.hears(poll(1, 50*time.Second), "0s: started")
		w.hears(poll(2, time.Second)) // waits
		three, gone, two := poll(2, 50*time.Second), poll(2, 50*time.Second), poll(3, 50*time.Second)
		time.Sleep(20 * time.Second)
		gone.leave()
		if err := w.ends(gone); !errors.Is(err, context.Canceled) {
			w.Errorf("ended with %v", err)
		}
		w.mustMove(w.ann, g.ID)
		w.hears(three, "20s: "+kinds(w.log(g.ID)[2:]))
		time.Sleep(29 * time.Second)
		w.hears(two)
		time.Sleep(time.Second)
		w.hears(two, "50s: ")
		last := poll(3, 50*time.Second)
		w.hears(last)
		w.Shutdown()
		w.hears(last, "50s: ")
	})
}

func TestALongPollThatWasNotWokenTellsInTheEnd(t *testing.T) {
	inWorld(t, parts{feed: func(f game.Feed) game.Feed { return deafFeed{f} }}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		h := w.listen(func(ctx context.Context, h *heard) error {
			events, err := w.Events(ctx, w.bob, g.ID, 2, 100, 20*time.Second)
			h.hear(fmt.Sprint(len(events)))
			return err
		})
		synctest.Wait()
		w.mustMove(w.ann, g.ID)
		time.Sleep(20 * time.Second)
		w.hears(h, "1")
	})
}

// TestAStoreThatIsAwayIsSaidToBe closes the store under a service that is in use.
func TestAStoreThatIsAwayIsSaidToBe(t *testing.T) {
	inWorld(t, parts{opponent: opponent(prompt), closes: true}, func(w *world) {
		g := w.create(seat(w.ann), seat(w.bob))
		stream, turns := w.watch(w.ann, g.ID, nil), w.watchTurns(w.ann, nil)
		synctest.Wait()
		call := service.Call{Caller: w.ann, RequestID: "1"}
		ctx := w.Context()
		if err := w.store.Close(); err != nil {
			w.Fatal(err)
		}
		for name, err := range map[string]error{
			"CreatePlayer": errorOf3(w.CreatePlayer(ctx, "Cat")),
			"RotateKey":    errorOf(w.RotateKey(ctx, w.ann)),
			"CreateGame":   errorOf(w.CreateGame(ctx, call, service.NewGame{})),
			"ForkGame":     errorOf(w.ForkGame(ctx, call, g.ID, 0, service.NewGame{})),
			"JoinGame":     errorOf(w.JoinGame(ctx, call, g.ID, rules.NoSide)),
			"PlayMove":     errorOf(w.PlayMove(ctx, call, g.ID, first, 0)),
			"Resign":       errorOf(w.Resign(ctx, call, g.ID, rules.NoSide)),
			"AbortGame":    errorOf(w.AbortGame(ctx, call, g.ID)),
			"GameAt":       errorOf(w.GameAt(ctx, w.ann, g.ID, 1)),
			"Games":        errorOf(w.Games(ctx, w.ann, game.Filter{Limit: 1})),
			"Events":       errorOf(w.Events(ctx, w.ann, g.ID, 2, 1, time.Second)),
			"LastFlips":    errorOf(w.LastFlips(ctx, g)),
			"WatchGame":    w.ends(w.watch(w.ann, g.ID, nil)),
			"WatchTurns":   w.ends(w.watchTurns(w.ann, nil)),
		} {
			if e, ok := errors.AsType[*fault.Error](err); !ok || e.Reason != fault.StoreUnavailable || e.RetryAfter <= 0 {
				w.Errorf("%s: %v", name, err)
			} else if strings.Contains(e.Message, "closed") {
				w.Errorf("%s says more than a caller may know: %s", name, e.Message)
			}
		}
		if err := w.Ready(ctx); err == nil {
			w.Error("the service is ready")
		}
		time.Sleep(10 * time.Second)
		refuses(w.T, w.ends(stream), fault.StoreUnavailable)
		refuses(w.T, w.ends(turns), fault.StoreUnavailable)
	})
}

// outrun has every change come second, and is away when it is asked how the game is.
type outrun struct{ game.Store }

func (outrun) Commit(context.Context, game.Change) error { return game.ErrConflict }

func (outrun) Game(context.Context, string) (game.Game, error) {
	return game.Game{}, errors.New("the store is away")
}

func TestAStoreThatIsAwayAfterAConflictIsSaidToBe(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.ann), robot)
		second := start(w.T, w.store, parts{store: func(s game.Store) game.Store { return outrun{s} }})
		ctx, call := w.Context(), request(w.ann, "1", 'a')
		easy := func(rules.Position) (game.Robot, error) { return *robot.Robot, nil }
		for name, err := range map[string]error{
			"PlayMove":  errorOf(second.PlayMove(ctx, call, g.ID, first, 0)),
			"Resign":    errorOf(second.Resign(ctx, call, g.ID, rules.NoSide)),
			"AbortGame": errorOf(second.AbortGame(ctx, call, g.ID)),
			"SetRobot":  errorOf(second.SetRobot(ctx, call, g.ID, rules.NoSide, easy)),
		} {
			if fault.ReasonOf(err) != fault.StoreUnavailable {
				w.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A robot may have taken his seat meanwhile, and the game be nobody else's business.
func TestARequestIsAnsweredAgainToOneWhoMayNotSeeTheGameAnyMore(t *testing.T) {
	inWorld(t, parts{keepsTime: true}, func(w *world) {
		done, err := w.CreateGame(w.Context(), service.Call{Caller: w.ann}, service.NewGame{
			Setup: long, TimeControl: takenOver(halfAMinute), Visibility: game.Private,
			Seats: game.Seats{seat(w.bob), seat(w.ann)},
		})
		if err != nil {
			w.Fatal(err)
		}
		play := func() (service.Changed, error) {
			return w.PlayMove(w.Context(), request(w.bob, "1", 'a'), done.Game.ID, first, 0)
		}
		once, err := play()
		if err != nil {
			w.Fatal(err)
		}
		w.mustMove(w.ann, done.Game.ID)
		time.Sleep(time.Minute)
		_, err = w.Game(w.Context(), w.bob, done.Game.ID)
		refuses(w.T, err, fault.GameNotFound)
		again, err := play()
		if err != nil || !again.Replayed || again.Event.Version != once.Event.Version {
			w.Errorf("again: %+v, %v", again.Event, err)
		}
		_, err = w.Resign(w.Context(), request(w.bob, "2", 'a'), done.Game.ID, rules.NoSide)
		refuses(w.T, err, fault.GameNotFound)
	})
}

func errorOf[T any](_ T, err error) error          { return err }
func errorOf3[T, U any](_ T, _ U, err error) error { return err }
