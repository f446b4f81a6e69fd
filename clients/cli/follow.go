package cli

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

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// message is what all streams of the Game service have in common.
type message interface {
	GetHeartbeatInterval() *durationpb.Duration
	GetEnd() *gamev1.End
}

// stream is a stream of messages.
type stream[M message] interface {
	Recv() (M, error)
}

// follower reads a stream to its end, and opens it again whenever it is cut.
type follower[M message] struct {
	p *program
	// open opens the stream where the last message that was taken left off.
	open func(ctx context.Context) (stream[M], error)
	// take is given every message, heartbeats and the last one too. An error ends it all.
	take func(M) error
	// patience is how many attempts in a row may fail once there was a message, 0 for any number.
	patience int

	heard    bool // a message, ever
	failures int  // in a row
}

// keyRevoked is the reason of an error that only the end of a stream tells.
const keyRevoked = "KEY_REVOKED"

// takenError is an error of take.
type takenError struct{ error }

// endError is the end of a stream that a server announced before there was nothing more to say.
type endError struct{ reason gamev1.EndReason }

func (e endError) Error() string {
	switch e.reason {
	case gamev1.EndReason_END_REASON_SHUTTING_DOWN:
		return "the server stops"
	case gamev1.EndReason_END_REASON_TOO_SLOW:
		return "messages were not read in time"
	default:
		return fmt.Sprintf("the stream ended (%s)", e.reason)
	}
}

// revoked is the end of a stream whose key was taken away, told as a call with that key would be.
func revoked() error {
	refusal := status.New(codes.Unauthenticated, "the key is no longer valid")
	info := &errdetails.ErrorInfo{Reason: keyRevoked, Domain: "flipside"}
	if detailed, err := refusal.WithDetails(info); err == nil {
		refusal = detailed
	}
	return refusal.Err()
}

// run returns nil once the game that is followed is over, and an error when there is no use in going on.
func (f *follower[M]) run(ctx context.Context) error {
	for {
		err := f.once(ctx)
		if taken, ok := errors.AsType[takenError](err); ok {
			return taken.error
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.failures++
		if !f.worthAnother(err) {
			return err
		}
		if f.failures == 2 { // once is too common to tell
			f.p.note("connection lost: %s; trying again", tell(err))
		}
		if err := f.p.pause(ctx, backoff(f.failures, err)); err != nil {
			return err
		}
	}
}

// once opens the stream and reads it to an end or cut.
func (f *follower[M]) once(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const unannounced = 30 * time.Second
	silence := time.AfterFunc(unannounced, cancel) // a connection may die without a word
	defer silence.Stop()
	s, err := f.open(ctx)
	if err != nil {
		return err
	}
	longest := unannounced
	for {
		m, err := s.Recv()
		if err != nil && !silence.Stop() {
			return status.Errorf(codes.Unavailable, "nothing was heard for %v", longest)
		}
		if err != nil {
			return err
		}
		if interval := m.GetHeartbeatInterval().AsDuration(); interval > 0 {
			longest = 3 * interval
		}
		silence.Reset(longest)
		if over, err := f.hear(m); over || err != nil {
			return err
		}
	}
}

// hear takes one message and tells whether it was the last.
func (f *follower[M]) hear(m M) (over bool, err error) {
	if f.failures > 1 {
		f.p.note("connected again")
	}
	f.heard, f.failures = true, 0
	if err := f.take(m); err != nil {
		return false, takenError{err}
	}
	switch end := m.GetEnd(); {
	case end == nil:
		return false, nil
	case end.GetReason() == gamev1.EndReason_END_REASON_GAME_OVER:
		return true, nil
	case end.GetReason() == gamev1.EndReason_END_REASON_KEY_REVOKED:
		return false, revoked()
	default:
		return false, endError{end.GetReason()}
	}
}

// worthAnother tells a cut, after which to come back, from a refusal.
func (f *follower[M]) worthAnother(err error) bool {
	limit := usualAttempts
	if f.heard {
		limit = f.patience
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
	case codes.Canceled, codes.DeadlineExceeded, codes.Internal, codes.Unknown, codes.ResourceExhausted:
		// What a proxy makes of a cut, or a server that still counts the stream that was cut.
		return f.heard
	default:
		return false
	}
}
