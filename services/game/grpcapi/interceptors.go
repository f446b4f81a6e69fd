package grpcapi

import (
	"context"
	"strings"

	"google.golang.org/grpc"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game/service"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// The headers that identify the caller.
const (
	authorizationHeader = "authorization"
	onBehalfOfHeader    = "flipside-on-behalf-of"
)

type callerKey struct{}

// caller returns the authenticated caller.
func caller(ctx context.Context) service.Caller {
	c, _ := ctx.Value(callerKey{}).(service.Caller)
	return c
}

// player returns the authenticated caller, or an error for a service key without a user.
func player(ctx context.Context) (service.Caller, error) {
	c := caller(ctx)
	if c.Player.ID == "" {
		return c, fault.Invalid("a service key needs the external id of a user").At(onBehalfOfHeader)
	}
	return c, nil
}

// needsKey reports whether a method needs a key. CreatePlayer, PreviewGame and the services of
// other packages do not.
func needsKey(method string) bool {
	return strings.HasPrefix(method, "/flipside.") &&
		method != gamev1.PlayerService_CreatePlayer_FullMethodName &&
		method != gamev1.GameService_PreviewGame_FullMethodName
}

// key returns the key in the headers of a call, or "".
func key(ctx context.Context) string {
	return serve.BearerKey(serve.Header(ctx, authorizationHeader))
}

// RejectHeaders returns an error for a call without a key or with one that cannot be valid. It does
// not block.
func (s *Server) RejectHeaders(ctx context.Context, method string) error {
	if !needsKey(method) {
		return nil
	}
	return s.service.CheckKey(key(ctx))
}

// Authenticate returns a context with the caller of a call.
func (s *Server) Authenticate(ctx context.Context, method string) (context.Context, error) {
	if !needsKey(method) {
		return ctx, nil
	}
	c, err := s.service.Authenticate(ctx, service.Credentials{
		Key:            key(ctx),
		OnBehalfOf:     serve.Header(ctx, onBehalfOfHeader),
		Address:        func() string { return s.proxies.ClientAddress(ctx) },
		LimitedAddress: s.proxies.LimitedAddress(ctx),
	})
	if err != nil {
		return ctx, err
	}
	serve.TrustConnection(ctx)
	return context.WithValue(ctx, callerKey{}, c), nil
}

// Unary is the interceptor of unary calls. It charges the weight of the call to the caller, and
// replaces the answer of GetGame by its cached encoding, a [serve.EncodedMessage].
func (s *Server) Unary(
	ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (any, error) {
	if !needsKey(info.FullMethod) {
		return next(ctx, req)
	}
	by, weight := caller(ctx), serve.WeightOf(info.FullMethod, req)
	before := weight.Before(req)
	if err := s.service.Weigh(by, before); err != nil {
		return nil, err
	}
	answer, err := next(ctx, req)
	s.service.Settle(by, before, weight.Total(answer))
	if got, ok := answer.(*gamev1.GetGameResponse); ok && err == nil {
		g := got.GetGame()
		key := messageKey{kind: gameMessage, game: g.GetId(), version: int(g.GetVersion())}
		if cached, ok := s.messages.Get(key); ok && cached.message == g {
			return cached.encoded, nil
		}
	}
	return answer, err
}
