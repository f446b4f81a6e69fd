package flipside

import (
	"context"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
	"pgregory.net/rapid"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// failure returns an error with details, as servers send it.
func failure(t *testing.T, code codes.Code, details ...protoadapt.MessageV1) error {
	t.Helper()
	s, err := status.New(code, "sorry").WithDetails(details...)
	if err != nil {
		t.Fatal(err)
	}
	return typed(s.Err())
}

func reason(name string, metadata map[string]string) *errdetails.ErrorInfo {
	return &errdetails.ErrorInfo{Reason: name, Domain: "flipside", Metadata: metadata}
}

func TestBackoffDoublesWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.IntRange(1, 1000).Draw(t, "attempts")
		most := longestDelay
		if attempts < 7 {
			most = min(most, firstDelay<<(attempts-1))
		}
		if wait := Backoff(attempts, nil); wait < most/2 || wait > most {
			t.Errorf("waits %v after %d attempts, want %v to %v", wait, attempts, most/2, most)
		}
	})
}

func TestOnlySafeCallsAreRetried(t *testing.T) {
	t.Parallel()
	const (
		play   = gamev1.GameService_PlayMove_FullMethodName
		create = gamev1.PlayerService_CreatePlayer_FullMethodName
	)
	retryIn := func(d time.Duration) *errdetails.RetryInfo {
		return &errdetails.RetryInfo{RetryDelay: durationpb.New(d)}
	}
	notSent := reason("STORE_UNAVAILABLE", map[string]string{"sent": "false"})
	for _, test := range []struct {
		name, method string
		err          error
		want         bool
	}{
		{"a lost response", play, failure(t, codes.Unavailable), true},
		{"a lost response to a call without request id", create, failure(t, codes.Unavailable), false},
		{"a change that was not sent to the store", create, failure(t, codes.Unavailable, notSent), true},
		{"a lost race", create, failure(t, codes.Aborted, reason("STORE_CONTENDED", nil)), true},
		{"an outdated version", play, failure(t, codes.Aborted, reason("VERSION_MISMATCH", nil)), false},
		{"a rate limit", create,
			failure(t, codes.ResourceExhausted, reason("RATE_LIMITED", nil), retryIn(time.Second)), true},
		{"a rate limit for a long time", play,
			failure(t, codes.ResourceExhausted, reason("RATE_LIMITED", nil), retryIn(time.Hour)), false},
		{"a limit that time does not lift", play,
			failure(t, codes.ResourceExhausted, reason("BUDGET_EXCEEDED", nil)), false},
		{"an illegal move", play, failure(t, codes.FailedPrecondition, reason("CELL_TAKEN", nil)), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := retryable(test.method, test.err); got != test.want {
				t.Errorf("a retry is %t, want %t", got, test.want)
			}
		})
	}
}

// pages has two pages of legal moves.
type pages struct{ gamev1.GameServiceClient }

func (pages) ListLegalMoves(
	_ context.Context, request *gamev1.ListLegalMovesRequest, _ ...grpc.CallOption,
) (*gamev1.ListLegalMovesResponse, error) {
	page := &gamev1.ListLegalMovesResponse{Moves: []*rulesv1.LegalMove{{}}}
	if request.GetPageToken() == "" {
		page.NextPageToken = "second"
	}
	return page, nil
}

func TestLegalMovesDoesNotChangeItsRequest(t *testing.T) {
	request := &gamev1.ListLegalMovesRequest{GameId: "game"}
	for range 2 {
		legal, err := LegalMoves(t.Context(), pages{}, request)
		if err != nil || len(legal.GetMoves()) != 2 {
			t.Errorf("%d moves and the error %v, want those of both pages", len(legal.GetMoves()), err)
		}
	}
}

func TestARequestGetsOneRequestID(t *testing.T) {
	t.Parallel()
	request := &gamev1.PlayMoveRequest{GameId: "g"}
	sent := withRequestID(request).(*gamev1.PlayMoveRequest)
	if sent.GetRequestId() == "" || sent.GetGameId() != "g" || request.GetRequestId() != "" {
		t.Errorf("sends %v for %v", sent, request)
	}
	if again := withRequestID(sent); again != any(sent) {
		t.Errorf("replaces a request id: %v", again)
	}
	if read := &(gamev1.GetGameRequest{}); withRequestID(read) != any(read) {
		t.Error("changes a request without request id")
	}
}
