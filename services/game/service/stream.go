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
	// sent counts the messages. lastSent is the age of the stream at the end of the last one.
	sent     int
	lastSent time.Duration
	// sending is the age of the stream at the start of the message that is being sent, 0 if there
	// is none.
	sending atomic.Int64
	// ending reports that the end message is being sent or has been sent.
	ending atomic.Bool
	// slow reports that a message took longer than SlowReaderTimeout.
	slow bool
}

// send sends a message by calling deliver with its frame.
func (st *stream) send(f Frame, deliver func(Frame) error) error {
	settings := st.service.settings
	f.Time = st.service.now()
	if st.sent == 0 {
		f.HeartbeatInterval = settings.HeartbeatInterval
	}
	st.sent++
	if f.End != "" {
		st.ending.Store(true)
	}
	start := max(1, time.Since(st.opened))
	st.sending.Store(int64(start))
	err := deliver(f)
	st.sending.Store(0)
	st.lastSent = time.Since(st.opened)
	st.slow = st.slow || st.lastSent-start > settings.SlowReaderTimeout
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
	}
	defer st.wakes.Close()
	// Reading games takes a large stack for a moment. The goroutine of the call would keep it while
	// the stream is open, so it leaves that to another one.
	var src source
	if err := <-background(func() (err error) { src, err = open(st); return err }); err != nil {
		return err
	}
	finished, end := st.begin(ctx, src)
	defer end(nil)
	return st.guard(ctx, finished, end)
}

// begin runs the stream in a goroutine of its own, so that a stuck reader can be abandoned. That
// goroutine does little: its stack is most of the memory of a stream. The caller must call end.
func (st *stream) begin(
	ctx context.Context, src source,
) (finished <-chan error, end context.CancelCauseFunc) {
	expiring, release := ctx, func() {}
	if expires := st.caller.expires; !expires.IsZero() {
		expiring, release = context.WithDeadlineCause(ctx, expires, errInvalidKey())
	}
	ended, cancel := context.WithCancelCause(expiring)
	finished = background(func() error { return st.run(ctx, ended, src) })
	return finished, func(cause error) { cancel(cause); release() }
}

// background calls a function in a goroutine of its own and returns a channel for its error. A
// panic becomes an error.
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

// guard ends the stream if the server stops, the caller's key is replaced or the reader is stuck.
// It returns when the stream has finished, or without waiting if the reader is stuck.
func (st *stream) guard(
	ctx context.Context, finished <-chan error, end context.CancelCauseFunc,
) error {
	rotated := st.service.games.feed.Subscribe(game.KeyTopic(st.caller.Player.ID))
	defer rotated.Close()
	stuck := time.NewTimer(st.untilStuck())
	defer stuck.Stop()
	for stop := st.service.stop; ; {
		select {
		case err := <-finished:
			return err
		case <-stop:
			end(errStopping)
			stop = nil
		case <-rotated.C():
			if err := st.service.validate(ctx, st.caller); err != nil {
				end(err)
			}
		case <-stuck.C:
			left := st.untilStuck()
			if left <= 0 && st.ending.Load() {
				return nil // No error may follow the end message, which the reader may still read.
			}
			if left <= 0 {
				return context.DeadlineExceeded
			}
			stuck.Reset(left)
		}
	}
}

// run sends messages until the source is over or ended is done. ctx is the context of the reader.
func (st *stream) run(ctx, ended context.Context, src source) error {
	heartbeat := time.NewTimer(st.service.settings.HeartbeatInterval)
	defer heartbeat.Stop()

	over, err := src.start(ctx)
	if err == nil && !over && st.sent == 0 {
		err = st.send(Frame{Heartbeat: true}, src.sendFrame)
	}
	for err == nil {
		if over {
			return st.send(Frame{End: EndGameOver}, src.sendFrame)
		}
		if st.slow {
			return st.send(Frame{End: EndTooSlow}, src.sendFrame)
		}
		select {
		case wake := <-st.wakes.C():
			over, err = src.wake(ctx, wake)
		case <-heartbeat.C:
			// A busy stream checks the key too: a rotation in another process may not have woken
			// it.
			if err = st.service.validate(ctx, st.caller); err == nil && st.untilHeartbeat() <= 0 {
				over, err = st.heartbeat(ctx, src)
			}
			heartbeat.Reset(st.untilHeartbeat())
		case <-ended.Done():
			err = context.Cause(ended)
		}
	}
	switch {
	case errors.Is(err, errStopping):
		return st.send(Frame{End: EndShuttingDown}, src.sendFrame)
	case fault.ReasonOf(err) == fault.InvalidKey:
		return st.send(Frame{End: EndKeyRevoked}, src.sendFrame)
	}
	return err
}

// heartbeat sends the messages of lost wake-ups, or a heartbeat if there are none.
func (st *stream) heartbeat(ctx context.Context, src source) (over bool, err error) {
	before := st.sent
	if over, err = src.poll(ctx); err != nil || over || st.sent > before {
		return over, err
	}
	return false, st.send(Frame{Heartbeat: true}, src.sendFrame)
}
