//go:build !race

package faulttest

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// TestNothingIsLostWhenTheDaemonIsKilled kills a daemon with SIGKILL again and again and starts it anew on its file, while
// callers play, by gRPC and by REST, and make every call again with its request id until it is answered.
func TestNothingIsLostWhenTheDaemonIsKilled(t *testing.T) {
	callers, kills := 32, 10
	if testing.Short() {
		callers, kills = 8, 3
	}
	data := filepath.Join(t.TempDir(), "games.db")
	args := []string{"--robot-lease", "1s"}
	server := run(t, data, args...)
	game, rest := between(t, server.addrs["game"]), between(t, server.addrs["http"])
	s := &siege{t: t}
	host := s.caller(overGRPC{dial(t, game.addr())}) // who has robots play each other
	var playing sync.WaitGroup
	for i := range callers {
		var via caller = overGRPC{dial(t, game.addr())}
		if i%2 == 1 {
			via = newREST(t, rest.addr())
		}
		playing.Go(s.caller(via).play)
	}
	for range kills {
		host.acked[host.create(hexagon(4), robotOf(""), robotOf("")).GetId()] = nil
		s.await(10 * callers)
		server.kill()
		server = run(t, data, args...)
		game.lead(server.addrs["game"])
		rest.lead(server.addrs["http"])
	}
	s.ending.Store(true)
	playing.Wait()
	for _, b := range s.callers {
		b.check()
	}
	t.Logf("%d moves were acknowledged, %d of them when they were sent again", s.moves.Load(), s.replayed.Load())
	if code, _ := server.stop(t); code != 0 {
		t.Errorf("exit code %d: %s", code, server.errors)
	}
	verify(t, data)
}

// siege is what the callers of a daemon that is killed have in common.
type siege struct {
	t               *testing.T
	callers         []*besieged
	moves, replayed atomic.Int64
	// races and watched count games.
	races, watched atomic.Int64
	ending         atomic.Bool
}

// await waits for so many more moves.
func (s *siege) await(moves int) {
	until := s.moves.Load() + int64(moves)
	late := time.After(patience)
	for s.moves.Load() < until {
		select {
		case <-late:
			s.t.Fatalf("%d of %d moves are missing", until-s.moves.Load(), moves)
		case <-time.After(time.Millisecond):
		}
	}
}

// besieged is one of the callers.
type besieged struct {
	*siege
	*player
	random *rand.Rand
	// acked has the events by which moves were acknowledged, by game.
	acked map[string][]*gamev1.Event
}

// caller adds a caller, whose games are looked through in the end.
func (s *siege) caller(via caller) *besieged {
	b := s.guest(via)
	s.callers = append(s.callers, b)
	return b
}

// guest is a caller who looks through his games himself.
func (s *siege) guest(via caller) *besieged {
	b := &besieged{siege: s, random: rand.New(rand.NewPCG(uint64(len(s.callers)), 1)), acked: map[string][]*gamev1.Event{}}
	b.join(via)
	return b
}

// stubborn makes calls until they are answered.
type stubborn struct{ caller }

func (s stubborn) call(ctx context.Context, key, method string, in, out proto.Message) (err error) {
	for end := time.Now().Add(2 * patience); time.Now().Before(end); {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		err = s.caller.call(once, key, method, in, out)
		cancel()
		if err == nil || !unanswered(err) {
			return err
		}
		<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond)
	}
	return err
}

// again makes a call until it is answered, with success.
func (b *besieged) again(method string, in, out proto.Message) {
	if err := b.via.call(context.Background(), b.key, method, in, out); err != nil {
		b.t.Errorf("%s: %v", method, err)
		runtime.Goexit()
	}
}

func (b *besieged) join(via caller) {
	b.player = &player{via: stubborn{via}}
	var out gamev1.CreatePlayerResponse
	b.again("CreatePlayer", &gamev1.CreatePlayerRequest{}, &out)
	b.id, b.key = out.GetPlayer().GetId(), out.GetKey()
}

func (b *besieged) create(setup *rulesv1.Setup, seats ...*gamev1.Seat) *gamev1.Game {
	var out gamev1.CreateGameResponse
	b.again("CreateGame", &gamev1.CreateGameRequest{Setup: setup, Seats: seats, RequestId: uuid.NewString()}, &out)
	return out.GetGame()
}

// play plays game after game, against itself and against robots, until the siege ends.
func (b *besieged) play() {
	for i := 0; !b.ending.Load(); i++ {
		second := callers()
		if i%2 == 1 {
			second = robotOf("")
		}
		g := b.create(hexagon(3), callers(), second)
		for g.GetTurn() != nil {
			g = b.turn(g)
		}
	}
}

// turn plays a move if it is the caller's turn, else waits for the robot's.
func (b *besieged) turn(g *gamev1.Game) *gamev1.Game {
	if g.GetSeats()[g.GetTurn().GetSide()-1].GetRobot() != nil {
		in := &gamev1.ListEventsRequest{GameId: g.GetId(), AfterVersion: g.GetVersion(), Wait: durationpb.New(time.Second)}
		b.again("ListEvents", in, &gamev1.ListEventsResponse{})
		var out gamev1.GetGameResponse
		b.again("GetGame", &gamev1.GetGameRequest{GameId: g.GetId()}, &out)
		return out.GetGame()
	}
	var legal gamev1.ListLegalMovesResponse
	b.again("ListLegalMoves", &gamev1.ListLegalMovesRequest{GameId: g.GetId()}, &legal)
	move := legal.GetMoves()[b.random.IntN(len(legal.GetMoves()))].GetNotation()
	var out gamev1.PlayMoveResponse
	b.again("PlayMove", &gamev1.PlayMoveRequest{
		GameId: g.GetId(), Notation: move, ExpectedVersion: g.GetVersion(), RequestId: uuid.NewString(),
	}, &out)
	b.moves.Add(1)
	if out.GetReplayed() {
		b.replayed.Add(1)
	}
	if got := out.GetEvent().GetMovePlayed().GetNotation(); got != move {
		b.t.Errorf("game %s: %s was acknowledged as %s", g.GetId(), move, got)
	}
	b.acked[g.GetId()] = append(b.acked[g.GetId()], out.GetEvent())
	return out.GetGame()
}

// check compares what was acknowledged with the logs: it is there, at its version, once, and nothing else.
func (b *besieged) check() {
	for id, acked := range b.acked {
		log := b.ended(id)
		played := 0
		for _, e := range log {
			if m := e.GetMovePlayed(); m != nil && log[0].GetCreated().GetSeats()[m.GetSide()-1].GetRobot() == nil {
				played++
			}
		}
		for _, e := range acked {
			if !proto.Equal(log[e.GetVersion()-1], e) {
				b.t.Errorf("game %s: acknowledged was %v, and in the log is %v", id, e, log[e.GetVersion()-1])
			}
		}
		if played != len(acked) {
			b.t.Errorf("game %s has %d moves of its player, who knows of %d", id, played, len(acked))
		}
	}
}

// ended waits until a game has ended, and returns its log.
func (b *besieged) ended(id string) []*gamev1.Event {
	for late := time.After(patience); b.get(b.t, id).GetTurn() != nil; {
		select {
		case <-late:
			b.t.Fatalf("game %s does not end: %v", id, b.get(b.t, id))
		case <-time.After(10 * time.Millisecond):
		}
	}
	return b.log(b.t, id)
}
