package commands

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// However often a stream is cut, and by what, the joined log is the full log.
func TestWatchResumesAfterCuts(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.sample()
	whole := logOf(f.run("game", "watch", "01hex", "--after", "0", "-o", "jsonl").out)
	type cut struct{ messages, by int }
	ways := []error{
		nil, // the end of the stream, without a word
		status.Error(codes.Unavailable, "going away"), status.Error(codes.Internal, "stream reset"),
		status.Error(codes.Canceled, "cancelled"), status.Error(codes.Unknown, "proxy"),
	}
	cuts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cut {
		return cut{rapid.IntRange(1, 9).Draw(t, "messages"), rapid.IntRange(0, len(ways)-1).Draw(t, "by")}
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		plan := cuts.Draw(t, "cuts")
		f.watchGame = func(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
			all := watched(q.AfterVersion)
			if len(plan) == 0 || plan[0].messages >= len(all) {
				return sendAll(s, all)
			}
			now := plan[0]
			plan = plan[1:]
			return errors.Join(sendAll(s, all[:now.messages]), ways[now.by])
		}
		got := f.run("game", "watch", "01hex", "--after", "0", "-o", "jsonl")
		if got.code != 0 {
			t.Fatalf("exit %d: %s", got.code, got.err)
		}
		if diff := cmp.Diff(whole, logOf(got.out)); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
	})
}

// logOf leaves what is in the log: delays are not, and are told again after a cut.
func logOf(lines string) []string {
	return slices.DeleteFunc(strings.Split(lines, "\n"), func(line string) bool {
		return strings.Contains(line, "robotDelayed")
	})
}

// A stream with a snapshot goes on after a cut without another.
func TestWatchHasOneSnapshot(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.sample()
	cut := false
	f.watchGame = func(q *gamev1.WatchGameRequest, s grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
		if !cut {
			cut = true
			return sendAll(s, watched(q.AfterVersion)[:1])
		}
		return sendAll(s, watched(q.AfterVersion))
	}
	got := f.run("game", "watch", "01hex", "-o", "jsonl")
	if got.code != 0 || strings.Count(got.out, "snapshot") != 1 {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
	requests := called[*gamev1.WatchGameRequest](f)
	if len(requests) != 2 || requests[0].AfterVersion != nil || requests[1].GetAfterVersion() != 3 {
		t.Errorf("asked %v", requests)
	}
}

// Turns go on after the last cursor, whatever ends the stream, until the key is gone.
func TestTurnsResume(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.sample()
	rounds := 0
	f.watchTurns = func(_ *gamev1.WatchTurnsRequest, s grpc.ServerStreamingServer[gamev1.WatchTurnsResponse]) error {
		defer func() { rounds++ }()
		all := turns()
		switch rounds {
		case 0:
			return sendAll(s, all[:1])
		case 1:
			all[1].Message = &gamev1.WatchTurnsResponse_End{End: &gamev1.End{Reason: gamev1.EndReason_END_REASON_SHUTTING_DOWN}}
			return sendAll(s, all[1:2])
		case 2, 3, 4, 5, 6, 7, 8, 9: // a long outage
			return status.Error(codes.Unavailable, "starting")
		case 10:
			all[2].Message = &gamev1.WatchTurnsResponse_End{End: &gamev1.End{Reason: gamev1.EndReason_END_REASON_TOO_SLOW}}
			return sendAll(s, all[2:3])
		default:
			return sendAll(s, all[3:])
		}
	}
	got := f.run("turns", "--after", "c0")
	var cursors []string
	for _, request := range called[*gamev1.WatchTurnsRequest](f) {
		cursors = append(cursors, request.GetAfterCursor())
	}
	if diff := cmp.Diff([]string{"c0", "c1", "c2", "c3"}, slices.Compact(cursors)); diff != "" {
		t.Errorf("cursors (-want +got):\n%s", diff)
	}
	if got.code != 80 || strings.Count(got.out, "\n") != 4 {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
	for _, told := range []string{"connection lost: ", "starting [UNAVAILABLE]; reconnecting", "connected again", "no longer valid [KEY_REVOKED]"} {
		if strings.Count(got.err, told) != 1 {
			t.Errorf("%q is not told once in:\n%s", told, got.err)
		}
	}
}

// A refusal is no cut. Nor is anything worth waiting for that was never there.
func TestStreamsThatDoNotBegin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		code int
		asks int
	}{
		{refusal(codes.NotFound, "GAME_NOT_FOUND", "no such game"), 69, 1},
		{refusal(codes.ResourceExhausted, "TOO_MANY_STREAMS", "too many"), 72, 1},
		{status.Error(codes.Unavailable, "not there"), 78, settings.DefaultAttempts},
	} {
		t.Run(test.err.Error(), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.sample()
			f.watchGame = func(*gamev1.WatchGameRequest, grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
				return test.err
			}
			got := f.run("game", "watch", "01hex")
			if asks := len(called[*gamev1.WatchGameRequest](f)); got.code != test.code || asks != test.asks {
				t.Errorf("exit %d after %d attempts: %s", got.code, asks, got.err)
			}
		})
	}
}

// Whoever stops watching is not told that something failed.
func TestStoppingIsNoFailure(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.sample()
	ctx, cancel := context.WithCancel(t.Context())
	f.watchTurns = func(_ *gamev1.WatchTurnsRequest, s grpc.ServerStreamingServer[gamev1.WatchTurnsResponse]) error {
		if err := s.Send(turns()[0]); err != nil {
			return err
		}
		cancel()
		<-s.Context().Done()
		return s.Context().Err()
	}
	var out, err bytes.Buffer
	code := Run(ctx, []string{"turns", "-o", "json"}, Streams{Out: &out, Err: &err}, f.getenv)
	if code != 0 || err.Len() > 0 {
		t.Errorf("exit %d: %s", code, &err)
	}
	if text := out.String(); text != "[]\n" && !strings.HasSuffix(text, "}\n]\n") {
		t.Errorf("the list is not closed:\n%s", text)
	}
}
