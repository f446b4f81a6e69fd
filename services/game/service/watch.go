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
	"github.com/flipside-games/flipside/services/internal/rules"
)

// EndReason is why a stream closes.
type EndReason string

// The reasons.
const (
	EndGameOver     EndReason = "gameOver"
	EndShuttingDown EndReason = "shuttingDown"
	EndTooSlow      EndReason = "tooSlow"
	EndKeyRevoked   EndReason = "keyRevoked"
)

// Frame is what every message of a stream has. HeartbeatInterval is set in the first one only. A message that is
// neither a heartbeat nor an end says something of its own.
type Frame struct {
	Time              time.Time
	HeartbeatInterval time.Duration
	Heartbeat         bool
	End               EndReason
}

// GameMessage is one message of a watched game. Everything up to Version has been sent.
type GameMessage struct {
	Frame
	Version  int
	Snapshot *game.Game
	Event    *game.Event
	Delayed  *game.Delayed
}

// TurnMessage is one message about a player's turns. Everything up to Cursor has been sent. Game is one that waits for
// the player on Side, or, with NoSide, one of his that ended.
type TurnMessage struct {
	Frame
	Cursor TurnCursor
	Game   *game.Game
	Side   rules.Side
}

// TurnCursor is how far a player's turns have been told: all changes up to Change. While the games that waited for him
// at that point are still being listed, Listed is the last of them that was told; afterwards it is "".
type TurnCursor struct {
	Change int64
	Listed string
}

// watcher is what one kind of stream has to say. Its methods are called one at a time.
type watcher interface {
	// begin sends what comes first, if anything does. It reports whether there is no more to come.
	begin(ctx context.Context) (over bool, err error)
	// woken sends what a wake-up is about.
	woken(ctx context.Context, wake game.Wake) (over bool, err error)
	// check sends what a wake-up that was lost would have been about.
	check(ctx context.Context) (over bool, err error)
	// frame sends a message that is nothing but a frame.
	frame(f Frame) error
}

// stream carries the messages of one watcher to one reader. Streams are many and messages frequent, so that its timers
// are not set anew for each: when one fires, it is seen how long there is still to wait.
type stream struct {
	service *Service
	caller  Caller
	opened  time.Time
	// sent counts the messages; the last one was sent when the stream was quietSince old.
	sent       int
	quietSince time.Duration
	// sending is how old the stream was when the message was handed over that waits to be read, 0 for none.
	sending atomic.Int64
	// slow is whether a message waited too long.
	slow bool
}

// deliver sends a message by calling send, and notices a reader who is too slow.
func (st *stream) deliver(send func(Frame) error, f Frame) error {
	f.Time = st.service.now()
	if st.sent == 0 {
		f.HeartbeatInterval = st.service.settings.HeartbeatInterval
	}
	st.sent++
	start := max(1, time.Since(st.opened))
	st.sending.Store(int64(start))
	err := send(f)
	st.sending.Store(0)
	st.quietSince = time.Since(st.opened)
	st.slow = st.slow || st.quietSince-start > st.service.settings.SlowReaderTimeout
	return err
}

// untilStuck is how long the message that waits may still wait, or one that came now: twice as long as makes a reader
// slow.
func (st *stream) untilStuck() time.Duration {
	limit := 2 * st.service.settings.SlowReaderTimeout
	if since := time.Duration(st.sending.Load()); since != 0 {
		return since + limit - time.Since(st.opened)
	}
	return limit
}

// untilBeat is how long the stream may still be quiet.
func (st *stream) untilBeat() time.Duration {
	return st.quietSince + st.service.settings.HeartbeatInterval - time.Since(st.opened)
}

// errStopping ends a stream because the server stops.
var errStopping = errors.New("the server stops")

// watch runs a stream until there is no more to come, the reader leaves, or the server stops. topic is what wakes w.
func (s *Service) watch(ctx context.Context, caller Caller, topic string, open func(*stream) (watcher, error)) error {
	done, err := s.limits.openStream(caller.allowance(), s.now())
	if err != nil {
		return err
	}
	defer done()
	wakes := s.games.feed.Subscribe(topic)
	defer wakes.Close()
	st := &stream{service: s, caller: caller, opened: time.Now()}
	w, err := open(st)
	if err != nil {
		return err
	}
	ended, end := context.WithCancelCause(ctx)
	defer end(nil)
	if !caller.expires.IsZero() {
		var done context.CancelFunc
		ended, done = context.WithDeadlineCause(ended, caller.expires, invalidKey())
		defer done()
	}
	finished := make(chan error, 1)
	// The stream has a goroutine of its own, so that a reader who never reads can be left behind. It does as little as it
	// can, since there are many and their stacks are most of what they take.
	go func() {
		defer func() {
			if p := recover(); p != nil {
				finished <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		finished <- st.run(ctx, ended, w, wakes)
	}()
	return st.guard(ctx, finished, end)
}

// guard ends a stream for other reasons than that there is no more to come, and returns when it has ended.
func (st *stream) guard(ctx context.Context, finished <-chan error, end context.CancelCauseFunc) error {
	revoked := st.service.games.feed.Subscribe(game.KeyTopic(st.caller.Player.ID))
	defer revoked.Close()
	stuck := time.NewTimer(st.untilStuck())
	defer stuck.Stop()
	for stop := st.service.stop; ; {
		select {
		case err := <-finished:
			return err
		case <-stop:
			end(errStopping)
			stop = nil
		case <-revoked.C():
			if err := st.service.stillValid(ctx, st.caller); err != nil {
				end(err)
			}
		case <-stuck.C:
			left := st.untilStuck()
			if left <= 0 {
				// There is no way to say that he is too slow to a reader who does not read.
				return context.DeadlineExceeded
			}
			stuck.Reset(left)
		}
	}
}

// run sends what w has to say until there is no more to come or the stream is ended; ctx is that of the reader.
func (st *stream) run(ctx, ended context.Context, w watcher, wakes game.Subscription) error {
	beat := time.NewTimer(st.service.settings.HeartbeatInterval)
	defer beat.Stop()

	over, err := w.begin(ctx)
	if err == nil && !over && st.sent == 0 {
		err = st.deliver(w.frame, Frame{Heartbeat: true})
	}
	for err == nil {
		if over {
			return st.deliver(w.frame, Frame{End: EndGameOver})
		}
		if st.slow {
			return st.deliver(w.frame, Frame{End: EndTooSlow})
		}
		select {
		case wake := <-wakes.C():
			over, err = w.woken(ctx, wake)
		case <-beat.C:
			// A key may have been replaced in another process, which a stream that is never quiet would not notice.
			if err = st.service.stillValid(ctx, st.caller); err == nil && st.untilBeat() <= 0 {
				over, err = st.beat(ctx, w)
			}
			beat.Reset(st.untilBeat())
		case <-ended.Done():
			err = context.Cause(ended)
		}
	}
	switch {
	case errors.Is(err, errStopping):
		return st.deliver(w.frame, Frame{End: EndShuttingDown})
	case fault.ReasonOf(err) == fault.InvalidKey:
		return st.deliver(w.frame, Frame{End: EndKeyRevoked})
	}
	return err
}

// beat looks for what was missed, and says that the stream is alive when there is nothing.
func (st *stream) beat(ctx context.Context, w watcher) (over bool, err error) {
	before := st.sent
	if over, err = w.check(ctx); err != nil || over || st.sent > before {
		return over, err
	}
	return false, st.deliver(w.frame, Frame{Heartbeat: true})
}

// WatchGame sends a snapshot of a game and then every event that follows, or, where after is given, every
// event after that version. It returns when the game ends, after saying so.
func (s *Service) WatchGame(ctx context.Context, caller Caller, id string, after *int, send func(GameMessage) error) error {
	if _, err := s.Game(ctx, caller, id); err != nil {
		return err
	}
	return s.watch(ctx, caller, game.GameTopic(id), func(st *stream) (watcher, error) {
		// What changes from here on wakes the stream.
		g, err := s.Game(ctx, caller, id)
		if err == nil && after != nil && *after > g.Version {
			err = notReached(g, *after).At("afterVersion")
		}
		return &gameWatcher{stream: st, id: id, start: &g, after: after, send: send}, err
	})
}

// gameWatcher tells the events of one game. start is the game as it was when the stream opened, for begin alone; sent is the
// version up to which its events were told.
type gameWatcher struct {
	stream *stream
	id     string
	start  *game.Game
	after  *int
	sent   int
	// live is whether what comes now is news, and not what the reader had missed before he came.
	live bool
	send func(GameMessage) error
}

func (w *gameWatcher) begin(ctx context.Context) (over bool, err error) {
	g := w.start
	w.start = nil
	defer func() { w.live = true }()
	if w.after == nil {
		w.sent = g.Version
		return g.State.Over(), w.say(GameMessage{Version: g.Version, Snapshot: g})
	}
	w.sent = *w.after
	if over, err := w.catchUp(ctx, g.Version); over || err != nil {
		return over, err
	}
	return g.State.Over(), nil
}

func (w *gameWatcher) woken(ctx context.Context, wake game.Wake) (over bool, err error) {
	if wake.Missed {
		over, err = w.check(ctx)
	} else {
		over, err = w.catchUp(ctx, wake.Version)
	}
	if wake.Delayed == nil || wake.Version != w.sent || w.stream.slow || err != nil {
		return over, err
	}
	return over, w.say(GameMessage{Version: w.sent, Delayed: wake.Delayed})
}

func (w *gameWatcher) check(ctx context.Context) (over bool, err error) {
	g, err := w.stream.service.Game(ctx, w.stream.caller, w.id)
	if err != nil {
		return false, err
	}
	return w.catchUp(ctx, g.Version)
}

// eventPage is how many events are read at a time.
const eventPage = 100

// catchUp tells the events up to a version, as far as there are any: a wake-up is a hint, and what it says may be wrong.
func (w *gameWatcher) catchUp(ctx context.Context, version int) (over bool, err error) {
	for w.sent < version && !w.stream.slow {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		events, err := w.stream.service.games.eventsUpTo(ctx, w.id, w.sent, version, eventPage)
		if err != nil {
			return false, w.stream.service.away(err)
		}
		if len(events) == 0 {
			return over, nil
		}
		for i := range events {
			w.sent = events[i].Version
			if w.live {
				w.stream.service.metrics.lag.Observe(w.stream.service.now().Sub(events[i].Time).Seconds())
			}
			if err := w.say(GameMessage{Version: w.sent, Event: &events[i]}); err != nil {
				return false, err
			}
			over = events[i].Finished != nil || events[i].Aborted != nil
			if w.stream.slow {
				return false, nil
			}
		}
	}
	return over, nil
}

func (w *gameWatcher) say(m GameMessage) error {
	return w.stream.deliver(func(f Frame) error { m.Frame = f; return w.send(m) }, Frame{})
}

func (w *gameWatcher) frame(f Frame) error { return w.send(GameMessage{Frame: f, Version: w.sent}) }

// WatchTurns sends a message for every game that waits for the caller, then one whenever a game of his comes to wait
// or ends. after is the cursor to resume at; nil begins with all that wait.
func (s *Service) WatchTurns(ctx context.Context, caller Caller, after *TurnCursor, send func(TurnMessage) error) error {
	return s.watch(ctx, caller, game.PlayerTopic(caller.Player.ID), func(st *stream) (watcher, error) {
		return &turnWatcher{stream: st, after: after, send: send}, nil
	})
}

// turnWatcher tells the turns of one player. cursor is up to where they were told.
type turnWatcher struct {
	stream *stream
	after  *TurnCursor
	cursor TurnCursor
	send   func(TurnMessage) error
}

// turnPage is how many games are looked at in one read.
const turnPage = 100

func (w *turnWatcher) begin(ctx context.Context) (over bool, err error) {
	if w.cursor.Change, err = w.stream.service.games.Cursor(ctx); err != nil {
		return false, w.stream.service.away(err)
	}
	if w.after != nil && w.after.Change > w.cursor.Change {
		// What happens up to there would not be told.
		return false, fault.New(fault.InvalidField, "no message has had this cursor yet").At("afterCursor")
	}
	if w.after != nil {
		w.cursor = *w.after
	}
	if w.after == nil || w.cursor.Listed != "" {
		if err := w.list(ctx); err != nil || w.stream.slow {
			return false, err
		}
	}
	return w.check(ctx)
}

// list tells the games that wait, the newest first, from where the cursor stands.
func (w *turnWatcher) list(ctx context.Context) error {
	me := w.stream.caller.Player.ID
	filter := game.Filter{Player: me, Viewer: me, State: game.StateActive, Before: w.cursor.Listed, Limit: turnPage}
	for {
		found, err := w.stream.service.games.Games(ctx, filter)
		if err != nil {
			return w.stream.service.away(err)
		}
		for i := range found {
			filter.Before = found[i].ID
			w.cursor.Listed = filter.Before
			if len(found) < turnPage && i == len(found)-1 {
				w.cursor.Listed = ""
			}
			if err := w.tell(&found[i]); err != nil || w.stream.slow {
				return err
			}
		}
		if len(found) < turnPage {
			w.cursor.Listed = ""
			return nil
		}
	}
}

func (w *turnWatcher) woken(ctx context.Context, _ game.Wake) (over bool, err error) {
	return w.check(ctx)
}

func (w *turnWatcher) check(ctx context.Context) (over bool, err error) {
	for {
		found, err := w.stream.service.games.Turns(ctx, w.stream.caller.Player.ID, w.cursor.Change, turnPage)
		if err != nil {
			return false, w.stream.service.away(err)
		}
		for i := range found {
			w.cursor.Change = found[i].Cursor
			if err := w.tell(&found[i].Game); err != nil || w.stream.slow {
				return false, err
			}
		}
		if len(found) < turnPage {
			return false, nil
		}
	}
}

// tell sends a game if it waits for the player or has ended.
func (w *turnWatcher) tell(g *game.Game) error {
	m := TurnMessage{Cursor: w.cursor, Game: g, Side: g.Turn()}
	if waits := m.Side != rules.NoSide && g.Seats.Of(m.Side).Player == w.stream.caller.Player.ID; !waits && !g.State.Over() {
		return nil
	}
	return w.stream.deliver(func(f Frame) error { m.Frame = f; return w.send(m) }, Frame{})
}

func (w *turnWatcher) frame(f Frame) error { return w.send(TurnMessage{Frame: f, Cursor: w.cursor}) }
