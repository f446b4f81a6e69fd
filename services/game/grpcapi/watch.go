package grpcapi

import (
	"strconv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

var endReasons = wire.NewEnum(map[service.EndReason]gamev1.EndReason{
	service.EndGameOver:     gamev1.EndReason_END_REASON_GAME_OVER,
	service.EndShuttingDown: gamev1.EndReason_END_REASON_SHUTTING_DOWN,
	service.EndTooSlow:      gamev1.EndReason_END_REASON_TOO_SLOW,
	service.EndKeyRevoked:   gamev1.EndReason_END_REASON_KEY_REVOKED,
})

// WatchGame implements gamev1.GameServiceServer.
func (s *Server) WatchGame(
	req *gamev1.WatchGameRequest, stream gamev1.GameService_WatchGameServer,
) error {
	var after *int
	if req.AfterVersion != nil {
		after = new(int(req.GetAfterVersion()))
	}
	ctx := stream.Context()
	by := caller(ctx)
	// Another goroutine, with a small stack, sends the messages. Sending the header here keeps that
	// stack small.
	if err := stream.SendHeader(metadata.MD{}); err != nil {
		return err
	}
	send := func(m service.GameMessage) error {
		out, err := s.watchMessage(m)
		if err != nil {
			return err
		}
		if m.Missed {
			s.service.Charge(by, 1+m.Event.Bytes()>>10)
		}
		return stream.SendMsg(out)
	}
	return s.service.WatchGame(ctx, by, req.GetGameId(), after, send)
}

// maxMessageAge is the age up to which watchers get a cached message. Its time is off by as much.
const maxMessageAge = 100 * time.Millisecond

// watchMessage converts a message of a watched game. Watchers share one encoding of a snapshot, an
// event or a report of a robot.
func (s *Server) watchMessage(m service.GameMessage) (any, error) {
	key := messageKey{version: m.Version, first: m.HeartbeatInterval > 0}
	switch {
	case m.Snapshot != nil:
		key.kind, key.game = watchedSnapshot, m.Snapshot.ID
	case m.Event != nil:
		key.kind, key.game = watchedEvent, m.Event.GameID
	case m.Thinking != nil:
		key.kind, key.thinking = watchedThinking, m.Thinking
	default:
		return s.gameMessage(m)
	}
	if cached, ok := s.messages.Get(key); ok && m.Time.Sub(cached.created) < maxMessageAge {
		return cached.encoded, nil
	}
	out, err := s.gameMessage(m)
	if err != nil {
		return nil, err
	}
	encoded := serve.NewEncodedMessage(out)
	s.messages.Put(key, cachedMessage{message: out, encoded: encoded, created: m.Time})
	return encoded, nil
}

func (s *Server) gameMessage(m service.GameMessage) (*gamev1.WatchGameResponse, error) {
	out := &gamev1.WatchGameResponse{Version: int32(m.Version), Time: timestamppb.New(m.Time)}
	if m.HeartbeatInterval > 0 {
		out.HeartbeatInterval = durationpb.New(m.HeartbeatInterval)
	}
	switch {
	case m.Snapshot != nil:
		out.Message = &gamev1.WatchGameResponse_Snapshot{Snapshot: s.game(*m.Snapshot)}
	case m.Event != nil:
		event, err := s.event(m.Event)
		if err != nil {
			return nil, err
		}
		out.Message = &gamev1.WatchGameResponse_Event{Event: event}
	case m.Delayed != nil:
		out.Message = &gamev1.WatchGameResponse_RobotDelayed{RobotDelayed: &gamev1.RobotDelayed{
			Side:      wire.Side(m.Delayed.Side),
			Attempt:   int32(m.Delayed.Attempt),
			RetryTime: timestamppb.New(m.Delayed.Retry),
		}}
	case m.Thinking != nil:
		out.Message = &gamev1.WatchGameResponse_RobotThinking{RobotThinking: &gamev1.RobotThinking{
			Side:     wire.Side(m.Thinking.Side),
			Analysis: readStored(m.Thinking.Analysis, &strategyv1.Analysis{}),
		}}
	case m.Heartbeat:
		out.Message = &gamev1.WatchGameResponse_Heartbeat{Heartbeat: &gamev1.Heartbeat{}}
	default:
		out.Message = &gamev1.WatchGameResponse_End{End: &gamev1.End{Reason: endReasons.ToWire[m.End]}}
	}
	return out, nil
}

// WatchTurns implements gamev1.GameServiceServer.
func (s *Server) WatchTurns(
	req *gamev1.WatchTurnsRequest, stream gamev1.GameService_WatchTurnsServer,
) error {
	ctx := stream.Context()
	by, err := player(ctx)
	if err != nil {
		return err
	}
	after, err := readCursor(req.GetAfterCursor())
	if err != nil {
		return err
	}
	return s.service.WatchTurns(ctx, by, after, func(m service.TurnMessage) error {
		if m.Cursor.Listed != "" && m.Game != nil {
			s.service.Charge(by, 1+m.Game.Bytes()>>10)
		}
		return stream.Send(turnMessage(by, m))
	})
}

// readCursor parses a cursor that cursorText has formatted; "" is nil.
func readCursor(text string) (*service.TurnCursor, error) {
	if text == "" {
		return nil, nil
	}
	invalid := fault.Invalid("not the cursor of an earlier message").At("afterCursor")
	changes, listed, _ := strings.Cut(text, ".")
	if _, err := ulid.ParseStrict(listed); listed != "" && err != nil {
		return nil, invalid
	}
	cursor := &service.TurnCursor{Listed: listed}
	for change := range strings.SplitSeq(changes, "_") {
		n, err := strconv.ParseInt(change, 10, 64)
		if err != nil || n < 0 {
			return nil, invalid
		}
		cursor.Changes = append(cursor.Changes, n)
	}
	return cursor, nil
}

// cursorText formats a cursor: the numbers of the changes and, while games are listed, the last
// listed id: 57.01k4x…, or with two shards 57_60.01k4x….
func cursorText(c service.TurnCursor) string {
	var numbers []string
	for _, change := range c.Changes {
		numbers = append(numbers, strconv.FormatInt(change, 10))
	}
	text := strings.Join(numbers, "_")
	if c.Listed != "" {
		text += "." + c.Listed
	}
	return text
}

func turnMessage(by service.Caller, m service.TurnMessage) *gamev1.WatchTurnsResponse {
	out := &gamev1.WatchTurnsResponse{Cursor: cursorText(m.Cursor), Time: timestamppb.New(m.Time)}
	if m.HeartbeatInterval > 0 {
		out.HeartbeatInterval = durationpb.New(m.HeartbeatInterval)
	}
	switch {
	case m.Game != nil && m.Game.State.Over():
		out.Message = &gamev1.WatchTurnsResponse_GameOver{GameOver: gameOver(m.Game)}
	case m.Game != nil:
		out.Message = &gamev1.WatchTurnsResponse_Turn{Turn: turnNotice(m.Game, by.Player.ID, m.Side)}
	case m.Heartbeat:
		out.Message = &gamev1.WatchTurnsResponse_Heartbeat{Heartbeat: &gamev1.Heartbeat{}}
	default:
		out.Message = &gamev1.WatchTurnsResponse_End{End: &gamev1.End{Reason: endReasons.ToWire[m.End]}}
	}
	return out
}

func turnNotice(g *game.Game, player string, side rules.Side) *gamev1.TurnNotice {
	return &gamev1.TurnNotice{
		GameId: g.ID, PlayerId: player, Side: wire.Side(side), Version: int32(g.Version),
		Deadline: timestamp(g.Deadline()), Invitation: g.State == game.StateWaiting,
	}
}

func gameOver(g *game.Game) *gamev1.GameOver {
	return &gamev1.GameOver{GameId: g.ID, Outcome: outcome(g.Outcome), Version: int32(g.Version)}
}
