package faulttest

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// brokenCallers returns callers with a proxy that can break their connections.
func brokenCallers(t *testing.T, server *daemon) map[string]struct {
	caller
	*proxy
} {
	t.Helper()
	game, rest := newProxy(t, server.addrs["game"]), newProxy(t, server.addrs["http"])
	return map[string]struct {
		caller
		*proxy
	}{
		"gRPC": {overGRPC{dial(t, game.addr())}, game},
		"REST": {newREST(t, rest.addr()), rest},
	}
}

// The test loses the response to a move and retries the move.
func TestALostResponseCanBeReplayed(t *testing.T) {
	inEach(t, testALostResponseCanBeReplayed)
}

func testALostResponseCanBeReplayed(t *testing.T, start starter) {
	server := start(t)
	ann := server.join(t)
	for name, by := range brokenCallers(t, server) {
		t.Run(name, func(t *testing.T) {
			g := ann.create(t, hexagon(3), callerSeat(), callerSeat())
			moves, err := (&player{key: ann.key, via: by}).legal(t.Context(), g.GetId()) // Opens the connection.
			if err != nil {
				t.Fatal(err)
			}
			move := &gamev1.PlayMoveRequest{
				GameId: g.GetId(), Notation: moves[0], ExpectedVersion: g.GetVersion(), RequestId: uuid.NewString(),
			}
			by.dropResponses()
			returned := make(chan error, 1)
			var lost gamev1.PlayMoveResponse
			go func() { returned <- by.call(t.Context(), ann.key, "PlayMove", move, &lost) }()
			played := ann.awaitEvent(t, g.GetId(), g.GetVersion())
			by.cut()
			// Go's HTTP client retries requests with an Idempotency-Key itself.
			if err := <-returned; err == nil && !lost.GetReplayed() || err != nil && !retryable(err) {
				t.Errorf("the response was not lost: %v", err)
			}
			var retried gamev1.PlayMoveResponse
			eventually(t, func() error { return by.call(t.Context(), ann.key, "PlayMove", move, &retried) })
			if !retried.GetReplayed() || !proto.Equal(retried.GetEvent(), played) {
				t.Errorf("replayed %v: %v, want %v", retried.GetReplayed(), retried.GetEvent(), played)
			}
			if log := ann.log(t, g.GetId()); len(log) != 3 {
				t.Errorf("the log has %d events, want 3", len(log))
			}
		})
	}
}

// awaitEvent waits for the first event after a version with a long poll.
func (p *player) awaitEvent(t testing.TB, id string, after int32) *gamev1.Event {
	t.Helper()
	var out gamev1.ListEventsResponse
	in := &gamev1.ListEventsRequest{GameId: id, AfterVersion: after, Wait: durationpb.New(waitTimeout)}
	if err := p.via.call(t.Context(), p.key, "ListEvents", in, &out); err != nil {
		t.Fatal(err)
	}
	if len(out.GetEvents()) == 0 {
		t.Fatalf("game %s has no event after version %d", id, after)
	}
	return out.GetEvents()[0]
}

// eventually retries a call until it succeeds.
func eventually(t testing.TB, call func() error) {
	t.Helper()
	err := errors.New("not called")
	for end := time.Now().Add(waitTimeout); err != nil && time.Now().Before(end); {
		if err = call(); err != nil && !retryable(err) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The test plays whole games over connections that break at random, and retries each move until it
// gets a response.
func TestRetriesOverBrokenConnectionsPlayEachMoveOnce(t *testing.T) {
	inEach(t, testRetriesOverBrokenConnectionsPlayEachMoveOnce)
}

func testRetriesOverBrokenConnectionsPlayEachMoveOnce(t *testing.T, start starter) {
	server := start(t)
	ann := server.join(t)
	for name, by := range brokenCallers(t, server) {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			by.cutAfter(200, 4000)
			g := ann.create(t, hexagon(3), callerSeat(), callerSeat())
			var acked []*gamev1.Event
			for g.GetTurn() != nil {
				moves, err := ann.legal(t.Context(), g.GetId())
				if err != nil {
					t.Fatal(err)
				}
				var out gamev1.PlayMoveResponse
				move := &gamev1.PlayMoveRequest{
					GameId: g.GetId(), Notation: moves[random.IntN(len(moves))], ExpectedVersion: g.GetVersion(),
					RequestId: uuid.NewString(),
				}
				eventually(t, func() error {
					ctx, cancel := context.WithTimeout(t.Context(), waitTimeout)
					defer cancel()
					return by.call(ctx, ann.key, "PlayMove", move, &out)
				})
				acked = append(acked, out.GetEvent())
				g = out.GetGame()
			}
			log := ann.log(t, g.GetId())
			if len(log) != 2+len(acked)+1 {
				t.Errorf("the log has %d events, want %d", len(log), 2+len(acked)+1)
			}
			for i, e := range acked {
				if !proto.Equal(e, log[2+i]) {
					t.Errorf("the log has %v, want the acknowledged %v", log[2+i], e)
				}
			}
		})
	}
}
