// Package session follows games. A Follower reads a stream and resumes it after a cut; a Session
// follows one game and plays in it; Lines plays a Session with lines of text. A user interface of
// another kind can be built on Session.
package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// Message is a message of any stream of the Game service.
type Message interface {
	GetHeartbeatInterval() *durationpb.Duration
	GetEnd() *gamev1.End
}

// Stream is a stream of messages.
type Stream[M Message] interface {
	Recv() (M, error)
}

// Follower reads a stream to its end and opens it again after each cut.
type Follower[M Message] struct {
	// Open opens the stream after the last message that was handled.
	Open func(ctx context.Context) (Stream[M], error)
	// Handle receives every message, also heartbeats and the end. Its error ends Run.
	Handle func(M) error
	// MaxFailures limits the failed attempts in a row after the first message; 0 is no limit.
	MaxFailures int
	// Note shows the user that the connection is lost or restored.
	Note func(format string, args ...any)
	// Pause waits between attempts.
	Pause func(context.Context, time.Duration) error

	received bool // a message, ever
	failures int  // in a row
}

// handlerError is an error of Handle.
type handlerError struct{ error }

// endError is the end of a stream that was announced before the game was over.
type endError struct{ reason gamev1.EndReason }

func (e endError) Error() string {
	switch e.reason {
	case gamev1.EndReason_END_REASON_SHUTTING_DOWN:
		return "the server shuts down"
	case gamev1.EndReason_END_REASON_TOO_SLOW:
		return "this client did not read its messages in time"
	default:
		return fmt.Sprintf("the stream ended (%s)", e.reason)
	}
}

// keyRevokedError returns the error of a stream whose key was revoked. It is like that of a call
// with such a key.
func keyRevokedError() error {
	s := status.New(codes.Unauthenticated, "the key is no longer valid")
	info := &errdetails.ErrorInfo{Reason: render.KeyRevoked, Domain: "flipside"}
	if detailed, err := s.WithDetails(info); err == nil {
		s = detailed
	}
	return s.Err()
}

// Run returns nil when the followed game is over, and an error when a retry is useless.
func (f *Follower[M]) Run(ctx context.Context) error {
	for {
		err := f.read(ctx)
		if failed, ok := errors.AsType[handlerError](err); ok {
			return failed.error
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.failures++
		if !f.retryable(err) {
			return err
		}
		if f.failures == 2 { // a single failure is too common to show
			f.Note("connection lost: %s; reconnecting", render.Describe(err))
		}
		if err := f.Pause(ctx, settings.Backoff(f.failures, err)); err != nil {
			return err
		}
	}
}

// read opens the stream and reads it to its end or to a cut. Silence for three heartbeats is a cut.
func (f *Follower[M]) read(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	maxSilence := 30 * time.Second // until the server announces its heartbeat interval
	silence := time.AfterFunc(maxSilence, cancel)
	defer silence.Stop()
	s, err := f.Open(ctx)
	if err != nil {
		return err
	}
	for {
		m, err := s.Recv()
		if err != nil && !silence.Stop() {
			return status.Errorf(codes.Unavailable, "no message for %v", maxSilence)
		}
		if err != nil {
			return err
		}
		if interval := m.GetHeartbeatInterval().AsDuration(); interval > 0 {
			maxSilence = 3 * interval
		}
		silence.Reset(maxSilence)
		if over, err := f.handle(m); over || err != nil {
			return err
		}
	}
}

// handle handles one message and reports whether the game is over.
func (f *Follower[M]) handle(m M) (over bool, err error) {
	if f.failures > 1 {
		f.Note("connected again")
	}
	f.received, f.failures = true, 0
	if err := f.Handle(m); err != nil {
		return false, handlerError{err}
	}
	if m.GetEnd() == nil {
		return false, nil
	}
	switch reason := m.GetEnd().GetReason(); reason {
	case gamev1.EndReason_END_REASON_GAME_OVER:
		return true, nil
	case gamev1.EndReason_END_REASON_KEY_REVOKED:
		return false, keyRevokedError()
	default:
		return false, endError{reason}
	}
}

// retryable reports whether a stream that ended with err is worth opening again.
func (f *Follower[M]) retryable(err error) bool {
	limit := settings.DefaultAttempts
	if f.received {
		limit = f.MaxFailures
	}
	if limit > 0 && f.failures >= limit {
		return false
	}
	if _, announced := errors.AsType[endError](err); announced || errors.Is(err, io.EOF) {
		return true
	}
	switch status.Code(err) {
	case codes.Unavailable:
		return true
	case codes.Canceled, codes.DeadlineExceeded, codes.Internal, codes.Unknown,
		codes.ResourceExhausted:
		// Proxies report a cut like this. A server that has not noticed the cut reports too many streams.
		return f.received
	default:
		return false
	}
}
