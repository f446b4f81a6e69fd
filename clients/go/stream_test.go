package flipside

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// script is a server that plays one connection after the other. It is silent after the last message
// of a connection without an error.
type script struct {
	gamev1.GameServiceClient
	connections []connection
	opened      []string // the resume point of each connection
}

type connection struct {
	messages []*gamev1.WatchTurnsResponse
	err      error
}

func (s *script) WatchTurns(
	ctx context.Context, request *gamev1.WatchTurnsRequest, _ ...grpc.CallOption,
) (grpc.ServerStreamingClient[gamev1.WatchTurnsResponse], error) {
	s.opened = append(s.opened, request.GetAfterCursor())
	next := connection{}
	if len(s.connections) > 0 {
		next, s.connections = s.connections[0], s.connections[1:]
	}
	return &scripted{ctx: ctx, connection: next}, nil
}

type scripted struct {
	grpc.ClientStream
	ctx context.Context
	connection
}

func (s *scripted) Recv() (*gamev1.WatchTurnsResponse, error) {
	switch {
	case len(s.messages) > 0:
		m := s.messages[0]
		s.messages = s.messages[1:]
		return m, nil
	case s.err != nil:
		return nil, s.err
	default:
		<-s.ctx.Done()
		return nil, status.FromContextError(s.ctx.Err()).Err()
	}
}

func turn(cursor, game string, version int32) *gamev1.WatchTurnsResponse {
	notice := &gamev1.TurnNotice{GameId: game, Version: version}
	return &gamev1.WatchTurnsResponse{
		Cursor: cursor, HeartbeatInterval: durationpb.New(10 * time.Second),
		Message: &gamev1.WatchTurnsResponse_Turn{Turn: notice},
	}
}

func end(reason gamev1.EndReason) *gamev1.WatchTurnsResponse {
	return &gamev1.WatchTurnsResponse{
		Message: &gamev1.WatchTurnsResponse_End{End: &gamev1.End{Reason: reason}},
	}
}

const (
	gameOver     = gamev1.EndReason_END_REASON_GAME_OVER
	shuttingDown = gamev1.EndReason_END_REASON_SHUTTING_DOWN
	revoked      = gamev1.EndReason_END_REASON_KEY_REVOKED
)

// follow reads a script to its end. It returns the games of the turns, and the error.
func follow(ctx context.Context, s *script, o StreamOptions) (games []string, err error) {
	for m, failed := range Turns(ctx, s, &gamev1.WatchTurnsRequest{}, o) {
		if failed != nil {
			return games, failed
		}
		if m.GetTurn() != nil {
			games = append(games, m.GetTurn().GetGameId())
		}
	}
	return games, nil
}

func TestAStreamResumesWithoutGapsAndRepeats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{connections: []connection{
			{[]*gamev1.WatchTurnsResponse{turn("1", "a", 2)}, io.EOF},
			{nil, failure(t, codes.Unavailable)},
			{[]*gamev1.WatchTurnsResponse{turn("2", "a", 2), turn("3", "b", 2), end(shuttingDown)}, nil},
			{[]*gamev1.WatchTurnsResponse{turn("4", "a", 4), end(gameOver)}, nil},
		}}
		games, err := follow(t.Context(), s, StreamOptions{})
		if want := []string{"a", "b", "a"}; err != nil || !slices.Equal(games, want) {
			t.Errorf("turns in %v, %v; want %v", games, err, want)
		}
		if want := []string{"", "1", "1", "3"}; !slices.Equal(s.opened, want) {
			t.Errorf("resumes at %v, want %v", s.opened, want)
		}
	})
}

func TestSilenceForThreeHeartbeatsIsACut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
		defer cancel()
		var failures []int
		first := connection{messages: []*gamev1.WatchTurnsResponse{turn("1", "a", 2)}}
		s := &script{connections: []connection{first, first, first, first}}
		_, err := follow(ctx, s, StreamOptions{OnConnection: func(c Connection) {
			if c.Err != nil {
				failures = append(failures, c.Failures)
			}
		}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
		if len(s.opened) != 4 { // At 0 s, and after each 30 s of silence.
			t.Errorf("opened %d times in 100 s", len(s.opened))
		}
		if want := []int{1, 1, 1}; !slices.Equal(failures, want) {
			t.Errorf("failures in a row %v, want %v", failures, want)
		}
	})
}

func TestASlowReaderIsNoSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		messages := []*gamev1.WatchTurnsResponse{turn("1", "a", 2), turn("2", "b", 2), end(gameOver)}
		s := &script{connections: []connection{{messages: messages}}}
		for _, err := range Turns(t.Context(), s, &gamev1.WatchTurnsRequest{}, StreamOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		if len(s.opened) != 1 {
			t.Errorf("opened %d times", len(s.opened))
		}
	})
}

func TestARevokedKeyEndsAStream(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		next string // the key of the client after the end
		want string
	}{
		"another client has replaced the key": {"old", KeyRevoked},
		"the client has replaced its own key": {"new", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				key := "old"
				s := &script{connections: []connection{
					{messages: []*gamev1.WatchTurnsResponse{end(revoked)}},
					{messages: []*gamev1.WatchTurnsResponse{end(gameOver)}},
				}}
				o := StreamOptions{key: func() string { return key }}
				o.OnConnection = func(c Connection) {
					if c.Err != nil {
						key = test.next
					}
				}
				_, err := follow(t.Context(), s, o)
				got := ""
				if failed, ok := errors.AsType[*Error](err); ok {
					got = failed.Reason
				}
				if got != test.want {
					t.Errorf("ends with %v, want the reason %q", err, test.want)
				}
			})
		})
	}
}

func TestABreakEndsTheStream(t *testing.T) {
	t.Parallel()
	s := &script{connections: []connection{
		{messages: []*gamev1.WatchTurnsResponse{turn("1", "a", 2), turn("2", "b", 2)}},
	}}
	for range Turns(t.Context(), s, &gamev1.WatchTurnsRequest{}, StreamOptions{}) {
		break
	}
	if len(s.opened) != 1 {
		t.Errorf("opened %d times", len(s.opened))
	}
}
