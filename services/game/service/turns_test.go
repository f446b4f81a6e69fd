package service_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestWatchTurnsSaysSomethingAtOnce(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		w.hears(w.watchTurns(w.ann, nil), "heartbeat")
		g := w.create(seat(w.ann), seat(w.bob))
		w.create(seat(w.ann))
		w.hears(w.watchTurns(w.ann, nil), "turn@2")
		w.hears(w.watchTurns(w.bob, nil), "heartbeat")
		w.mustMove(w.ann, g.ID)
		w.hears(w.watchTurns(w.ann, nil), "heartbeat")
		w.hears(w.watchTurns(w.bob, nil), "turn@3")
	})
}

func TestWatchTurnsTellsEachChange(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		anns, bobs := w.watchTurns(w.ann, nil), w.watchTurns(w.bob, nil)
		synctest.Wait()
		g := w.create(seat(w.ann))
		w.hears(anns, "heartbeat")
		if _, err := w.JoinGame(w.Context(), service.Call{Caller: w.bob}, g.ID, rules.NoSide); err != nil {
			w.Fatal(err)
		}
		w.hears(anns, "heartbeat", "turn@3")
		w.mustMove(w.ann, g.ID)
		w.hears(bobs, "heartbeat", "turn@4")
		w.mustMove(w.bob, g.ID)
		w.hears(anns, "heartbeat", "turn@3", "turn@5")
		if _, err := w.Resign(w.Context(), service.Call{Caller: w.ann}, g.ID, rules.NoSide); err != nil {
			w.Fatal(err)
		}
		w.hears(anns, "heartbeat", "turn@3", "turn@5", "over")
		w.hears(bobs, "heartbeat", "turn@4", "over")
		time.Sleep(10 * time.Second)
		w.hears(bobs, "heartbeat", "turn@4", "over", "heartbeat")
	})
}

// TestATurnStreamThatIsCutInItsFirstListGoesOnThere has more games wait than are looked at in one read.
func TestATurnStreamThatIsCutInItsFirstListGoesOnThere(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		waiting := map[string]int{}
		for range 120 {
			waiting[w.create(seat(w.ann), seat(w.bob)).ID] = 0
		}
		errCut := errors.New("cut")
		var from []service.TurnCursor
		for told, cut := 0, 0; told < 120; cut++ {
			left := cut
			h := w.watchTurns(w.ann, func(m service.TurnMessage) error {
				from = []service.TurnCursor{m.Cursor}
				if m.Game != nil {
					told++
					waiting[m.Game.ID]++
				}
				if left--; left < 0 || told == 120 {
					return errCut
				}
				return nil
			}, from...)
			if err := w.ends(h); !errors.Is(err, errCut) {
				w.Fatalf("after %d of 120 turns the stream ended with %v", told, err)
			}
		}
		for id, times := range waiting {
			if times != 1 {
				w.Errorf("%s was told %d times", id, times)
			}
		}
		w.hears(w.watchTurns(w.ann, nil, from...), "heartbeat")
	})
}

// TestEveryTurnIsToldAcrossCuts has somebody play many games by nothing but what he is told, over a stream that is cut all
// the time and resumed where he got to.
func TestEveryTurnIsToldAcrossCuts(t *testing.T) {
	slow := opponent(func(ctx context.Context, q robots.Request) (game.Choice, error) {
		return thinks(time.Duration(q.Version%7)*100*time.Millisecond)(ctx, q)
	})
	inWorld(t, parts{opponent: slow}, func(w *world) {
		const games = 12
		for i := range games {
			seats := []game.Seat{seat(w.ann), robot}
			w.create(seats[i%2], seats[1-i%2])
		}
		random := rand.New(rand.NewPCG(3, 4))
		over, cuts := map[string]bool{}, 0
		var from []service.TurnCursor
		errCut := errors.New("cut")
		for len(over) < games {
			left := random.IntN(5)
			h := w.watchTurns(w.ann, func(m service.TurnMessage) error {
				if left--; left < 0 {
					return errCut // before it was heard
				}
				from = []service.TurnCursor{m.Cursor}
				switch {
				case m.Game == nil:
				case m.Game.State.Over():
					over[m.Game.ID] = true
				default:
					// A turn may be told twice, and be played then.
					_, _ = w.PlayMove(w.Context(), service.Call{Caller: w.ann}, m.Game.ID, first, m.Game.Version)
				}
				if len(over) == games {
					return errCut
				}
				return nil
			}, from...)
			for range 100 {
				if ended, _ := h.over(); ended {
					break
				}
				time.Sleep(time.Second)
			}
			if err := w.ends(h); !errors.Is(err, errCut) {
				w.Fatalf("after %v, %d cuts and the end of %d games: %v", w.since(), cuts, len(over), err)
			}
			cuts++
		}
		if cuts < 20 {
			w.Errorf("the stream was cut only %d times", cuts)
		}
	})
}

func TestAPlayerHearsOfHisOwnGamesOnly(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		cat, _ := w.player("Cat")
		h := w.watchTurns(cat, nil)
		w.finish(w.ann, w.create(seat(w.ann), seat(w.ann)))
		w.hears(h, "heartbeat")
		both := w.create(seat(cat), seat(cat))
		synctest.Wait()
		w.mustMove(cat, both.ID)
		w.hears(h, "heartbeat", "turn@2", "turn@3")
	})
}
