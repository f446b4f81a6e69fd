package service

import (
	"context"
	"slices"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// TurnMessage is one message about a player's turns. The reader has all turns up to Cursor. Game is
// a game in which the player is to move on Side, a waiting game with an invitation to Side, or a
// game of the player that ended, with NoSide.
type TurnMessage struct {
	Frame
	Cursor TurnCursor
	Game   *game.Game
	Side   rules.Side
}

// TurnCursor is a position in the stream of a player's turns: after all changes up to a number in
// each shard of the store. While the stream lists the games that waited for the player at that
// point, Listed is the id of the last listed game; afterwards it is "".
type TurnCursor struct {
	Changes []int64
	Listed  string
}

// WatchTurns sends a message for every game in which the caller is to move or is invited, then one
// for every new turn and invitation and every change of a game of the caller that has ended. It
// resumes after a cursor, or starts with the games that wait if after is nil. It misses nothing; a
// stream that resumes may repeat the last messages, with the same versions of their games.
func (s *Service) WatchTurns(
	ctx context.Context, caller Caller, after *TurnCursor, send func(TurnMessage) error,
) error {
	return s.watch(ctx, caller, game.PlayerTopic(caller.Player.ID), func(st *stream) (source, error) {
		return &turnSource{stream: st, after: after, deliver: send}, nil
	})
}

// turnSource produces the messages about the turns of one player.
type turnSource struct {
	stream  *stream
	after   *TurnCursor
	cursor  TurnCursor
	deliver func(TurnMessage) error
	// sent maps the games whose last change is after the cursor to the versions that were sent.
	sent map[string]int
}

// turnPage is the number of games in one read. A large game takes a hundred kilobytes.
const turnPage = 25

func (s *turnSource) start(ctx context.Context) (over bool, err error) {
	service := s.stream.service
	if s.cursor.Changes, err = service.games.Settled(ctx); err != nil {
		return false, service.storeError(err)
	}
	if s.after != nil {
		if !s.after.reached(s.cursor.Changes) {
			return false, fault.Invalid("no message has had this cursor yet").At("afterCursor")
		}
		s.cursor = TurnCursor{Changes: slices.Clone(s.after.Changes), Listed: s.after.Listed}
	}
	if s.after == nil || s.cursor.Listed != "" {
		if err := s.list(ctx); err != nil || s.stream.slow {
			return false, err
		}
	}
	return s.poll(ctx)
}

// reached reports whether all changes up to the cursor are settled. A stream that resumes after
// another cursor would skip changes.
func (c TurnCursor) reached(settled []int64) bool {
	if len(c.Changes) != len(settled) {
		return false
	}
	for shard, change := range c.Changes {
		if change > settled[shard] {
			return false
		}
	}
	return true
}

// list sends the games that wait for the player, newest first, from the cursor on.
func (s *turnSource) list(ctx context.Context) error {
	service, player := s.stream.service, s.stream.caller.Player.ID
	filter := game.Filter{
		Player: player, Viewer: player, States: []game.State{game.StateWaiting, game.StateActive},
		Before: s.cursor.Listed, Limit: turnPage,
	}
	for {
		found, err := service.games.Games(ctx, filter)
		if err != nil {
			return service.storeError(err)
		}
		last := len(found) < turnPage
		for i := range found {
			filter.Before = found[i].ID
			s.cursor.Listed = filter.Before
			if last && i == len(found)-1 {
				s.cursor.Listed = ""
			}
			if err := s.sendGame(&found[i]); err != nil || s.stream.slow {
				return err
			}
		}
		if last {
			s.cursor.Listed = ""
			return nil
		}
	}
}

func (s *turnSource) wake(ctx context.Context, _ game.Wake) (over bool, err error) {
	return s.poll(ctx)
}

// poll sends the games that changed after the cursor, and moves the cursor to the last changes that
// were settled at the start. The games after it come again in the next poll, which skips them.
func (s *turnSource) poll(ctx context.Context) (over bool, err error) {
	sent := map[string]int{}
	for shard := range s.cursor.Changes {
		if err := s.pollShard(ctx, shard, sent); err != nil || s.stream.slow {
			return false, err
		}
	}
	s.sent = sent
	return false, nil
}

// pollShard is poll for one shard. It adds the games with changes that are not settled to sent.
func (s *turnSource) pollShard(ctx context.Context, shard int, sent map[string]int) error {
	service, player := s.stream.service, s.stream.caller.Player.ID
	cursor, settled := &s.cursor.Changes[shard], int64(-1)
	for after, more := *cursor, true; more; {
		found, upTo, err := service.games.Turns(ctx, player, shard, after, turnPage)
		if err != nil {
			return service.storeError(err)
		}
		if settled < 0 {
			settled = upTo
		}
		for i, c := range found {
			after = c.Change
			if i+1 == len(found) || found[i+1].Change > after {
				*cursor = max(*cursor, min(after, settled))
			}
			if after > settled {
				sent[c.Game.ID] = c.Game.Version
			}
			if s.sent[c.Game.ID] == c.Game.Version {
				continue
			}
			if err := s.sendGame(&found[i].Game); err != nil || s.stream.slow {
				return err
			}
		}
		more = len(found) >= turnPage
	}
	*cursor = max(*cursor, settled)
	return nil
}

// position returns a copy of the cursor.
func (s *turnSource) position() TurnCursor {
	return TurnCursor{Changes: slices.Clone(s.cursor.Changes), Listed: s.cursor.Listed}
}

// sendGame sends a game if it waits for the player or is over.
func (s *turnSource) sendGame(g *game.Game) error {
	m := TurnMessage{Cursor: s.position(), Game: g, Side: g.WaitsFor(s.stream.caller.Player.ID)}
	if m.Side == rules.NoSide && !g.State.Over() {
		return nil
	}
	return s.send(m)
}

func (s *turnSource) send(m TurnMessage) error {
	m.Frame = s.stream.stamp(m.Frame)
	return s.stream.sent(s.deliver(m))
}

func (s *turnSource) sendFrame(f Frame) error {
	return s.send(TurnMessage{Frame: f, Cursor: s.position()})
}
