//go:build !race

package faulttest

import (
	"context"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
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

// load is the load on a server while a test injects faults.
type load struct {
	t               *testing.T
	clients         []*loadClient
	running         sync.WaitGroup
	ending          atomic.Bool
	moves, replayed atomic.Int64 // acknowledged moves
	races, watched  atomic.Int64 // games
}

// startLoad starts clients that play over gRPC and REST, and returns another one that creates games
// of robots.
func startLoad(t *testing.T, clients int, game, rest string) (l *load, host *loadClient) {
	t.Helper()
	l = &load{t: t}
	host = l.newClient(overGRPC{dial(t, game)})
	l.clients = append(l.clients, host)
	for i := range clients {
		var via caller = overGRPC{dial(t, game)}
		if i%2 == 1 {
			via = newREST(t, rest)
		}
		c := l.newClient(via)
		l.clients = append(l.clients, c)
		l.running.Go(c.play)
	}
	return l, host
}

// stop stops the load and checks the games of its clients.
func (l *load) stop() {
	l.t.Helper()
	l.ending.Store(true)
	l.running.Wait()
	for _, c := range l.clients {
		c.check()
	}
	l.t.Logf("%d moves were acknowledged, %d of them after a retry; %d games were raced for, %d watched",
		l.moves.Load(), l.replayed.Load(), l.races.Load(), l.watched.Load())
}

// awaitMoves waits for a number of further moves.
func (l *load) awaitMoves(moves int) {
	l.t.Helper()
	want := l.moves.Load() + int64(moves)
	timeout := time.After(waitTimeout)
	for l.moves.Load() < want {
		select {
		case <-timeout:
			l.t.Fatalf("%d of %d moves are missing", want-l.moves.Load(), moves)
		case <-time.After(time.Millisecond):
		}
	}
}

// versions returns the acknowledged version of each game at least: that of its last move, or 1.
func (l *load) versions() map[string]int32 {
	all := map[string]int32{}
	for _, c := range l.clients {
		c.mu.Lock()
		for id, moves := range c.acked {
			all[id] = 1
			if len(moves) > 0 {
				all[id] = moves[len(moves)-1].GetVersion()
			}
		}
		c.mu.Unlock()
	}
	return all
}

// resume lets the clients play their games to the end on a server that has them at some versions.
// They forget later moves, and games that the server does not have.
func (l *load) resume(addr string, versions map[string]int32) {
	for _, c := range l.clients {
		c.via = retrying{overGRPC{dial(l.t, addr)}}
		for id, moves := range c.acked {
			c.acked[id] = slices.DeleteFunc(moves, func(e *gamev1.Event) bool {
				return e.GetVersion() > versions[id]
			})
			if versions[id] == 0 {
				delete(c.acked, id)
			}
		}
		l.running.Go(c.finish)
	}
}

// finish plays all games of the client to the end.
func (c *loadClient) finish() {
	for _, id := range slices.Collect(maps.Keys(c.acked)) {
		for g := c.get(c.t, id); g.GetTurn() != nil; {
			g = c.turn(g)
		}
	}
}

// loadClient is a client that retries every call with its request id until it gets a response.
type loadClient struct {
	*load
	*player
	random *rand.Rand
	mu     sync.Mutex                 // guards acked while the client plays
	acked  map[string][]*gamev1.Event // the acknowledged moves by game
}

func (l *load) newClient(via caller) *loadClient {
	c := &loadClient{
		load: l, player: &player{via: retrying{via}},
		random: rand.New(rand.NewPCG(uint64(len(l.clients)), 1)), acked: map[string][]*gamev1.Event{},
	}
	var out gamev1.CreatePlayerResponse
	c.call("CreatePlayer", &gamev1.CreatePlayerRequest{}, &out)
	c.id, c.key = out.GetPlayer().GetId(), out.GetKey()
	return c
}

// retrying retries calls until they get a response.
type retrying struct{ caller }

func (r retrying) call(ctx context.Context, key, method string, in, out proto.Message) (err error) {
	for end := time.Now().Add(2 * waitTimeout); time.Now().Before(end); {
		attempt, cancel := context.WithTimeout(ctx, 5*time.Second)
		err = r.caller.call(attempt, key, method, in, out)
		cancel()
		if err == nil || !retryable(err) {
			return err
		}
		<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond)
	}
	return err
}

// call makes a call that must succeed.
func (c *loadClient) call(method string, in, out proto.Message) {
	if err := c.via.call(context.Background(), c.key, method, in, out); err != nil {
		c.t.Errorf("%s: %v", method, err)
		runtime.Goexit()
	}
}

func (c *loadClient) create(setup *rulesv1.Setup, seats ...*gamev1.Seat) *gamev1.Game {
	in := &gamev1.CreateGameRequest{Setup: setup, Seats: seats, RequestId: uuid.NewString()}
	var out gamev1.CreateGameResponse
	c.call("CreateGame", in, &out)
	return out.GetGame()
}

// createRobotGame creates a game of two robots, which check expects to end.
func (c *loadClient) createRobotGame() {
	c.acknowledge(c.create(hexagon(4), robotSeat(""), robotSeat("")).GetId())
}

// acknowledge adds acknowledged moves to a game.
func (c *loadClient) acknowledge(id string, moves ...*gamev1.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acked[id] = append(c.acked[id], moves...)
}

// play plays one game after the other, against itself and against robots, until the load ends.
func (c *loadClient) play() {
	for i := 0; !c.ending.Load(); i++ {
		second := callerSeat()
		if i%2 == 1 {
			second = robotSeat("")
		}
		for g := c.create(hexagon(3), callerSeat(), second); g.GetTurn() != nil; {
			g = c.turn(g)
		}
	}
}

// turn plays a move, or waits for the robot's move if it is the robot's turn.
func (c *loadClient) turn(g *gamev1.Game) *gamev1.Game {
	if g.GetSeats()[g.GetTurn().GetSide()-1].GetRobot() != nil {
		c.call("ListEvents", &gamev1.ListEventsRequest{
			GameId: g.GetId(), AfterVersion: g.GetVersion(), Wait: durationpb.New(time.Second),
		}, &gamev1.ListEventsResponse{})
		var out gamev1.GetGameResponse
		c.call("GetGame", &gamev1.GetGameRequest{GameId: g.GetId()}, &out)
		return out.GetGame()
	}
	var legal gamev1.ListLegalMovesResponse
	c.call("ListLegalMoves", &gamev1.ListLegalMovesRequest{GameId: g.GetId()}, &legal)
	move := legal.GetMoves()[c.random.IntN(len(legal.GetMoves()))].GetNotation()
	var out gamev1.PlayMoveResponse
	c.call("PlayMove", &gamev1.PlayMoveRequest{
		GameId: g.GetId(), Notation: move, ExpectedVersion: g.GetVersion(), RequestId: uuid.NewString(),
	}, &out)
	c.moves.Add(1)
	if out.GetReplayed() {
		c.replayed.Add(1)
	}
	if got := out.GetEvent().GetMovePlayed().GetNotation(); got != move {
		c.t.Errorf("game %s: the move %s was acknowledged as %s", g.GetId(), move, got)
	}
	c.acknowledge(g.GetId(), out.GetEvent())
	return out.GetGame()
}

// check checks that the log of each game contains every acknowledged move once, and no other moves
// of the client.
func (c *loadClient) check() {
	for id, acked := range c.acked {
		log := c.finishedLog(id)
		played := 0
		for _, e := range log {
			if m := e.GetMovePlayed(); m != nil && log[0].GetCreated().GetSeats()[m.GetSide()-1].GetRobot() == nil {
				played++
			}
		}
		for _, e := range acked {
			if got := log[e.GetVersion()-1]; !proto.Equal(got, e) {
				c.t.Errorf("game %s: the log has %v, want the acknowledged %v", id, got, e)
			}
		}
		if played != len(acked) {
			c.t.Errorf("game %s: the log has %d moves of the client, want %d", id, played, len(acked))
		}
	}
}

// finishedLog waits until a game has ended, and returns its log.
func (c *loadClient) finishedLog(id string) []*gamev1.Event {
	for timeout := time.After(waitTimeout); c.get(c.t, id).GetTurn() != nil; {
		select {
		case <-timeout:
			c.t.Fatalf("game %s does not end: %v", id, c.get(c.t, id))
		case <-time.After(10 * time.Millisecond):
		}
	}
	return c.log(c.t, id)
}
