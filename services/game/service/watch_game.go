package service

import (
	"context"

	"github.com/flipside-games/flipside/services/game"
)

// GameMessage is one message of a watched game. The reader has all events up to Version.
type GameMessage struct {
	Frame
	Version  int
	Snapshot *game.Game
	Event    *game.Event
	// Missed marks an event from before the stream was opened.
	Missed   bool
	Delayed  *game.Delayed
	Thinking *game.Thinking
}

// WatchGame sends a snapshot of a game and every event that follows, or every event after a version
// if after is set. It sends a final message and returns when the game is over.
func (s *Service) WatchGame(
	ctx context.Context, caller Caller, id string, after *int, send func(GameMessage) error,
) error {
	return s.watch(ctx, caller, game.GameTopic(id), func(st *stream) (source, error) {
		// The stream is subscribed: changes after this read wake it.
		g, err := s.Game(ctx, caller, id)
		if err == nil && after != nil && *after > g.Version {
			err = errFutureVersion(g, *after).At("afterVersion")
		}
		if err != nil {
			return nil, err
		}
		return &gameSource{
			stream: st, id: id, first: &g, after: after, page: eventPage(g), deliver: send,
		}, nil
	})
}

// gameSource produces the messages of one game.
type gameSource struct {
	stream *stream
	id     string
	// first is the game when the stream opened, nil after start.
	first   *game.Game
	after   *int
	version int
	page    int // the number of events in one read
	// live reports that events are new. Events that the reader missed earlier do not count as lag.
	live    bool
	deliver func(GameMessage) error
}

func (s *gameSource) start(ctx context.Context) (over bool, err error) {
	g := s.first
	s.first = nil
	defer func() { s.live = true }()
	if s.after == nil {
		s.version = g.Version
		return g.State.Over(), s.send(GameMessage{Version: g.Version, Snapshot: g})
	}
	s.version = *s.after
	over, err = s.sendEvents(ctx, g.Version)
	return over || g.State.Over(), err
}

func (s *gameSource) wake(ctx context.Context, wake game.Wake) (over bool, err error) {
	if wake.Missed {
		over, err = s.poll(ctx)
	} else {
		over, err = s.sendEvents(ctx, wake.Version)
	}
	if err != nil || over || wake.Version != s.version {
		return over, err
	}
	if wake.Delayed != nil && !s.stream.slow {
		err = s.send(GameMessage{Version: s.version, Delayed: wake.Delayed})
	}
	if wake.Thinking != nil && !s.stream.slow && err == nil {
		err = s.send(GameMessage{Version: s.version, Thinking: wake.Thinking})
	}
	return false, err
}

func (s *gameSource) poll(ctx context.Context) (over bool, err error) {
	g, err := s.stream.service.Game(ctx, s.stream.caller, s.id)
	if err != nil {
		return false, err
	}
	return s.sendEvents(ctx, g.Version)
}

// maxEventPage and eventPageBytes limit one read of events. Every event of a game is at most about as
// large as the game.
const (
	maxEventPage   = 100
	eventPageBytes = 256 << 10
)

// eventPage returns the number of events of a game in one read.
func eventPage(g game.Game) int { return max(1, min(maxEventPage, eventPageBytes/g.Bytes())) }

// sendEvents sends the events up to a version. The version of a wake-up is a hint: it may be too
// high.
func (s *gameSource) sendEvents(ctx context.Context, version int) (over bool, err error) {
	service := s.stream.service
	for s.version < version && !s.stream.slow {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		events, err := service.games.eventsUpTo(ctx, s.id, s.version, version, s.page)
		if err != nil || len(events) == 0 {
			return over, service.storeError(err)
		}
		for _, e := range events {
			s.version = e.Version
			if err := s.send(GameMessage{Version: s.version, Event: e, Missed: !s.live}); err != nil {
				return false, err
			}
			over = e.Finished != nil || e.Aborted != nil
			if s.stream.slow {
				return false, nil
			}
		}
	}
	return over, nil
}

func (s *gameSource) send(m GameMessage) error {
	m.Frame = s.stream.stamp(m.Frame)
	if s.live && m.Event != nil {
		s.stream.service.lag.Observe(m.Time.Sub(m.Event.Time).Seconds())
	}
	return s.stream.sent(s.deliver(m))
}

func (s *gameSource) sendFrame(f Frame) error {
	return s.send(GameMessage{Frame: f, Version: s.version})
}
