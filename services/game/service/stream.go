package service

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// EndReason is the reason for the end of a stream.
type EndReason string

// The reasons.
const (
	EndGameOver     EndReason = "gameOver"
	EndShuttingDown EndReason = "shuttingDown"
	EndTooSlow      EndReason = "tooSlow"
	EndKeyRevoked   EndReason = "keyRevoked"
)

// Frame is the common part of all messages of a stream. HeartbeatInterval is set in the first
// message only. A message with neither Heartbeat nor End has content of its own.
type Frame struct {
	Time              time.Time
	HeartbeatInterval time.Duration
	Heartbeat         bool
	End               EndReason
}

// source produces the messages of one kind of stream. Its methods are not called concurrently. They
// report whether the stream is over.
type source interface {
	// start sends the first messages.
	start(ctx context.Context) (over bool, err error)
	// wake sends the messages that a wake-up announces.
	wake(ctx context.Context, wake game.Wake) (over bool, err error)
	// poll sends the messages that lost wake-ups would have announced.
	poll(ctx context.Context) (over bool, err error)
	// sendFrame sends a message that is only a frame.
	sendFrame(f Frame) error
}

// stream sends the messages of a source to one reader. A process has many streams with many
// messages, so that timers are not reset at each message: when a timer fires, the stream computes
// the remaining time.
type stream struct {
	service *Service
	caller  Caller
	opened  time.Time
	wakes   game.Subscription
	// messages counts the messages. lastSent is the age of the stream at the end of the last one.
	messages int
	lastSent time.Duration
	// sending is the age of the stream at the start of the message that is being sent, 0 if there
	// is none.
	sending atomic.Int64
	// ending reports that the end message is being sent or has been sent.
	ending atomic.Bool
	// slow reports that a message took longer than SlowReaderTimeout.
	slow bool
	// ended receives the reason for which the stream must end.
	ended chan error
}

// stamp completes the frame of a message and records that the stream sends it now. The caller sends
// it and calls sent.
func (st *stream) stamp(f Frame) Frame {
	f.Time = st.service.now()
	if st.messages == 0 {
		f.HeartbeatInterval = st.service.settings.HeartbeatInterval
	}
	st.messages++
	if f.End != "" {
		st.ending.Store(true)
	}
	st.sending.Store(int64(max(1, time.Since(st.opened))))
	return f
}

// sent records that the message was sent, and returns the error of sending it.
func (st *stream) sent(err error) error {
	start := time.Duration(st.sending.Swap(0))
	st.lastSent = time.Since(st.opened)
	st.slow = st.slow || st.lastSent-start > st.service.settings.SlowReaderTimeout
	return err
}

// untilStuck returns the time until the reader counts as stuck: twice SlowReaderTimeout after the
// start of a message.
func (st *stream) untilStuck() time.Duration {
	limit := 2 * st.service.settings.SlowReaderTimeout
	if since := time.Duration(st.sending.Load()); since != 0 {
		return since + limit - time.Since(st.opened)
	}
	return limit
}

// untilHeartbeat returns the time until the next heartbeat is due.
func (st *stream) untilHeartbeat() time.Duration {
	return st.lastSent + st.service.settings.HeartbeatInterval - time.Since(st.opened)
}

// errStopping ends a stream because the server stops.
var errStopping = errors.New("the server is stopping")

// watch runs a stream until it is over, the reader leaves, or the server stops. Wake-ups of topic
// wake the source.
func (s *Service) watch(
	ctx context.Context, caller Caller, topic string, open func(*stream) (source, error),
) error {
	closed, err := s.limits.openStream(caller.source())
	if err != nil {
		return err
	}
	defer closed()
	st := &stream{
		service: s, caller: caller, opened: time.Now(), wakes: s.games.feed.Subscribe(topic),
		ended: make(chan error, 1),
	}
	defer st.wakes.Close()
	var src source
	if err := <-background(func() (err error) { src, err = open(st); return err }); err != nil {
		return err
	}
	// Another goroutine runs the stream, so that a stuck reader can be abandoned.
	finished := background(func() error { return st.run(ctx, src) })
	defer st.end(context.Canceled)
	return st.guard(ctx, finished)
}

// end makes run return for a reason. Only the first reason counts.
func (st *stream) end(reason error) {
	select {
	case st.ended <- reason:
	default:
	}
}

// background calls a function in a goroutine of its own and returns a channel for its error. A
// panic becomes an error. Streams leave all reading of games to it: that takes a large stack for a
// moment, and the goroutines of a stream would keep it while the stream is open.
func background(do func() error) <-chan error {
	result := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				result <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		result <- do()
	}()
	return result
}

// guard ends the stream if the reader leaves or is stuck, the server stops, or the caller's key
// expires or is replaced. It returns when the stream has finished, or without waiting if the reader
// is stuck.
func (st *stream) guard(ctx context.Context, finished <-chan error) error {
	var expired <-chan time.Time
	if expires := st.caller.expires; !expires.IsZero() {
		timer := time.NewTimer(time.Until(expires))
		defer timer.Stop()
		expired = timer.C
	}
	rotated := st.service.games.feed.Subscribe(game.KeyTopic(st.caller.Player.ID))
	defer rotated.Close()
	stuck := time.NewTimer(st.untilStuck())
	defer stuck.Stop()
	left, stop := ctx.Done(), st.service.stop
	for {
		select {
		case err := <-finished:
			return err
		case <-left:
			st.end(context.Cause(ctx))
			left = nil
		case <-stop:
			st.end(errStopping)
			stop = nil
		case <-expired:
			st.end(errInvalidKey())
		case <-rotated.C():
			if err := st.service.validate(ctx, st.caller); err != nil {
				st.end(err)
			}
		case <-stuck.C:
			remaining := st.untilStuck()
			if remaining <= 0 && st.ending.Load() {
				return nil // No error may follow the end message, which the reader may still read.
			}
			if remaining <= 0 {
				return context.DeadlineExceeded
			}
			stuck.Reset(remaining)
		}
	}
}

// run sends messages until the source is over or the stream must end. ctx is the context of the
// reader.
func (st *stream) run(ctx context.Context, src source) error {
	heartbeat := time.NewTimer(st.service.settings.HeartbeatInterval)
	defer heartbeat.Stop()

	over, err := src.start(ctx)
	if err == nil && !over && st.messages == 0 {
		err = src.sendFrame(Frame{Heartbeat: true})
	}
	for err == nil {
		if over {
			return src.sendFrame(Frame{End: EndGameOver})
		}
		if st.slow {
			return src.sendFrame(Frame{End: EndTooSlow})
		}
		select {
		case wake := <-st.wakes.C():
			over, err = src.wake(ctx, wake)
		case <-heartbeat.C:
			err = <-background(func() (err error) { over, err = st.heartbeat(ctx, src); return err })
			heartbeat.Reset(st.untilHeartbeat())
		case err = <-st.ended:
		}
	}
	switch {
	case errors.Is(err, errStopping):
		return src.sendFrame(Frame{End: EndShuttingDown})
	case fault.ReasonOf(err) == fault.InvalidKey:
		return src.sendFrame(Frame{End: EndKeyRevoked})
	}
	return err
}

// heartbeat checks the key. If no message was sent for a heartbeat interval, it sends the messages
// of lost wake-ups, or a heartbeat if there are none.
func (st *stream) heartbeat(ctx context.Context, src source) (over bool, err error) {
	// A busy stream checks the key too: a rotation in another process may not have woken it.
	if err := st.service.validate(ctx, st.caller); err != nil || st.untilHeartbeat() > 0 {
		return false, err
	}
	before := st.messages
	if over, err = src.poll(ctx); err != nil || over || st.messages > before {
		return over, err
	}
	return false, src.sendFrame(Frame{Heartbeat: true})
}
