package flipside

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

const (
	// DefaultAttempts is the number of attempts of a call: half a minute, enough for a restart of the
	// server.
	DefaultAttempts = 12

	firstDelay   = 100 * time.Millisecond
	longestDelay = 5 * time.Second
	// longestWait is the longest delay that a server can ask for. After a longer one the call fails.
	longestWait = 10 * time.Second
)

// Retry configures how often a failed call is retried. Changes take effect with the next call.
type Retry struct {
	// Attempts is the number of attempts of each call. 0: [DefaultAttempts].
	Attempts int
	// Pause waits between attempts. It returns an error if ctx ends first. nil: [Pause].
	Pause func(ctx context.Context, delay time.Duration) error
}

func (r *Retry) attempts() int {
	if r.Attempts == 0 {
		return DefaultAttempts
	}
	return r.Attempts
}

func (r *Retry) pause(ctx context.Context, delay time.Duration) error {
	if r.Pause == nil {
		return Pause(ctx, delay)
	}
	return r.Pause(ctx, delay)
}

// do makes a call until it succeeds, fails for good or runs out of attempts.
func (r *Retry) do(ctx context.Context, method string, call func(context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := typed(call(ctx))
		if err == nil || attempt >= r.attempts() || ctx.Err() != nil || !retryable(method, err) {
			return err
		}
		if r.pause(ctx, Backoff(attempt, err)) != nil {
			return err
		}
	}
}

// retryable reports whether a call can be repeated. A call that changes something has a request id.
// Two calls have none, and are repeated only if the first attempt certainly changed nothing.
func retryable(method string, err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.Temporary() || e.RetryAfter > longestWait {
		return false
	}
	switch method {
	case gamev1.PlayerService_CreatePlayer_FullMethodName,
		gamev1.PlayerService_RotateKey_FullMethodName:
		return e.NotSent()
	}
	return true
}

// Backoff returns the delay after a number of failed attempts in a row. It doubles from 100 ms to 5
// seconds. Half of it is random, so that clients that lost the same server do not all return at
// once. A longer delay that the server asks for is respected up to 10 seconds.
func Backoff(attempts int, err error) time.Duration {
	wait := min(longestDelay, firstDelay<<min(attempts-1, 10))
	wait = wait/2 + rand.N(wait/2+1) //nolint:gosec // not a secret
	asked := FromStatus(status.Convert(err)).RetryAfter
	return max(wait, min(asked, longestWait))
}

// Pause waits, and returns an error if ctx ends first.
func Pause(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
