package service_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// longReads is a store that counts the events that it reads from the database.
type longReads struct {
	game.Store
	events *int
}

func (s longReads) Events(ctx context.Context, id string, after, limit int) ([]game.Event, error) {
	events, err := s.Store.Events(ctx, id, after, limit)
	*s.events += len(events)
	return events, err
}

// A game at an earlier version has the state and the position that a replay of the log gives. It is
// read without the log, which has passes, takebacks and many changes of a robot.
func TestGameAtVersion(t *testing.T) {
	read := 0
	counting := func(s game.Store) game.Store { return longReads{s, &read} }
	run(t, options{store: counting}, func(f *fixture) {
		g := f.createGame(service.NewGame{Setup: small}, seat(f.ann), open)
		g = f.change(f.bob, g.ID, join)
		for i := 0; !g.State.Over(); i++ {
			mover := f.ann
			if g.Seats.Of(g.Turn()).Player == f.bob.Player.ID {
				mover = f.bob
			}
			legal := g.Position.Legal()
			g = f.change(mover, g.ID, func(g game.Game, p game.Player, now time.Time) (game.Decision, error) {
				return g.Play(p.ID, legal[i*7%max(1, len(legal)-1)], 0, now)
			})
			if i%4 == 3 && i < 20 && !g.State.Over() {
				for _, c := range []service.Caller{f.ann, f.bob} {
					result, err := f.Offer(f.Context(), by(c), g.ID, service.Offer{Kind: game.OfferTakeback})
					if err != nil {
						f.Fatal(err)
					}
					g = result.Game
				}
			}
		}
		log := f.log(g.ID)
		read = 0
		passes, takebacks := 0, 0
		for version := 1; version <= g.Version; version++ {
			if e := log[version-1]; e.MovesTakenBack != nil {
				takebacks++
			} else if e.MovePlayed != nil && e.MovePlayed.Move.Kind == rules.PassTurn {
				passes++
			}
			want, err := replay(log[:version])
			if err != nil {
				f.Fatal(err)
			}
			got, err := f.GameAt(f.Context(), f.ann, g.ID, version)
			if diff := cmp.Diff(summary(want), summary(got)); err != nil || diff != "" {
				f.Errorf("version %d: %v (-replayed +read)\n%s", version, err, diff)
			}
		}
		if passes == 0 || takebacks == 0 || !g.State.Over() {
			f.Errorf("the test game has %d passes and %d takebacks and is %s", passes, takebacks, g.State)
		}
		if read > 0 {
			f.Errorf("%d events of the log read", read)
		}
	})
}

// summary returns the parts of a game that its drawing and its fork depend on.
func summary(g game.Game) map[string]string {
	return map[string]string{
		"version": fmt.Sprint(g.Version), "state": string(g.State), "position": g.Position.Notation(),
		"lastCell": fmt.Sprint(g.LastCell), "outcome": fmt.Sprintf("%+v", g.Outcome),
	}
}

// The answer to a repeated request is exact, and its cost does not grow with the length of the log: it
// takes a replay from the last takeback before the request.
func TestRepeatedRequestReadsFromTheLastTakeback(t *testing.T) {
	read := 0
	counting := func(s game.Store) game.Store { return longReads{s, &read} }
	run(t, options{store: counting}, func(f *fixture) {
		clock := &game.TimeControl{Initial: time.Hour, OnAbsence: game.Forfeit}
		g := f.createTimed(clock, seat(f.ann), seat(f.ann))
		const takebacks = 20
		var requests []service.Call
		var answers []service.Result
		add := func(change func(service.Call) (service.Result, error)) {
			f.Helper()
			time.Sleep(time.Second)
			call := request(f.ann, uuid.NewString(), 'a')
			answer, err := change(call)
			if err != nil {
				f.Fatal(err)
			}
			requests, answers = append(requests, call), append(answers, answer)
		}
		move := func(c service.Call) (service.Result, error) {
			return f.Change(f.Context(), c, g.ID, play(0))
		}
		offer := service.Offer{Side: rules.First, Kind: game.OfferTakeback}
		takeBack := func(c service.Call) (service.Result, error) {
			return f.Offer(f.Context(), c, g.ID, offer)
		}
		for range takebacks {
			add(move)
			add(move)
			add(takeBack)
		}
		f.play(f.ann, g.ID)
		for i, call := range requests {
			read = 0
			again, err := move(call)
			if again.Replayed = false; err != nil || read > 8 {
				f.Errorf("request %d: %d events read: %v", i, read, err)
			}
			if diff := cmp.Diff(answers[i], again, samePosition, cmpopts.EquateEmpty(),
				cmpopts.IgnoreUnexported(game.MovePlayed{}, game.MovesTakenBack{}),
				cmpopts.EquateComparable(rules.Cell{})); diff != "" {
				f.Errorf("request %d (-first +repeated):\n%s", i, diff)
			}
		}
	})
}

// The answer to a repeated request takes no replay of the log unless the game has changed since.
func TestRepeatedRequestReadsLittle(t *testing.T) {
	read := 0
	counting := func(s game.Store) game.Store { return longReads{s, &read} }
	run(t, options{store: counting}, func(f *fixture) {
		g := f.create(seat(f.ann), robot)
		for range 50 {
			f.change(f.ann, g.ID, setRobot)
		}
		call := service.Call{Caller: f.ann, RequestID: uuid.NewString()}
		first, err := f.Change(f.Context(), call, g.ID, setRobot)
		if err != nil {
			f.Fatal(err)
		}
		read = 0
		again, err := f.Change(f.Context(), call, g.ID, setRobot)
		if err != nil || !again.Replayed || again.Game.Version != first.Game.Version || read > 1 {
			f.Errorf("replayed %v at version %d, %d events read: %v", again.Replayed, again.Game.Version, read, err)
		}
	})
}
