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

func TestWatchTurnsStarts(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		f.wantMessages(f.watchTurns(f.ann, nil), "heartbeat")
		g := f.create(seat(f.ann), seat(f.bob))
		f.create(seat(f.ann))
		f.wantMessages(f.watchTurns(f.ann, nil), "turn@2")
		f.wantMessages(f.watchTurns(f.bob, nil), "heartbeat")
		f.play(f.ann, g.ID)
		f.wantMessages(f.watchTurns(f.ann, nil), "heartbeat")
		f.wantMessages(f.watchTurns(f.bob, nil), "turn@3")
	})
}

func TestWatchTurns(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		anns, bobs := f.watchTurns(f.ann, nil), f.watchTurns(f.bob, nil)
		synctest.Wait()
		g := f.create(seat(f.ann))
		f.wantMessages(anns, "heartbeat")
		f.change(f.bob, g.ID, join)
		f.wantMessages(anns, "heartbeat", "turn@3")
		f.play(f.ann, g.ID)
		f.wantMessages(bobs, "heartbeat", "turn@4")
		f.play(f.bob, g.ID)
		f.wantMessages(anns, "heartbeat", "turn@3", "turn@5")
		f.change(f.ann, g.ID, resign(rules.NoSide))
		f.wantMessages(anns, "heartbeat", "turn@3", "turn@5", "over")
		f.wantMessages(bobs, "heartbeat", "turn@4", "over")
		time.Sleep(10 * time.Second)
		f.wantMessages(bobs, "heartbeat", "turn@4", "over", "heartbeat")
	})
}

// TestChangesWithoutTurn wakes a stream more often than it sends heartbeats, by changes that are
// not the player's turn.
func TestChangesWithoutTurn(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		bobs := f.watchTurns(f.bob, nil)
		for range 6 {
			time.Sleep(4 * time.Second)
			f.create(seat(f.ann), seat(f.bob))
		}
		f.wantMessages(bobs, "heartbeat", "heartbeat", "heartbeat")
	})
}

// TestResumeWatchTurnsInList cuts the stream while it lists more games than one read returns.
func TestResumeWatchTurnsInList(t *testing.T) {
	t.Run("one database", func(t *testing.T) { testResumeWatchTurnsInList(t, options{}) })
	t.Run("several databases", func(t *testing.T) { testResumeWatchTurnsInList(t, options{furtherShards: 2}) })
}

func testResumeWatchTurnsInList(t *testing.T, o options) {
	t.Helper()
	run(t, o, func(f *fixture) {
		listed := map[string]int{}
		for range 120 {
			listed[f.create(seat(f.ann), seat(f.bob)).ID] = 0
		}
		errCut := errors.New("cut")
		var from []service.TurnCursor
		for turns, cut := 0, 0; turns < 120; cut++ {
			left := cut
			r := f.watchTurns(f.ann, func(m service.TurnMessage) error {
				from = []service.TurnCursor{m.Cursor}
				if m.Game != nil {
					turns++
					listed[m.Game.ID]++
				}
				if left--; left < 0 || turns == 120 {
					return errCut
				}
				return nil
			}, from...)
			if err := f.wantEnd(r); !errors.Is(err, errCut) {
				f.Fatalf("after %d of 120 turns the stream ended with %v", turns, err)
			}
		}
		for id, times := range listed {
			if times != 1 {
				f.Errorf("%s was listed %d times", id, times)
			}
		}
		f.wantMessages(f.watchTurns(f.ann, nil, from...), "heartbeat")
	})
}

// TestResumeWatchTurns plays many games by the turns of one stream, which is cut and resumed all
// the time.
func TestResumeWatchTurns(t *testing.T) {
	t.Run("one database", func(t *testing.T) { testResumeWatchTurns(t, options{}) })
	t.Run("several databases", func(t *testing.T) { testResumeWatchTurns(t, options{furtherShards: 2}) })
}

func testResumeWatchTurns(t *testing.T, o options) {
	t.Helper()
	slow := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		time.Sleep(time.Duration(request.Version%7) * 100 * time.Millisecond)
		return immediate(ctx, request)
	}
	o.strategies = slow
	run(t, o, func(f *fixture) {
		const games = 12
		for i := range games {
			seats := []game.Seat{seat(f.ann), robot}
			f.create(seats[i%2], seats[1-i%2])
		}
		random := rand.New(rand.NewPCG(3, 4))
		over, cuts := map[string]bool{}, 0
		var from []service.TurnCursor
		errCut := errors.New("cut")
		for len(over) < games {
			left := random.IntN(5)
			r := f.watchTurns(f.ann, func(m service.TurnMessage) error {
				if left--; left < 0 {
					return errCut // The message is lost.
				}
				from = []service.TurnCursor{m.Cursor}
				switch {
				case m.Game == nil:
				case m.Game.State.Over():
					over[m.Game.ID] = true
				default:
					// A turn may be sent twice, and be over the second time.
					_, _ = f.Change(f.Context(), by(f.ann), m.Game.ID, play(m.Game.Version))
				}
				if len(over) == games {
					return errCut
				}
				return nil
			}, from...)
			for range 100 {
				if ended, _ := r.result(); ended {
					break
				}
				time.Sleep(time.Second)
			}
			if err := f.wantEnd(r); !errors.Is(err, errCut) {
				f.Fatalf("after %v, %d cuts and the end of %d games: %v", f.elapsed(), cuts, len(over), err)
			}
			cuts++
		}
		if cuts < 20 {
			f.Errorf("the stream was cut only %d times", cuts)
		}
	})
}

func TestWatchTurnsOfOwnGamesOnly(t *testing.T) {
	run(t, options{}, func(f *fixture) {
		cat, _ := f.player("Cat")
		r := f.watchTurns(cat, nil)
		f.playToEnd(f.ann, f.create(seat(f.ann), seat(f.ann)))
		f.wantMessages(r, "heartbeat")
		g := f.create(seat(cat), seat(cat))
		synctest.Wait()
		f.play(cat, g.ID)
		f.wantMessages(r, "heartbeat", "turn@2", "turn@3")
	})
}

func TestWatchersOfExpiredClock(t *testing.T) {
	o := options{keepsTime: true, settings: service.Settings{LagGrace: time.Second}}
	run(t, o, func(f *fixture) {
		g := f.createTimed(&game.TimeControl{PerMove: 5 * time.Second}, seat(f.ann), seat(f.bob))
		var deadline time.Time
		anns := f.watchTurns(f.ann, func(m service.TurnMessage) error {
			if m.Game != nil && m.Side != rules.NoSide {
				deadline = m.Game.Deadline()
			}
			return nil
		})
		bobs := f.watch(f.bob, g.ID, nil)
		time.Sleep(8 * time.Second)
		f.wantMessages(anns, "turn@2", "over")
		f.wantMessages(bobs, "snapshot@2", "event@3", "end:gameOver@3")
		if want := f.start.Add(5 * time.Second); !deadline.Equal(want) {
			f.Errorf("deadline %v, want %v", deadline, want)
		}
	})
}
