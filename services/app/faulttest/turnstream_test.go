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

// The test plays many games against robots, with one stream of turns in each of the three formats,
// over connections that break all the time.
func TestPlayersCanFollowOnlyTheTurnStream(t *testing.T) {
	inEach(t, testPlayersCanFollowOnlyTheTurnStream)
}

func testPlayersCanFollowOnlyTheTurnStream(t *testing.T, start starter) {
	server := start(t, "--heartbeat-interval", "100ms")
	game, rest := newProxy(t, server.addrs["game"]), newProxy(t, server.addrs["http"])
	game.cutAfter(100, 6000)
	rest.cutAfter(100, 6000)
	for name, w := range watchers(t, game.addr(), rest.addr()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &turnPlayer{T: t, player: server.join(t), over: map[string]bool{}, random: rand.New(rand.NewPCG(5, 6))}
			const games = 12
			for i := range games {
				seats := []*gamev1.Seat{callerSeat(), robotSeat("")}
				p.create(t, hexagon(2), seats[i%2], seats[1-i%2])
			}
			for end := time.Now().Add(2 * waitTimeout); len(p.over) < games; p.cuts++ {
				if time.Now().After(end) {
					t.Fatalf("%d of %d games have ended after %d cuts", len(p.over), games, p.cuts)
				}
				p.read(w)
			}
			t.Logf("the stream was cut %d times", p.cuts)
		})
	}
}

// turnPlayer is a player that follows its games only through the stream of turns.
type turnPlayer struct {
	*testing.T
	*player
	random *rand.Rand
	after  string
	over   map[string]bool
	cuts   int
}

// read resumes the stream, plays the turns in some messages and leaves.
func (p *turnPlayer) read(w watcher) {
	ctx, cancel := context.WithTimeout(p.Context(), waitTimeout)
	defer cancel()
	stream, err := w.turns(ctx, p.player, p.after)
	for left := p.random.IntN(5); err == nil && left >= 0; left-- {
		var m *gamev1.WatchTurnsResponse
		if m, err = stream.Recv(); err == nil {
			p.handle(m)
		}
	}
	if s, ok := status.FromError(err); ok && s.Code() != codes.OK && s.Code() != codes.Unavailable && s.Code() != codes.Internal {
		p.Errorf("resumed at %q: %v", p.after, err)
	}
}

// handle plays a move if the message is a turn. The same turn may arrive twice.
func (p *turnPlayer) handle(m *gamev1.WatchTurnsResponse) {
	p.after = m.GetCursor()
	if over := m.GetGameOver(); over != nil {
		p.over[over.GetGameId()] = true
	}
	turn := m.GetTurn()
	if turn == nil {
		return
	}
	moves, err := p.legal(p.Context(), turn.GetGameId())
	if err != nil || len(moves) == 0 {
		return
	}
	in := &gamev1.PlayMoveRequest{GameId: turn.GetGameId(), Notation: moves[0], ExpectedVersion: turn.GetVersion()}
	err = p.via.call(p.Context(), p.key, "PlayMove", in, &gamev1.PlayMoveResponse{})
	if code, _ := reasonOf(err); code != codes.OK && code != codes.Aborted {
		p.Errorf("turn at version %d: %v", turn.GetVersion(), err)
	}
}

//nolint:tparallel // The cases share the limit of one server.
func TestStreamsSendHeartbeatsAndAreLimited(t *testing.T) {
	t.Parallel()
	server := start(t, "--heartbeat-interval", "50ms", "--max-streams", "2")
	for name, w := range watchers(t, server.addrs["game"], server.addrs["http"]) {
		t.Run(name, func(t *testing.T) {
			ann := server.join(t)
			g := ann.create(t, hexagon(2), callerSeat())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			games, err := w.game(ctx, ann, g.GetId(), "")
			if err != nil {
				t.Fatal(err)
			}
			m, err := games.Recv()
			if err != nil || m.GetSnapshot() == nil || m.GetHeartbeatInterval().AsDuration() != 50*time.Millisecond {
				t.Errorf("the first message is %v, %v; want a snapshot with the heartbeat interval", m, err)
			}
			turns, err := w.turns(ctx, ann, "")
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if m, err := games.Recv(); err != nil || m.GetHeartbeat() == nil || m.GetVersion() != 1 {
					t.Errorf("got %v, %v; want a heartbeat", m, err)
				}
				if m, err := turns.Recv(); err != nil || m.GetHeartbeat() == nil || m.GetCursor() == "" {
					t.Errorf("got %v, %v; want a heartbeat", m, err)
				}
			}
			checkError(t, firstError(w.turns(t.Context(), ann, "")), codes.ResourceExhausted, "TOO_MANY_STREAMS")
			checkError(t, firstError(w.game(t.Context(), ann, g.GetId(), "")), codes.ResourceExhausted, "TOO_MANY_STREAMS")
			cancel()
			eventually(t, func() error {
				err := firstError(w.game(t.Context(), ann, g.GetId(), ""))
				if code, _ := reasonOf(err); code == codes.ResourceExhausted {
					return io.ErrUnexpectedEOF // The server has not noticed yet that the other streams ended.
				}
				return err
			})
		})
	}
}

// firstError returns the error of a stream when it opens or at its first message.
func firstError[M any](stream interface{ Recv() (M, error) }, err error) error {
	if err != nil {
		return err
	}
	if _, err = stream.Recv(); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
