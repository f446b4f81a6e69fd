package faulttest

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// The test watches two robots play, with a stream in each format, while the streams break all the
// time: the client leaves, and the network breaks connections, also within messages.
func TestResumedStreamsMissNoEvent(t *testing.T) {
	inEach(t, testResumedStreamsMissNoEvent)
}

func testResumedStreamsMissNoEvent(t *testing.T, start starter) {
	const cuts = 100
	// A robot waits for four further cuts before each move, so that events arrive during the whole
	// test.
	pace := make(chan struct{}, 4)
	paced := provider(func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		for range 4 {
			select {
			case <-pace:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return firstMove(ctx, in)
	})
	server := start(t, "--strategy-provider", "paced="+paced.serve(t), "--heartbeat-interval", "20ms")
	ann := server.join(t)
	g := ann.create(t, hexagon(6), robotSeat("paced"), robotSeat("paced"))
	game, rest := newProxy(t, server.addrs["game"]), newProxy(t, server.addrs["http"])
	game.cutAfter(100, 8000)
	rest.cutAfter(100, 8000)
	var reading sync.WaitGroup
	received := map[string]*receivedLog{}
	for name, w := range watchers(t, game.addr(), rest.addr()) {
		j := &receivedLog{}
		received[name] = j
		random := rand.New(rand.NewPCG(3, 4))
		reading.Go(func() {
			for !j.over {
				j.read(t, w, ann, g.GetId(), random.IntN(4))
				select {
				case pace <- struct{}{}:
				default:
				}
			}
		})
	}
	reading.Wait()
	log := ann.log(t, g.GetId())
	for name, j := range received {
		t.Logf("%s: %d cuts", name, j.cuts)
		if j.cuts < cuts {
			t.Errorf("%s: %d cuts, want at least %d", name, j.cuts, cuts)
		}
		j.check(t, name, log)
	}
}

// receivedLog is the log of a game, received piece by piece.
type receivedLog struct {
	events []*gamev1.Event
	at     string // the resume point, "" before the first
	cuts   int
	over   bool
}

// read resumes the stream, reads some messages and leaves, unless the connection breaks before.
func (j *receivedLog) read(t *testing.T, w watcher, p *player, id string, messages int) {
	ctx, cancel := context.WithTimeout(t.Context(), waitTimeout)
	defer cancel()
	if j.at == "" {
		j.at = "0"
	}
	j.cuts++
	stream, err := w.game(ctx, p, id, j.at)
	for ; err == nil; messages-- {
		var m *gamev1.WatchGameResponse
		if m, err = stream.Recv(); err != nil {
			break
		}
		if m.GetEvent() != nil {
			j.events = append(j.events, m.GetEvent())
		}
		j.at = strconv.Itoa(int(m.GetVersion()))
		if m.GetEnd() != nil { // The daemon may also stop.
			j.over = m.GetEnd().GetReason() == gamev1.EndReason_END_REASON_GAME_OVER
			return
		}
		if messages == 0 {
			return
		}
	}
	j.over = errors.Is(err, errNoContent)
	if s, ok := status.FromError(err); ok && s.Code() != codes.Unavailable && s.Code() != codes.Internal {
		t.Errorf("resumed at %s: %v", j.at, err)
		<-time.After(time.Millisecond)
	}
}

// check compares the received events with the log.
func (j *receivedLog) check(t *testing.T, name string, log []*gamev1.Event) {
	t.Helper()
	if len(j.events) != len(log) {
		t.Errorf("%s delivered %d of %d events", name, len(j.events), len(log))
		return
	}
	for i, e := range j.events {
		if !proto.Equal(e, log[i]) {
			t.Errorf("%s delivered %v, the log has %v", name, e, log[i])
		}
	}
}
