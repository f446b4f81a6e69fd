package faulttest

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// TestSomebodyCanPlayByTurnNoticesAlone plays many games against robots, each by its own stream of turns in one of the three
// forms, over connections that are cut all the time.
func TestSomebodyCanPlayByTurnNoticesAlone(t *testing.T) {
	t.Parallel()
	inEach(t, somebodyCanPlayByTurnNoticesAlone)
}

func somebodyCanPlayByTurnNoticesAlone(t *testing.T, start starter) {
	server := start(t, "--heartbeat-interval", "100ms")
	game, rest := between(t, server.addrs["game"]), between(t, server.addrs["http"])
	game.allow(100, 6000)
	rest.allow(100, 6000)
	for name, w := range watchers(t, game.addr(), rest.addr()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &notified{T: t, player: server.join(t), over: map[string]bool{}, random: rand.New(rand.NewPCG(5, 6))}
			const games = 12
			for i := range games {
				seats := []*gamev1.Seat{callers(), robotOf("")}
				n.create(t, hexagon(2), seats[i%2], seats[1-i%2])
			}
			for end := time.Now().Add(2 * patience); len(n.over) < games; n.cuts++ {
				if time.Now().After(end) {
					t.Fatalf("%d of %d games are over after %d cuts", len(n.over), games, n.cuts)
				}
				n.read(w)
			}
			t.Logf("the stream was cut %d times", n.cuts)
		})
	}
}

// notified is somebody who knows of his games only what a stream tells him.
type notified struct {
	*testing.T
	*player
	random *rand.Rand
	after  string
	over   map[string]bool
	cuts   int
}

// read opens the stream where it was left, plays what is said, and goes away after some messages.
func (n *notified) read(w watcher) {
	ctx, cancel := context.WithTimeout(n.Context(), patience)
	defer cancel()
	stream, err := w.turns(ctx, n.player, n.after)
	for left := n.random.IntN(5); err == nil && left >= 0; left-- {
		var m *gamev1.WatchTurnsResponse
		if m, err = stream.Recv(); err == nil {
			n.heed(m)
		}
	}
	if s, ok := status.FromError(err); ok && s.Code() != codes.OK && s.Code() != codes.Unavailable && s.Code() != codes.Internal {
		n.Errorf("resumed at %q: %v", n.after, err)
	}
}

// heed plays where it is his turn. He may be told twice.
func (n *notified) heed(m *gamev1.WatchTurnsResponse) {
	n.after = m.GetCursor()
	if over := m.GetGameOver(); over != nil {
		n.over[over.GetGameId()] = true
	}
	turn := m.GetTurn()
	if turn == nil {
		return
	}
	moves, err := n.legal(n.Context(), turn.GetGameId())
	if err != nil || len(moves) == 0 {
		return
	}
	in := &gamev1.PlayMoveRequest{GameId: turn.GetGameId(), Notation: moves[0], ExpectedVersion: turn.GetVersion()}
	err = n.via.call(n.Context(), n.key, "PlayMove", in, &gamev1.PlayMoveResponse{})
	if code, _ := reasonOf(err); code != codes.OK && code != codes.Aborted {
		n.Errorf("told of a turn at version %d: %v", turn.GetVersion(), err)
	}
}

func TestStreamsSayTheyAreAliveAndAreCounted(t *testing.T) {
	server := start(t, "--heartbeat-interval", "50ms", "--max-streams", "2")
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		t.Run(name, func(t *testing.T) {
			ann := server.join(t)
			g := ann.create(t, hexagon(2), callers())
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			games, err := w.game(ctx, ann, g.GetId(), "")
			if err != nil {
				t.Fatal(err)
			}
			m, err := games.Recv()
			if err != nil || m.GetSnapshot() == nil || m.GetHeartbeatInterval().AsDuration() != 50*time.Millisecond {
				t.Errorf("first comes %v, %v", m, err)
			}
			turns, err := w.turns(ctx, ann, "")
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if m, err := games.Recv(); err != nil || m.GetHeartbeat() == nil || m.GetVersion() != 1 {
					t.Errorf("in silence comes %v, %v", m, err)
				}
				if m, err := turns.Recv(); err != nil || m.GetHeartbeat() == nil || m.GetCursor() == "" {
					t.Errorf("in silence comes %v, %v", m, err)
				}
			}
			refuses(t, firstError(w.turns(t.Context(), ann, "")), codes.ResourceExhausted, "TOO_MANY_STREAMS")
			refuses(t, firstError(w.game(t.Context(), ann, g.GetId(), "")), codes.ResourceExhausted, "TOO_MANY_STREAMS")
			leave()
			eventually(t, func() error {
				err := firstError(w.game(t.Context(), ann, g.GetId(), ""))
				if code, _ := reasonOf(err); code == codes.ResourceExhausted {
					return io.ErrUnexpectedEOF // It has not been noticed yet that the others are gone.
				}
				return err
			})
		})
	}
}

// firstError returns the error of opening a stream, or of its first message.
func firstError[M any](stream interface{ Recv() (M, error) }, err error) error {
	if err != nil {
		return err
	}
	if _, err = stream.Recv(); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
