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
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
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
func (s *Server) WatchGame(req *gamev1.WatchGameRequest, stream gamev1.GameService_WatchGameServer) error {
	var after *int
	if req.AfterVersion != nil {
		after = new(int(req.GetAfterVersion()))
	}
	ctx := stream.Context()
	// The header is sent here, and not with the first message, because that is sent from a goroutine whose stack is small.
	if err := stream.SendHeader(metadata.MD{}); err != nil {
		return err
	}
	return s.service.WatchGame(ctx, caller(ctx), req.GetGameId(), after, func(m service.GameMessage) error {
		out, err := s.tell(m)
		if err != nil {
			return err
		}
		return stream.SendMsg(out)
	})
}

// toldKey is what watchers are told: an event or a snapshot, in the first message or a later one.
type toldKey struct {
	game            string
	version         int
	snapshot, first bool
}

// heldMessage is what watchers were told at some time.
type heldMessage struct {
	message *serve.EncodedMessage
	at      time.Time
}

// moment is how long a message is still told as if it were new.
const moment = 100 * time.Millisecond

// tell writes a message of a watched game. All who watch it get the same, while its time is about right.
func (s *Server) tell(m service.GameMessage) (any, error) {
	key := toldKey{version: m.Version, snapshot: m.Snapshot != nil, first: m.HeartbeatInterval > 0}
	switch {
	case m.Snapshot != nil:
		key.game = m.Snapshot.ID
	case m.Event != nil:
		key.game = m.Event.GameID
	default:
		return s.gameMessage(m)
	}
	if held, ok := s.told.get(key); ok && m.Time.Sub(held.at) < moment {
		return held.message, nil
	}
	out, err := s.gameMessage(m)
	if err != nil {
		return nil, err
	}
	shared := serve.NewEncodedMessage(out)
	s.told.put(key, heldMessage{shared, m.Time})
	return shared, nil
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
		out.Message = &gamev1.WatchGameResponse_End{End: &gamev1.End{Reason: endReasons.ToWire[m.End]}}
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
	return s.service.WatchTurns(ctx, who, after, func(m service.TurnMessage) error { return stream.Send(turnMessage(who, m)) })
}

// readCursor reads a cursor as cursorText writes it; "" is none.
func readCursor(text string) (*service.TurnCursor, error) {
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
	return &service.TurnCursor{Change: n, Listed: listed}, nil
}

// cursorText writes a cursor: the number of the change and, while games are being listed, the last one, as 57.01k4x….
func cursorText(c service.TurnCursor) string {
	text := strconv.FormatInt(c.Change, 10)
	if c.Listed != "" {
		text += "." + c.Listed
	}
	return text
}

func turnMessage(who service.Caller, m service.TurnMessage) *gamev1.WatchTurnsResponse {
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
			Deadline: timestamp(m.Game.Deadline()),
		}}
	case m.Heartbeat:
		out.Message = &gamev1.WatchTurnsResponse_Heartbeat{Heartbeat: &gamev1.Heartbeat{}}
	default:
		out.Message = &gamev1.WatchTurnsResponse_End{End: &gamev1.End{Reason: endReasons.ToWire[m.End]}}
	}
	return out
}
