package cli

import (
	"context"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

const (
	// callTimeout is how long one attempt at a call of the Game service may take.
	callTimeout = 15 * time.Second
	// usualAttempts keeps a user whose server is not there waiting for two seconds at most.
	usualAttempts = 5
	maxMessage    = 64 << 20
)

// service is one of the services, at its address.
type service struct {
	name    string
	address string
	timeout time.Duration // of an attempt; 0 for none
	key     string        // sent with every call
}

// dial opens a connection. Nothing is sent before the first call.
func (p *program) dial(at service) (*grpc.ClientConn, error) {
	if !isAddress(at.address) {
		return nil, usagef("%q is no address of a %s service: write host:port", at.address, at.name)
	}
	s, err := p.inForce()
	if err != nil {
		return nil, err
	}
	secured, err := s.security.credentials()
	if err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(at.address,
		grpc.WithTransportCredentials(secured),
		grpc.WithPerRPCCredentials(bearer(at.key)),
		grpc.WithDisableServiceConfig(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
		grpc.WithUnaryInterceptor(p.again(at)),
		grpc.WithStreamInterceptor(at.marked()),
	)
	if err != nil {
		return nil, usagef("%q is no address of a %s service: %s", at.address, at.name, oneLine(err.Error()))
	}
	p.conns = append(p.conns, conn)
	return conn, nil
}

// isAddress tells whether a text is host:port, or names one of gRPC's ways to find a server.
func isAddress(text string) bool {
	for _, scheme := range []string{"dns:", "unix:", "passthrough:"} {
		if strings.HasPrefix(text, scheme) {
			return true
		}
	}
	_, _, err := net.SplitHostPort(text)
	return err == nil
}

// games connects to the Game service as the user, for whom a player is made if he has none yet.
func (p *program) games(ctx context.Context) (gamev1.GameServiceClient, error) {
	conn, err := p.asUser(ctx)
	if err != nil {
		return nil, err
	}
	return gamev1.NewGameServiceClient(conn), nil
}

func (p *program) asUser(ctx context.Context) (*grpc.ClientConn, error) {
	s, err := p.inForce()
	if err != nil {
		return nil, err
	}
	if s.key == "" {
		if err := p.becomePlayer(ctx, s); err != nil {
			return nil, err
		}
	}
	return p.dial(service{name: "Game", address: s.address, timeout: callTimeout, key: s.key})
}

// strangers connects to the player service without a key.
func (p *program) strangers(s *settings) (gamev1.PlayerServiceClient, error) {
	conn, err := p.dial(service{name: "Game", address: s.address, timeout: callTimeout})
	if err != nil {
		return nil, err
	}
	return gamev1.NewPlayerServiceClient(conn), nil
}

// strategies connects to the Strategy service, which needs no key and may think for as long as it likes.
func (p *program) strategies() (strategyv1.StrategyServiceClient, error) {
	s, err := p.inForce()
	if err != nil {
		return nil, err
	}
	conn, err := p.dial(service{name: "Strategy", address: s.strategyAddress})
	if err != nil {
		return nil, err
	}
	return strategyv1.NewStrategyServiceClient(conn), nil
}

// again tries a call several times when its answer does not come. That is safe: a call that changes something
// carries a request id, the same every time; and the two that cannot are not tried again.
func (p *program) again(at service) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any, conn *grpc.ClientConn,
		call grpc.UnaryInvoker, options ...grpc.CallOption,
	) error {
		attempts := p.attempts
		if attempts == 0 {
			attempts = usualAttempts
		}
		for attempt := 1; ; attempt++ {
			err := at.attempt(ctx, func(ctx context.Context) error {
				return call(ctx, method, request, reply, conn, options...)
			})
			if err == nil || attempt >= attempts || ctx.Err() != nil || !mayTryAgain(method, err) {
				return at.failed(err)
			}
			if p.pause(ctx, backoff(attempt, err)) != nil {
				return at.failed(err)
			}
		}
	}
}

func (at service) attempt(ctx context.Context, call func(context.Context) error) error {
	if at.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, at.timeout)
		defer cancel()
	}
	return call(ctx)
}

func mayTryAgain(method string, err error) bool {
	switch method {
	case gamev1.PlayerService_CreatePlayer_FullMethodName, gamev1.PlayerService_RotateKey_FullMethodName:
		return false
	}
	code := status.Code(err)
	return code == codes.Unavailable || code == codes.DeadlineExceeded
}

// marked makes the errors of streams say which service they come from, as those of calls do.
func (at service) marked() grpc.StreamClientInterceptor {
	return func(
		ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
		open grpc.Streamer, options ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		s, err := open(ctx, desc, conn, method, options...)
		if err != nil {
			return nil, at.failed(err)
		}
		return &markedStream{ClientStream: s, at: at}, nil
	}
}

type markedStream struct {
	grpc.ClientStream
	at service
}

func (s *markedStream) RecvMsg(m any) error { return s.at.failed(s.ClientStream.RecvMsg(m)) }

func (at service) failed(err error) error {
	if _, ok := status.FromError(err); err == nil || !ok { // io.EOF is no failure
		return err
	}
	return &callError{at: at, err: err}
}

// backoff is how long to wait after so many failed attempts: doubling, with half of it left to chance so that
// clients which lost the same server do not come back all at once; and no less than the server asked for.
func backoff(attempts int, err error) time.Duration {
	const first, longest = 100 * time.Millisecond, 5 * time.Second
	wait := min(longest, first<<min(attempts-1, 10))
	wait = wait/2 + rand.N(wait/2+1) //nolint:gosec // not a secret
	return max(wait, min(retryDelay(err), 2*longest))
}

// pause waits, and returns an error when ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// bearer is a player's key as it accompanies a call.
type bearer string

var _ credentials.PerRPCCredentials = bearer("")

// GetRequestMetadata returns the header that carries the key.
func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	if b == "" {
		return nil, nil
	}
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity returns false: servers listen on loopback, without TLS, unless told otherwise.
func (b bearer) RequireTransportSecurity() bool { return false }
