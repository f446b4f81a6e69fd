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

// TestAStreamThatIsCutAtRandomMissesNothing watches two robots play, in each form of a stream, over connections that are
// cut all the time: by the reader, who goes away, and by the network, in the middle of a message or of nothing.
func TestAStreamThatIsCutAtRandomMissesNothing(t *testing.T) {
	t.Parallel()
	inEach(t, aStreamThatIsCutAtRandomMissesNothing)
}

func aStreamThatIsCutAtRandomMissesNothing(t *testing.T, start starter) {
	const cuts = 100
	// A move waits for four more cuts, so that there is something to cut from the first to the last.
	pace := make(chan struct{}, 4)
	paced := provider(func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		for range 4 {
			select {
			case <-pace:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return first(ctx, in)
	})
	server := start(t, "--strategy-provider", "paced="+paced.serve(t), "--heartbeat-interval", "20ms")
	ann := server.join(t)
	g := ann.create(t, hexagon(6), robotOf("paced"), robotOf("paced"))
	game, rest := between(t, server.addrs["game"]), between(t, server.addrs["http"])
	game.allow(100, 8000)
	rest.allow(100, 8000)
	var reading sync.WaitGroup
	joined := map[string]*joinedLog{}
	for name, w := range watchers(t, game.addr(), rest.addr()) {
		j := &joinedLog{}
		joined[name] = j
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
	for name, j := range joined {
		t.Logf("%s was cut %d times", name, j.cuts)
		if j.cuts < cuts {
			t.Errorf("%s was cut only %d times", name, j.cuts)
		}
		j.check(t, name, log)
	}
}

// joinedLog is the log of a game as it was told piece by piece.
type joinedLog struct {
	events []*gamev1.Event
	// at is the resume point, "" before the first.
	at   string
	cuts int
	over bool
}

// read opens the stream where it was left, reads some messages and goes away, unless the network does before.
func (j *joinedLog) read(t *testing.T, w watcher, p *player, id string, messages int) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
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
		if m.GetEnd() != nil { // It may be that the daemon stops.
			j.over = m.GetEnd().GetReason() == gamev1.EndReason_END_REASON_GAME_OVER
			return
		}
		if messages == 0 {
			return
		}
	}
	j.over = errors.Is(err, errNoContent)
	if s, refused := status.FromError(err); refused && s.Code() != codes.Unavailable && s.Code() != codes.Internal {
		t.Errorf("resumed at %s: %v", j.at, err)
		<-time.After(time.Millisecond)
	}
}

// check compares what was told with the log.
func (j *joinedLog) check(t *testing.T, name string, log []*gamev1.Event) {
	t.Helper()
	if len(j.events) != len(log) {
		t.Errorf("%s told %d of %d events", name, len(j.events), len(log))
		return
	}
	for i, e := range j.events {
		if !proto.Equal(e, log[i]) {
			t.Errorf("%s told %v, and in the log is %v", name, e, log[i])
		}
	}
}
