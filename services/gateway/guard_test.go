package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// Strategy trusts its network: the gateway lets only calls with a valid key pass.
func TestStrategyNeedsAKey(t *testing.T) {
	failGetMe := func(reason fault.Reason) func(context.Context, proto.Message) (proto.Message, error) {
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
		reason  fault.Reason // of the error of GetMe
		request request
		status  int
	}{
		"invalid key":                {fault.InvalidKey, choose, http.StatusUnauthorized},
		"invalid key for a stream":   {fault.InvalidKey, post("/v1/positions:analyze", `{}`), http.StatusUnauthorized},
		"too many calls":             {fault.RateLimited, choose, http.StatusTooManyRequests},
		"service key without a user": {fault.InvalidField, choose, http.StatusOK},
		"key of a player, with a user": {fault.InvalidField, post("/v1/positions:chooseMove",
			`{"strategy":{"level":"LEVEL_EASY"}}`, "Flipside-On-Behalf-Of", "ann"), http.StatusBadRequest},
		"public call": {fault.InvalidKey, get("/v1/strategies"), http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			s := &services{unary: failGetMe(tt.reason), stream: sendEmpty}
			if a := do(t, start(t, s), tt.request); a.StatusCode != tt.status {
				t.Errorf("status %d %s, want %d", a.StatusCode, a.body, tt.status)
			}
			if method := s.last(t).method; tt.status != http.StatusOK && !strings.Contains(method, "GetMe") {
				t.Errorf("the call reached %s", method)
			}
		})
	}
}

// A valid key is cached for a second. A revoked key fails after that.
func TestKeysAreCachedForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks, revoked := 0, false
		s := &services{unary: func(_ context.Context, in proto.Message) (proto.Message, error) {
			if _, ok := in.(*gamev1.GetMeRequest); ok {
				if checks++; revoked {
					return nil, serve.Status(fault.New(fault.InvalidKey, "no")).Err()
				}
				return &gamev1.GetMeResponse{Player: &gamev1.Player{Id: "ann"}}, nil
			}
			return &strategyv1.ListPositionMovesResponse{}, nil
		}}
		g := newGateway(t, s)
		strategy := strategyv1.NewStrategyServiceClient(g.backends[1])
		call := func(headers ...string) fault.Reason {
			ctx := metadata.NewOutgoingContext(t.Context(), metadata.Pairs(headers...))
			_, err := strategy.ListPositionMoves(ctx, &strategyv1.ListPositionMovesRequest{})
			return reasonOf(err)
		}
		for range 3 {
			call("authorization", "Bearer a")
		}
		call("authorization", "Bearer b")
		call("authorization", "Bearer a", "flipside-on-behalf-of", "ann")
		if checks != 3 {
			t.Errorf("GetMe was called %d times, want once for each of 3 callers", checks)
		}
		revoked = true
		time.Sleep(sessionTime + time.Millisecond)
		if reason := call("authorization", "Bearer a"); reason != fault.InvalidKey {
			t.Errorf("revoked key: reason %q, want INVALID_KEY", reason)
		}
	})
}

func TestStrategyCallsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGateway(t, &services{}, func(o *Options) { o.CallRates.Caller = 2 })
		strategy := strategyv1.NewStrategyServiceClient(g.backends[1])
		call := func() fault.Reason {
			_, err := strategy.ChooseMove(t.Context(), &strategyv1.ChooseMoveRequest{})
			return reasonOf(err)
		}
		for range 4 {
			if reason := call(); reason != "" {
				t.Errorf("call within the burst: reason %q", reason)
			}
		}
		if reason := call(); reason != fault.RateLimited {
			t.Errorf("call 5: reason %q, want RATE_LIMITED", reason)
		}
		time.Sleep(2 * time.Second)
		if reason := call(); reason != "" {
			t.Errorf("call after a pause: reason %q", reason)
		}
	})
}

// One address has a quota for all its keys. Service keys and other addresses do not count against it.
func TestStrategyCallsOfAnAddressAreLimited(t *testing.T) {
	s := &services{unary: func(ctx context.Context, in proto.Message) (proto.Message, error) {
		if _, ok := in.(*gamev1.GetMeRequest); ok {
			headers, _ := metadata.FromIncomingContext(ctx)
			return &gamev1.GetMeResponse{Player: &gamev1.Player{Id: headers.Get("authorization")[0]}}, nil
		}
		return &strategyv1.ListPositionMovesResponse{}, nil
	}}
	g := start(t, s, func(o *Options) {
		// One call, and the next after a long time.
		o.CallRates = callquota.Rates{Caller: 0.001, Address: 0.001}
		o.Proxies = serve.Proxies{netip.MustParsePrefix("127.0.0.0/8")}
	})
	call := func(key, address string, more ...string) response {
		headers := append([]string{"Authorization", "Bearer " + key, "X-Forwarded-For", address}, more...)
		return do(t, g, post("/v1/positions:legalMoves", `{}`, headers...))
	}
	const user = "Flipside-On-Behalf-Of"
	for _, tt := range []struct {
		name   string
		got    response
		status int
	}{
		{"the first call", call("a", "192.0.2.1"), http.StatusOK},
		{"another key", call("b", "192.0.2.1"), http.StatusTooManyRequests},
		{"another address", call("b", "192.0.2.2"), http.StatusOK},
		{"a service key", call("c", "192.0.2.1", user, "ann"), http.StatusOK},
		{"a proxy that forwards no address", call("d", ""), http.StatusOK},
		{"the proxy again", call("e", ""), http.StatusOK},
	} {
		if tt.got.StatusCode != tt.status {
			t.Errorf("%s: status %d %s, want %d", tt.name, tt.got.StatusCode, tt.got.body, tt.status)
		}
	}
}

// A long list of moves counts as several calls.
func TestStrategyCallsAreWeighed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := []*rulesv1.LegalMove{{Notation: strings.Repeat("n", 200<<10)}}
		s := &services{unary: func(_ context.Context, in proto.Message) (proto.Message, error) {
			if _, ok := in.(*gamev1.GetMeRequest); ok {
				return &gamev1.GetMeResponse{}, nil
			}
			return &strategyv1.ListPositionMovesResponse{Moves: long}, nil
		}}
		g := newGateway(t, s, func(o *Options) { o.CallRates.Caller = 100 })
		strategy := strategyv1.NewStrategyServiceClient(g.backends[1])
		call := func() fault.Reason {
			_, err := strategy.ListPositionMoves(t.Context(), &strategyv1.ListPositionMovesRequest{PageSize: 10})
			return reasonOf(err)
		}
		if reason := call(); reason != "" {
			t.Errorf("the first call: reason %q", reason)
		}
		if reason := call(); reason != fault.RateLimited {
			t.Errorf("the second call: reason %q, want RATE_LIMITED", reason)
		}
		time.Sleep(time.Second)
		if reason := call(); reason != "" {
			t.Errorf("a call after a pause: reason %q", reason)
		}
	})
}

// reasonOf returns the reason in a status error, or "".
func reasonOf(err error) fault.Reason { return fault.Reason(serve.Reason(status.Convert(err))) }
