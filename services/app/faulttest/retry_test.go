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

// unreliable returns callers who reach a daemon over connections that a proxy breaks.
func unreliable(t *testing.T, server *daemon) map[string]struct {
	caller
	*proxy
} {
	t.Helper()
	game, rest := between(t, server.addrs["game"]), between(t, server.addrs["http"])
	return map[string]struct {
		caller
		*proxy
	}{
		"gRPC": {overGRPC{dial(t, game.addr())}, game},
		"REST": {newREST(t, rest.addr()), rest},
	}
}

// TestAnAnswerThatIsLostCanBeAskedForAgain loses the answer to a move that was played, and sends the move again.
func TestAnAnswerThatIsLostCanBeAskedForAgain(t *testing.T) {
	t.Parallel()
	inEach(t, anAnswerThatIsLostCanBeAskedForAgain)
}

func anAnswerThatIsLostCanBeAskedForAgain(t *testing.T, start starter) {
	server := start(t)
	ann := server.join(t)
	for name, by := range unreliable(t, server) {
		t.Run(name, func(t *testing.T) {
			g := ann.create(t, hexagon(3), callers(), callers())
			moves, err := (&player{key: ann.key, via: by}).legal(t.Context(), g.GetId()) // which opens the connection
			if err != nil {
				t.Fatal(err)
			}
			move := &gamev1.PlayMoveRequest{
				GameId: g.GetId(), Notation: moves[0], ExpectedVersion: g.GetVersion(), RequestId: uuid.NewString(),
			}
			by.silence()
			answered := make(chan error, 1)
			var lost gamev1.PlayMoveResponse
			go func() { answered <- by.call(t.Context(), ann.key, "PlayMove", move, &lost) }()
			played := ann.waitFor(t, g.GetId(), g.GetVersion())
			by.cut()
			// Go's HTTP client itself sends a request again that has an Idempotency-Key.
			if err := <-answered; err == nil && !lost.GetReplayed() || err != nil && !unanswered(err) {
				t.Errorf("the answer was not lost: %v", err)
			}
			var again gamev1.PlayMoveResponse
			eventually(t, func() error { return by.call(t.Context(), ann.key, "PlayMove", move, &again) })
			if !again.GetReplayed() || !proto.Equal(again.GetEvent(), played) {
				t.Errorf("replayed %v: %v, but played was %v", again.GetReplayed(), again.GetEvent(), played)
			}
			if log := ann.log(t, g.GetId()); len(log) != 3 {
				t.Errorf("the log has %d events", len(log))
			}
		})
	}
}

// waitFor returns the first event after a version, as a long poll tells it.
func (p *player) waitFor(t testing.TB, id string, after int32) *gamev1.Event {
	t.Helper()
	var out gamev1.ListEventsResponse
	in := &gamev1.ListEventsRequest{GameId: id, AfterVersion: after, Wait: durationpb.New(patience)}
	if err := p.via.call(t.Context(), p.key, "ListEvents", in, &out); err != nil {
		t.Fatal(err)
	}
	if len(out.GetEvents()) == 0 {
		t.Fatalf("nothing happened in game %s after version %d", id, after)
	}
	return out.GetEvents()[0]
}

// eventually makes a call again until it is answered.
func eventually(t testing.TB, call func() error) {
	t.Helper()
	err := errors.New("not called")
	for end := time.Now().Add(patience); err != nil && time.Now().Before(end); {
		if err = call(); err != nil && !unanswered(err) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAGameOverConnectionsThatBreakHasEachMoveOnce plays whole games over connections that are cut at random, sending each
// move again until it is answered.
func TestAGameOverConnectionsThatBreakHasEachMoveOnce(t *testing.T) {
	t.Parallel()
	inEach(t, aGameOverConnectionsThatBreakHasEachMoveOnce)
}

func aGameOverConnectionsThatBreakHasEachMoveOnce(t *testing.T, start starter) {
	server := start(t)
	ann := server.join(t)
	for name, by := range unreliable(t, server) {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			by.allow(200, 4000)
			g := ann.create(t, hexagon(3), callers(), callers())
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
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					return by.call(ctx, ann.key, "PlayMove", move, &out)
				})
				acked = append(acked, out.GetEvent())
				g = out.GetGame()
			}
			log := ann.log(t, g.GetId())
			if len(log) != 2+len(acked)+1 {
				t.Errorf("%d moves were acknowledged, and the log has %d events", len(acked), len(log))
			}
			for i, e := range acked {
				if !proto.Equal(e, log[2+i]) {
					t.Errorf("acknowledged was %v, and in the log is %v", e, log[2+i])
				}
			}
		})
	}
}
