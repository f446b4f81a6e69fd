package grpcapi

import (
	"context"
	"encoding/json"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/webhooks"
)

// SetWebhook implements gamev1.PlayerServiceServer.
func (s *Server) SetWebhook(
	ctx context.Context, req *gamev1.SetWebhookRequest,
) (*gamev1.SetWebhookResponse, error) {
	w, err := s.service.SetWebhook(ctx, caller(ctx), req.GetUrl(), req.GetNewSecret())
	if err != nil {
		return nil, err
	}
	return &gamev1.SetWebhookResponse{Webhook: webhookMessage(w), Secret: w.Secret}, nil
}

// GetWebhook implements gamev1.PlayerServiceServer.
func (s *Server) GetWebhook(
	ctx context.Context, _ *gamev1.GetWebhookRequest,
) (*gamev1.GetWebhookResponse, error) {
	w, err := s.service.Webhook(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	return &gamev1.GetWebhookResponse{Webhook: webhookMessage(w)}, nil
}

// DeleteWebhook implements gamev1.PlayerServiceServer.
func (s *Server) DeleteWebhook(
	ctx context.Context, _ *gamev1.DeleteWebhookRequest,
) (*gamev1.DeleteWebhookResponse, error) {
	return &gamev1.DeleteWebhookResponse{}, s.service.DeleteWebhook(ctx, caller(ctx))
}

func webhookMessage(w *game.Webhook) *gamev1.Webhook {
	if w == nil {
		return nil
	}
	m := &gamev1.Webhook{
		Url: w.URL, CreateTime: timestamp(w.Created), Disabled: w.Disabled,
		Failures: int32(w.Failures), LastFailure: w.LastFailure,
		FailingSince: timestamp(w.FailingSince),
	}
	if !w.Disabled {
		m.RetryTime = timestamp(w.NextAttempt)
	}
	return m
}

// The types of the messages to webhooks.
const (
	turnType       = "game.turn"
	invitationType = "game.invitation"
	overType       = "game.over"
)

// WebhookBody returns the body of the request to a webhook with a notice: type, timestamp and data,
// which is a TurnNotice or a GameOver in the JSON format of the API.
func WebhookBody(n webhooks.Notice) ([]byte, error) {
	kind, message := turnType, proto.Message(turnNotice(n.Game, n.Player, n.Side))
	switch {
	case n.Game.State.Over():
		kind, message = overType, gameOver(n.Game)
	case n.Game.State == game.StateWaiting:
		kind = invitationType
	}
	data, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(message)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Type      string          `json:"type"`
		Timestamp time.Time       `json:"timestamp"`
		Data      json.RawMessage `json:"data"`
	}{kind, n.Game.Updated.UTC(), data})
}
