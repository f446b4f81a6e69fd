package service_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing/synctest"

	"github.com/flipside-games/flipside/services/game/service"
)

// recorder records the messages of a stream that runs in the background, each in a word or two.
type recorder struct {
	cancel   context.CancelFunc
	mu       sync.Mutex
	messages []string
	ended    bool
	err      error
}

func (r *recorder) record(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = append(r.messages, message)
}

func (r *recorder) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended, r.err = true, err
}

// all returns the messages once all goroutines are idle.
func (r *recorder) all() string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.messages, " ")
}

// result reports whether the stream has ended once all goroutines are idle, and with which error.
func (r *recorder) result() (ended bool, err error) {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended, r.err
}

// wantMessages fails the test unless the stream has had these messages.
func (f *fixture) wantMessages(r *recorder, want ...string) {
	f.Helper()
	if got := r.all(); got != strings.Join(want, " ") {
		f.Errorf("after %v\ngot  %s\nwant %s", f.elapsed(), got, strings.Join(want, " "))
	}
}

// wantEnd fails the test unless the stream has ended, and returns its error.
func (f *fixture) wantEnd(r *recorder) error {
	f.Helper()
	ended, err := r.result()
	if !ended {
		f.Errorf("after %v the stream has not ended: %s", f.elapsed(), r.all())
	}
	return err
}

// wholeGame returns the messages of a game from its first event to its last.
func wholeGame(events int) string {
	var b strings.Builder
	for version := range events {
		fmt.Fprintf(&b, "event@%d ", version+1)
	}
	fmt.Fprintf(&b, "end:gameOver@%d", events)
	return b.String()
}

// watch watches a game after a version, or from a snapshot on. receive, which may be nil, receives
// each message.
func (f *fixture) watch(
	c service.Caller, id string, receive func(service.GameMessage) error, after ...int,
) *recorder {
	return f.record(func(ctx context.Context, r *recorder) error {
		var from *int
		if len(after) > 0 {
			from = &after[0]
		}
		return f.WatchGame(ctx, c, id, from, func(m service.GameMessage) error {
			r.record(gameText(m))
			if receive == nil {
				return nil
			}
			return receive(m)
		})
	})
}

// watchTurns watches the turns of a player, after a cursor if there is one.
func (f *fixture) watchTurns(
	c service.Caller, receive func(service.TurnMessage) error, after ...service.TurnCursor,
) *recorder {
	return f.record(func(ctx context.Context, r *recorder) error {
		var from *service.TurnCursor
		if len(after) > 0 {
			from = &after[0]
		}
		return f.WatchTurns(ctx, c, from, func(m service.TurnMessage) error {
			r.record(turnText(m))
			if receive == nil {
				return nil
			}
			return receive(m)
		})
	})
}

// record runs a stream in the background.
func (f *fixture) record(run func(context.Context, *recorder) error) *recorder {
	ctx, cancel := context.WithCancel(f.Context())
	r := &recorder{cancel: cancel}
	go func() { r.end(run(ctx, r)) }()
	return r
}

func gameText(m service.GameMessage) string {
	switch {
	case m.Snapshot != nil:
		return fmt.Sprintf("snapshot@%d", m.Version)
	case m.Event != nil:
		return fmt.Sprintf("event@%d", m.Version)
	case m.Delayed != nil:
		return fmt.Sprintf("delayed%d@%d", m.Delayed.Attempt, m.Version)
	case m.Thinking != nil:
		return fmt.Sprintf("thinking%s@%d", m.Thinking.Analysis, m.Version)
	}
	return fmt.Sprintf("%s@%d", frameText(m.Frame), m.Version)
}

func turnText(m service.TurnMessage) string {
	switch {
	case m.Game != nil && m.Game.State.Over():
		return "over"
	case m.Game != nil:
		return fmt.Sprintf("turn@%d", m.Game.Version)
	}
	return frameText(m.Frame)
}

func frameText(f service.Frame) string {
	if f.Heartbeat {
		return "heartbeat"
	}
	return "end:" + string(f.End)
}
