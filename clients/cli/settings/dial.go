package settings

import (
	"context"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
	flipside "github.com/flipside-games/flipside/clients/go"
)

// DefaultAttempts makes a call to a server that is down give up after two seconds at most.
const DefaultAttempts = 5

// Service is a service to connect to.
type Service struct {
	Name    string // Game or Strategy
	Address string
	Timeout time.Duration // of each attempt of a call; 0 is no limit
	Key     string        // sent with every call; "" sends none
}

// Dialer connects to services and closes the connections in the end.
type Dialer struct {
	Retry flipside.Retry

	conns []*grpc.ClientConn
}

// Dial returns a connection that retries failed calls. It sends nothing before the first call.
// Errors of calls are [render.CallError].
func (d *Dialer) Dial(to Service, t TLS) (*grpc.ClientConn, error) {
	if err := to.CheckAddress(); err != nil {
		return nil, err
	}
	config, err := t.config()
	if err != nil {
		return nil, err
	}
	if !t.Enabled {
		config = nil
	}
	conn, err := flipside.Dial(to.Address, flipside.ConnOptions{
		TLS: config, Key: func() string { return to.Key }, Timeout: to.Timeout, Retry: &d.Retry,
		More: []grpc.DialOption{
			grpc.WithUnaryInterceptor(to.unary()), grpc.WithStreamInterceptor(to.stream),
		},
	})
	if err != nil {
		return nil, Usagef("%q is not an address of a %s service: %s",
			to.Address, to.Name, render.OneLine(err.Error()))
	}
	d.conns = append(d.conns, conn)
	return conn, nil
}

// Close closes all connections. Dial can open new ones.
func (d *Dialer) Close() {
	for _, conn := range d.conns {
		_ = conn.Close()
	}
	d.conns = nil
}

// CheckAddress returns a UsageError unless the address is host:port or has a scheme of gRPC's name
// resolution.
func (to Service) CheckAddress() error {
	for _, scheme := range []string{"dns:", "unix:", "passthrough:"} {
		if strings.HasPrefix(to.Address, scheme) {
			return nil
		}
	}
	if _, _, err := net.SplitHostPort(to.Address); err != nil {
		return Usagef("%q is not an address of a %s service: use host:port", to.Address, to.Name)
	}
	return nil
}

func (to Service) unary() grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any, conn *grpc.ClientConn,
		invoke grpc.UnaryInvoker, options ...grpc.CallOption,
	) error {
		return to.wrap(invoke(ctx, method, request, reply, conn, options...))
	}
}

func (to Service) stream(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, conn, method, options...)
	if err != nil {
		return nil, to.wrap(err)
	}
	return &serviceStream{ClientStream: s, service: to}, nil
}

type serviceStream struct {
	grpc.ClientStream
	service Service
}

func (s *serviceStream) RecvMsg(m any) error { return s.service.wrap(s.ClientStream.RecvMsg(m)) }

// wrap adds the service to the error of a call. io.EOF stays: it has no status.
func (to Service) wrap(err error) error {
	if _, ok := status.FromError(err); err == nil || !ok {
		return err
	}
	return &render.CallError{Service: to.Name, Address: to.Address, Err: err}
}
