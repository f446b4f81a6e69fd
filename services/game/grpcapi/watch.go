package grpcapi

import (
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/wire"
)

var endReasons = wire.NewNames(map[game.EndReason]gamev1.EndReason{
	game.EndGameOver:     gamev1.EndReason_END_REASON_GAME_OVER,
	game.EndShuttingDown: gamev1.EndReason_END_REASON_SHUTTING_DOWN,
	game.EndTooSlow:      gamev1.EndReason_END_REASON_TOO_SLOW,
	game.EndKeyRevoked:   gamev1.EndReason_END_REASON_KEY_REVOKED,
})

// WatchGame implements gamev1.GameServiceServer.
func (s *Server) WatchGame(req *gamev1.WatchGameRequest, stream gamev1.GameService_WatchGameServer) error {
	var after *int
	if req.AfterVersion != nil {
		after = new(int(req.GetAfterVersion()))
	}
	ctx := stream.Context()
	return s.service.WatchGame(ctx, caller(ctx), req.GetGameId(), after, func(m game.GameMessage) error {
		out, err := s.gameMessage(m)
		if err != nil {
			return err
		}
		return stream.SendMsg(out)
	})
}

// gameMessage writes a message of a watched game.
func (s *Server) gameMessage(m game.GameMessage) (any, error) {
	if m.Event != nil && m.HeartbeatInterval == 0 {
		return s.told(*m.Event, m.Time)
	}
	out := &gamev1.WatchGameResponse{Version: int32(m.Version), Time: timestamppb.New(m.Time)}
	if m.HeartbeatInterval > 0 {
		out.HeartbeatInterval = durationpb.New(m.HeartbeatInterval)
	}
	switch {
	case m.Snapshot != nil:
		out.Message = &gamev1.WatchGameResponse_Snapshot{Snapshot: s.game(*m.Snapshot)}
	case m.Event != nil:
		event, err := s.event(*m.Event)
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
	case m.Heartbeat:
		out.Message = &gamev1.WatchGameResponse_Heartbeat{Heartbeat: &gamev1.Heartbeat{}}
	default:
		out.Message = &gamev1.WatchGameResponse_End{End: &gamev1.End{Reason: endReasons.Values[m.End]}}
	}
	return out, nil
}

// WatchTurns implements gamev1.GameServiceServer.
func (s *Server) WatchTurns(req *gamev1.WatchTurnsRequest, stream gamev1.GameService_WatchTurnsServer) error {
	ctx := stream.Context()
	who, err := player(ctx)
	if err != nil {
		return err
	}
	after, err := readCursor(req.GetAfterCursor())
	if err != nil {
		return err
	}
	return s.service.WatchTurns(ctx, who, after, func(m game.TurnMessage) error { return stream.Send(turnMessage(who, m)) })
}

// readCursor reads a cursor as cursorText writes it; "" is none.
func readCursor(text string) (*game.TurnCursor, error) {
	if text == "" {
		return nil, nil
	}
	change, listed, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(change, 10, 64)
	if _, listErr := ulid.ParseStrict(listed); listed != "" && listErr != nil {
		err = listErr
	}
	if err != nil || n < 0 {
		return nil, fault.New(fault.InvalidField, "not a cursor of an earlier message").At("afterCursor")
	}
	return &game.TurnCursor{Change: n, Listed: listed}, nil
}

// cursorText writes a cursor: the number of the change and, while games are being listed, the last one, as 57.01k4x….
func cursorText(c game.TurnCursor) string {
	text := strconv.FormatInt(c.Change, 10)
	if c.Listed != "" {
		text += "." + c.Listed
	}
	return text
}

func turnMessage(who game.Caller, m game.TurnMessage) *gamev1.WatchTurnsResponse {
	out := &gamev1.WatchTurnsResponse{Cursor: cursorText(m.Cursor), Time: timestamppb.New(m.Time)}
	if m.HeartbeatInterval > 0 {
		out.HeartbeatInterval = durationpb.New(m.HeartbeatInterval)
	}
	switch {
	case m.Game != nil && m.Game.State.Over():
		out.Message = &gamev1.WatchTurnsResponse_GameOver{GameOver: &gamev1.GameOver{
			GameId: m.Game.ID, Outcome: outcome(m.Game.Outcome), Version: int32(m.Game.Version),
		}}
	case m.Game != nil:
		out.Message = &gamev1.WatchTurnsResponse_Turn{Turn: &gamev1.TurnNotice{
			GameId: m.Game.ID, PlayerId: who.Player.ID, Side: wire.Side(m.Side), Version: int32(m.Game.Version),
		}}
	case m.Heartbeat:
		out.Message = &gamev1.WatchTurnsResponse_Heartbeat{Heartbeat: &gamev1.Heartbeat{}}
	default:
		out.Message = &gamev1.WatchTurnsResponse_End{End: &gamev1.End{Reason: endReasons.Values[m.End]}}
	}
	return out
}
