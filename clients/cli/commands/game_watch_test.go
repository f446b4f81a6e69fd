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

// A stream that is cut at any places in any way still yields the whole log.
func TestWatchResumesAfterCuts(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answerAll()
	whole := logOf(f.run("game", "watch", "01hex", "--after", "0", "-o", "jsonl").out)
	type cut struct{ messages, cause int }
	causes := []error{
		nil, // the stream ends without an end message
		status.Error(codes.Unavailable, "going away"), status.Error(codes.Internal, "stream reset"),
		status.Error(codes.Canceled, "cancelled"), status.Error(codes.Unknown, "proxy"),
	}
	cuts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cut {
		return cut{rapid.IntRange(1, 9).Draw(t, "messages"), rapid.IntRange(0, len(causes)-1).Draw(t, "cause")}
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
			return errors.Join(sendAll(s, all[:now.messages]), causes[now.cause])
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

// logOf removes delays of robots. They are not in the log and can be repeated after a cut.
func logOf(lines string) []string {
	return slices.DeleteFunc(strings.Split(lines, "\n"), func(line string) bool {
		return strings.Contains(line, "robotDelayed")
	})
}

// After a cut the stream continues with events, without a second snapshot.
func TestWatchHasOneSnapshot(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answerAll()
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
	requests := requestsOf[*gamev1.WatchGameRequest](f)
	if len(requests) != 2 || requests[0].AfterVersion != nil || requests[1].GetAfterVersion() != 3 {
		t.Errorf("requests %v", requests)
	}
}

// Turns resume after the last cursor, whatever the cause of the cut, until the key is revoked.
func TestTurnsResume(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answerAll()
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
	for _, request := range requestsOf[*gamev1.WatchTurnsRequest](f) {
		cursors = append(cursors, request.GetAfterCursor())
	}
	if diff := cmp.Diff([]string{"c0", "c1", "c2", "c3"}, slices.Compact(cursors)); diff != "" {
		t.Errorf("cursors (-want +got):\n%s", diff)
	}
	if got.code != 80 || strings.Count(got.out, "\n") != 4 {
		t.Errorf("exit %d:\n%s", got.code, got.out)
	}
	for _, note := range []string{"connection lost: ", "starting [UNAVAILABLE]; reconnecting", "connected again", "no longer valid [KEY_REVOKED]"} {
		if strings.Count(got.err, note) != 1 {
			t.Errorf("%q is not once in:\n%s", note, got.err)
		}
	}
}

// A stream that never delivered a message is retried only while the server is unavailable, and not
// for long.
func TestStreamsThatDoNotStart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err      error
		code     int
		attempts int
	}{
		{serverError(codes.NotFound, "GAME_NOT_FOUND", "no such game"), 69, 1},
		{serverError(codes.ResourceExhausted, "TOO_MANY_STREAMS", "too many"), 72, 1},
		{status.Error(codes.Unavailable, "not there"), 78, settings.DefaultAttempts},
	} {
		t.Run(test.err.Error(), func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.answerAll()
			f.watchGame = func(*gamev1.WatchGameRequest, grpc.ServerStreamingServer[gamev1.WatchGameResponse]) error {
				return test.err
			}
			got := f.run("game", "watch", "01hex")
			if attempts := len(requestsOf[*gamev1.WatchGameRequest](f)); got.code != test.code || attempts != test.attempts {
				t.Errorf("exit %d after %d attempts: %s", got.code, attempts, got.err)
			}
		})
	}
}

// Interrupting a stream is a success.
func TestInterruptedStream(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.answerAll()
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
	code := Run(ctx, "0.0.0", []string{"turns", "-o", "json"}, Streams{Out: &out, Err: &err}, f.getenv)
	if code != 0 || err.Len() > 0 {
		t.Errorf("exit %d: %s", code, &err)
	}
	if text := out.String(); text != "[]\n" && !strings.HasSuffix(text, "}\n]\n") {
		t.Errorf("the list is not closed:\n%s", text)
	}
}
