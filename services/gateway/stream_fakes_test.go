package gateway

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// sendEmpty is a stream of one empty message.
func sendEmpty(_ context.Context, in proto.Message, send func(proto.Message) error) error {
	switch in.(type) {
	case *gamev1.WatchGameRequest:
		return send(&gamev1.WatchGameResponse{})
	case *gamev1.WatchTurnsRequest:
		return send(&gamev1.WatchTurnsResponse{})
	}
	return send(&strategyv1.AnalyzePositionResponse{})
}
