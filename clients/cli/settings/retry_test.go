package settings

import (
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

func TestBackoffDoublesWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.IntRange(1, 1000).Draw(t, "attempts")
		most := 5 * time.Second
		if attempts < 7 {
			most = min(most, 100*time.Millisecond<<(attempts-1))
		}
		if wait := Backoff(attempts, nil); wait < most/2 || wait > most {
			t.Errorf("waits %v after %d attempts, want %v to %v", wait, attempts, most/2, most)
		}
	})
}

func TestCallsWithoutRequestIDAreRetriedIfNothingWasSent(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]bool{"": false, "false": true} {
		unavailable, err := status.New(codes.Unavailable, "the store is unavailable").WithDetails(&errdetails.ErrorInfo{
			Reason: "STORE_UNAVAILABLE", Metadata: map[string]string{"sent": sent},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := retryable(gamev1.PlayerService_CreatePlayer_FullMethodName, unavailable.Err()); got != want {
			t.Errorf("with sent %q, a retry is %t, want %t", sent, got, want)
		}
	}
}
