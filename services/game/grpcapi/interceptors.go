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
		return c, fault.New(fault.InvalidField, "a service key needs the external id of a user").
			At(onBehalfOfHeader)
	}
	return c, nil
}

// authenticate returns a context with the caller. Calls that need no key pass, and so do services
// of other packages.
func (s *Server) authenticate(ctx context.Context, method string) (context.Context, error) {
	own := strings.HasPrefix(method, "/flipside.")
	if !own || method == gamev1.PlayerService_CreatePlayer_FullMethodName {
		return ctx, nil
	}
	scheme, key, _ := strings.Cut(serve.Header(ctx, authorizationHeader), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		key = ""
	}
	c, err := s.service.Authenticate(ctx, strings.TrimSpace(key), serve.Header(ctx, onBehalfOfHeader))
	return context.WithValue(ctx, callerKey{}, c), err
}

// Unary is the interceptor of unary calls: authentication, then shared encoding. Its answer can be
// a [serve.EncodedMessage].
func (s *Server) Unary(
	ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (any, error) {
	return s.authenticateUnary(ctx, req, info, func(ctx context.Context, req any) (any, error) {
		return s.shareEncoding(ctx, req, info, next)
	})
}

func (s *Server) authenticateUnary(
	ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (any, error) {
	ctx, err := s.authenticate(ctx, info.FullMethod)
	if err != nil {
		return nil, err
	}
	return next(ctx, req)
}

// shareEncoding replaces the answer of GetGame by its cached encoding.
func (s *Server) shareEncoding(
	ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (any, error) {
	answer, err := next(ctx, req)
	if got, ok := answer.(*gamev1.GetGameResponse); ok && err == nil {
		g := got.GetGame()
		key := messageKey{kind: gameMessage, game: g.GetId(), version: int(g.GetVersion())}
		if cached, ok := s.messages.Get(key); ok && cached.message == g {
			return cached.encoded, nil
		}
	}
	return answer, err
}

// Stream is the interceptor of streams: authentication.
func (s *Server) Stream(
	srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler,
) error {
	return next(srv, &authStream{stream, s, info.FullMethod, stream.Context()})
}

// authStream authenticates the caller after it received the request, since an invalid request is
// rejected first.
type authStream struct {
	grpc.ServerStream
	server *Server
	method string
	ctx    context.Context
}

func (s *authStream) Context() context.Context { return s.ctx }

func (s *authStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	ctx, err := s.server.authenticate(s.ctx, s.method)
	s.ctx = ctx
	return err
}
