package flipside

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// firstSilence is the longest time without a message before the server has announced its heartbeat
// interval.
const firstSilence = 30 * time.Second

// Connection is the state of the connection of a stream, for a status line.
type Connection struct {
	// Err is the cause of an interruption. It is nil when the first message has arrived.
	Err error
	// Failures is the number of failed attempts in a row, also when the stream is connected again.
	Failures int
	// Delay is the time until the next attempt.
	Delay time.Duration
}

// StreamOptions configure a stream that resumes by itself.
type StreamOptions struct {
	// OnConnection is called when the connection is established or lost. It may be nil.
	OnConnection func(Connection)
	// Retry configures the attempts before the first message.
	Retry Retry
	// MaxFailures limits the failed attempts in a row after the first message; 0 is no limit.
	MaxFailures int

	// key returns the key of the next attempt. It is nil if the key cannot change.
	key func() string
}

// message is a message of any stream of the Game service.
type message interface {
	GetHeartbeatInterval() *durationpb.Duration
	GetHeartbeat() *gamev1.Heartbeat
	GetEnd() *gamev1.End
}

// receiver is a stream of messages.
type receiver[M message] interface{ Recv() (M, error) }

// stream reads one stream to its end and opens it again after each cut.
type stream[M message] struct {
	StreamOptions
	// open opens the stream after the last message that was received.
	open func(context.Context) (receiver[M], error)
	// passed takes note of the resume point of a message, and reports whether an earlier message had
	// the same content.
	passed func(M) bool

	received bool // a message, ever
	failures int  // in a row
}

// errStopped ends a stream whose reader has left the loop.
var errStopped = errors.New("the reader has left the loop")

// endError is the end of a stream that the server announced before the game was over.
type endError struct{ reason gamev1.EndReason }

func (e endError) Error() string {
	switch e.reason {
	case gamev1.EndReason_END_REASON_SHUTTING_DOWN:
		return "the server shuts down"
	case gamev1.EndReason_END_REASON_TOO_SLOW:
		return "this client did not read its messages in time"
	case gamev1.EndReason_END_REASON_KEY_REVOKED:
		return "the key is no longer valid"
	default:
		return "the stream ended (" + e.reason.String() + ")"
	}
}

// keyRevoked returns the error of a stream whose key was revoked. It is like that of a call with
// such a key.
func keyRevoked(cause error) error {
	s := status.New(codes.Unauthenticated, cause.Error())
	info := &errdetails.ErrorInfo{Reason: KeyRevoked, Domain: "flipside"}
	if detailed, err := s.WithDetails(info); err == nil {
		s = detailed
	}
	return FromStatus(s)
}

// all yields the messages without heartbeats until the followed game is over. An error is the last
// value: that of ctx, or one that a retry cannot repair.
func (s *stream[M]) all(ctx context.Context) iter.Seq2[M, error] {
	return func(yield func(M, error) bool) {
		err := s.run(ctx, func(m M) bool { return yield(m, nil) })
		if err != nil && !errors.Is(err, errStopped) {
			var none M
			yield(none, err)
		}
	}
}

func (s *stream[M]) run(ctx context.Context, yield func(M) bool) error {
	for {
		key := s.currentKey()
		err := s.read(ctx, yield)
		switch {
		case err == nil || errors.Is(err, errStopped):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		s.failures++
		if !s.retryable(err) {
			return err
		}
		delay := Backoff(s.failures, err)
		s.report(Connection{Err: err, Failures: s.failures, Delay: delay})
		if err := s.Retry.pause(ctx, delay); err != nil {
			return err
		}
		// A client that has replaced its own key resumes with the new one.
		if isEnd(err, gamev1.EndReason_END_REASON_KEY_REVOKED) && s.currentKey() == key {
			return keyRevoked(err)
		}
	}
}

func (s *stream[M]) currentKey() string {
	if s.key == nil {
		return ""
	}
	return s.key()
}

func (s *stream[M]) report(c Connection) {
	if s.OnConnection != nil {
		s.OnConnection(c)
	}
}

func isEnd(err error, reason gamev1.EndReason) bool {
	end, ok := errors.AsType[endError](err)
	return ok && end.reason == reason
}

// read opens the stream and reads it to its end or to a cut. Silence for three heartbeats is a cut.
func (s *stream[M]) read(ctx context.Context, yield func(M) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	limit := firstSilence
	silence := time.AfterFunc(limit, cancel)
	defer silence.Stop()
	opened, err := s.open(ctx)
	for connected := false; ; connected = true {
		var m M
		if err == nil {
			m, err = opened.Recv()
		}
		if !silence.Stop() {
			return typed(status.Errorf(codes.Unavailable, "no message for %v", limit))
		}
		if err != nil {
			return err
		}
		if !connected {
			s.connected()
		}
		if interval := m.GetHeartbeatInterval().AsDuration(); interval > 0 {
			limit = 3 * interval
		}
		if over, err := s.handle(m, yield); over || err != nil {
			return err
		}
		silence.Reset(limit) // The time that the reader takes for a message is no silence.
	}
}

func (s *stream[M]) connected() {
	s.report(Connection{Failures: s.failures})
	s.received, s.failures = true, 0
}

// handle yields one message and reports whether the game is over.
func (s *stream[M]) handle(m M, yield func(M) bool) (over bool, err error) {
	if repeated := s.passed(m); !repeated && m.GetHeartbeat() == nil && !yield(m) {
		return false, errStopped
	}
	switch reason := m.GetEnd().GetReason(); {
	case m.GetEnd() == nil:
		return false, nil
	case reason == gamev1.EndReason_END_REASON_GAME_OVER:
		return true, nil
	default:
		return false, endError{reason}
	}
}

// retryable reports whether a stream that ended with err is worth opening again.
func (s *stream[M]) retryable(err error) bool {
	limit := s.Retry.attempts()
	if s.received {
		limit = s.MaxFailures
	}
	if limit > 0 && s.failures >= limit {
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
		return s.received
	default:
		return false
	}
}
