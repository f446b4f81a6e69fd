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

// The headers that say who calls.
const (
	authorizationHeader = "authorization"
	onBehalfOfHeader    = "flipside-on-behalf-of"
)

type callerKey struct{}

// caller returns who makes the call, as the interceptors found out.
func caller(ctx context.Context) service.Caller {
	c, _ := ctx.Value(callerKey{}).(service.Caller)
	return c
}

// player returns who makes the call, and refuses a service key that names nobody to act for.
func player(ctx context.Context) (service.Caller, error) {
	c := caller(ctx)
	if c.Player.ID == "" {
		return c, fault.New(fault.InvalidField, "say on whose behalf the service key acts").At(onBehalfOfHeader)
	}
	return c, nil
}

// authenticate returns a context that knows the caller. Calls that need no key, and services that are not Flipside's, pass.
func (s *Server) authenticate(ctx context.Context, method string) (context.Context, error) {
	if !strings.HasPrefix(method, "/flipside.") {
		return ctx, nil
	}
	if method == gamev1.PlayerService_CreatePlayer_FullMethodName {
		return ctx, s.service.AdmitNewcomer(s.proxies.origin(ctx))
	}
	scheme, key, _ := strings.Cut(serve.Header(ctx, authorizationHeader), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		key = ""
	}
	who, err := s.service.Authenticate(ctx, strings.TrimSpace(key), serve.Header(ctx, onBehalfOfHeader))
	if err != nil {
		return ctx, err
	}
	if err := s.service.Admit(who); err != nil {
		return ctx, err
	}
	return context.WithValue(ctx, callerKey{}, who), nil
}

// AuthUnary returns the interceptor that finds out who makes a unary call. Its answer may be a serve.EncodedMessage.
func (s *Server) AuthUnary() grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		ctx, err := s.authenticate(ctx, info.FullMethod)
		if err != nil {
			return nil, err
		}
		answer, err := next(ctx, req)
		return s.share(answer), err
	}
}

// AuthStream returns the interceptor that finds out who opens a stream.
func (s *Server) AuthStream() grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		return next(srv, &authStream{ServerStream: stream, server: s, method: info.FullMethod, ctx: stream.Context()})
	}
}

// authStream finds out who opens a stream once its request was received, since a request that is not well formed is
// refused first.
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
