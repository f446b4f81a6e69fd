package gateway

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// Strategy trusts its network, so that nobody may come to it through the gateway without a key that Game knows.
func TestStrategyIsReachedOnlyWithAKey(t *testing.T) {
	refusal := func(reason fault.Reason) func(context.Context, proto.Message) (proto.Message, error) {
		return func(_ context.Context, in proto.Message) (proto.Message, error) {
			switch in.(type) {
			case *gamev1.GetMeRequest:
				return nil, serve.Status(fault.New(reason, "no")).Err()
			case *strategyv1.ListStrategiesRequest:
				return &strategyv1.ListStrategiesResponse{}, nil
			}
			return &strategyv1.ChooseMoveResponse{}, nil
		}
	}
	choose := post("/v1/positions:chooseMove", `{"strategy":{"level":"LEVEL_EASY"}}`)
	for name, tt := range map[string]struct {
		refusal fault.Reason
		request request
		status  int
	}{
		"no valid key":                         {fault.InvalidKey, choose, http.StatusUnauthorized},
		"no valid key for a stream":            {fault.InvalidKey, post("/v1/positions:analyze", `{}`), http.StatusUnauthorized},
		"too many calls":                       {fault.RateLimited, choose, http.StatusTooManyRequests},
		"a service key that acts for nobody":   {fault.InvalidField, choose, http.StatusOK},
		"what everybody may know, with no key": {fault.InvalidKey, get("/v1/strategies"), http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			s := &services{unary: refusal(tt.refusal), stream: sendEmpty}
			if a := do(t, start(t, s), tt.request); a.StatusCode != tt.status {
				t.Errorf("%d %s, want %d", a.StatusCode, a.body, tt.status)
			}
			if reached := s.last(t).method; tt.status != http.StatusOK && !strings.Contains(reached, "GetMe") {
				t.Errorf("%s was reached", reached)
			}
		})
	}
}
