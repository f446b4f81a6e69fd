package settings

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// DefaultAttempts makes a call to a server that is down give up after two seconds at most.
const DefaultAttempts = 5

// Retry configures how often and when a failed call is retried.
type Retry struct {
	Attempts int
	Pause    func(context.Context, time.Duration) error // Pause, except in tests
}

// do makes a call until it succeeds, fails for good or runs out of attempts. Retries are safe: a
// call that changes something carries a request id. Two calls have none, and are retried only if
// the server reports that it changed nothing.
func (r *Retry) do(ctx context.Context, method string, call func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := call(ctx)
		if err == nil || attempt >= r.Attempts || ctx.Err() != nil || !retryable(method, err) {
			return err
		}
		if r.Pause(ctx, Backoff(attempt, err)) != nil {
			return err
		}
	}
}

func retryable(method string, err error) bool {
	switch method {
	case gamev1.PlayerService_CreatePlayer_FullMethodName,
		gamev1.PlayerService_RotateKey_FullMethodName:
		return render.NotSent(status.Convert(err))
	}
	code := status.Code(err)
	return code == codes.Unavailable || code == codes.DeadlineExceeded
}

// Backoff returns the delay after a number of failed attempts. It doubles from 100 ms to 5 seconds.
// Half of it is random, so that clients that lost the same server do not all return at once. A
// longer delay that the server asks for is respected up to 10 seconds.
func Backoff(attempts int, err error) time.Duration {
	const first, longest = 100 * time.Millisecond, 5 * time.Second
	wait := min(longest, first<<min(attempts-1, 10))
	wait = wait/2 + rand.N(wait/2+1) //nolint:gosec // not a secret
	return max(wait, min(render.RetryDelay(err), 2*longest))
}

// Pause waits, and returns an error if ctx ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
