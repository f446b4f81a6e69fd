package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"
	"net"
	"time"

	"github.com/fullstorydev/grpchan/inprocgrpc"
	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"github.com/flipside-games/flipside/services/internal/telemetry"
)

const (
	// largestRequest bounds a request in bytes: more than any that is well formed.
	largestRequest = 1 << 20
	// largestMessage is what is read off the network at all. Up to it a request that is too large is told so with its reason.
	largestMessage = 4 * largestRequest
	// MaxHeaderBytes bounds the headers of a call in bytes: more than any token takes.
	MaxHeaderBytes = 64 << 10
	// handshakeTime is how long a connection may take to be set up.
	handshakeTime = 10 * time.Second
)

// workers is how many goroutines are kept for calls. One that has served a call has the stack that the next one needs; growing a
// fresh one is a fifth of what a small call costs. When all are busy, calls get goroutines of their own.
const workers = 128

// connectionAge is how long a caller stays on one connection. The next one may lead him to a process that was not there
// before. What is under way stays where it is, streams too, for as long as they like.
const connectionAge = 5 * time.Minute

// Options is what a server is made of.
type Options struct {
	// Name tells servers of one process apart in metrics.
	Name     string
	Log      *slog.Logger
	Registry prometheus.Registerer
	// Tracing makes spans of calls; nil makes none.
	Tracing *telemetry.Tracing
	// Unary and Stream come between the checks that every server makes and the service; either may be nil.
	Unary  grpc.UnaryServerInterceptor
	Stream grpc.StreamServerInterceptor
	// MaxStreams is how many calls and streams one connection may have open; 0 is any number.
	MaxStreams int
	// TLS secures connections from the network; nil leaves them open.
	TLS *tls.Config
}

// Server serves services over a network, and to other parts of the same process through Channel, with the same
// interceptors both ways. It also answers for its health and for what it offers.
type Server struct {
	network *grpc.Server
	channel *inprocgrpc.Channel
	health  *health.Server
}

// NewServer returns a server without services.
func NewServer(o Options) (*Server, error) {
	in, err := NewInterceptors(o.Name, o.Log, o.Registry)
	if err != nil {
		return nil, err
	}
	unary, stream := in.Unary(), in.Stream()
	if o.Unary != nil {
		unary = chainUnary(unary, o.Unary)
	}
	if o.Stream != nil {
		stream = chainStream(stream, o.Stream)
	}
	maxStreams := uint32(math.MaxUint32)
	if o.MaxStreams > 0 {
		maxStreams = uint32(min(o.MaxStreams, math.MaxUint32))
	}
	secured := insecure.NewCredentials()
	if o.TLS != nil {
		secured = credentials.NewTLS(o.TLS)
	}
	options := []grpc.ServerOption{
		grpc.Creds(secured),
		grpc.UnaryInterceptor(unary),
		grpc.StreamInterceptor(stream),
		grpc.InTapHandle(expectRequest),
		grpc.NumStreamWorkers(workers),
		grpc.ForceServerCodecV2(codec{encoding.GetCodecV2(proto.Name)}),
		grpc.MaxRecvMsgSize(largestMessage),
		grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.MaxHeaderListSize(MaxHeaderBytes),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.ConnectionTimeout(handshakeTime),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: time.Minute, MaxConnectionAge: connectionAge}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
	}
	channel := (&inprocgrpc.Channel{}).WithServerUnaryInterceptor(unary).WithServerStreamInterceptor(stream).
		WithCloner(handover{})
	if o.Tracing.Enabled() {
		options = append(options, grpc.StatsHandler(o.Tracing.ServerStats()))
		channel.WithServerStatsHandler(o.Tracing.ServerStats()).WithClientStatsHandler(o.Tracing.ClientStats())
	}
	s := &Server{network: grpc.NewServer(options...), channel: channel, health: health.NewServer()}
	grpc_health_v1.RegisterHealthServer(s, s.health)
	reflection.Register(s.network)
	return s, nil
}

// RegisterService implements grpc.ServiceRegistrar.
func (s *Server) RegisterService(desc *grpc.ServiceDesc, service any) {
	s.network.RegisterService(desc, service)
	s.channel.RegisterService(desc, service)
	s.health.SetServingStatus(desc.ServiceName, grpc_health_v1.HealthCheckResponse_SERVING)
}

// Channel returns a connection to the services for other parts of this process.
func (s *Server) Channel() grpc.ClientConnInterface { return s.channel }

// Serve answers calls from the network until Stop.
func (s *Server) Serve(lis net.Listener) error {
	if err := s.network.Serve(lis); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// PollHealth asks ready now and then, until ctx ends, and tells who asks for the server's health what it said.
func (s *Server) PollHealth(ctx context.Context, interval time.Duration, ready func(context.Context) error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		asked, cancel := context.WithTimeout(ctx, interval)
		status := grpc_health_v1.HealthCheckResponse_SERVING
		if ready(asked) != nil {
			status = grpc_health_v1.HealthCheckResponse_NOT_SERVING
		}
		cancel()
		s.health.SetServingStatus("", status)
		for service := range s.network.GetServiceInfo() {
			s.health.SetServingStatus(service, status)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// SetNotReady tells who asks for the server's health to go elsewhere. Calls are answered as before.
func (s *Server) SetNotReady() { s.health.Shutdown() }

// lastWords is how long calls may take to end that were told to.
const lastWords = time.Second

// Stop takes no more calls and waits for those under way, until ctx ends. Then it ends their contexts, and leaves behind
// what does not listen.
func (s *Server) Stop(ctx context.Context) {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		s.network.GracefulStop()
	}()
	select {
	case <-stopped:
		return
	case <-ctx.Done():
	}
	go s.network.Stop() // It waits for all as well.
	select {
	case <-stopped:
	case <-time.After(lastWords):
	}
}

func chainUnary(outer, inner grpc.UnaryServerInterceptor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		return outer(ctx, req, info, func(ctx context.Context, req any) (any, error) { return inner(ctx, req, info, next) })
	}
}

func chainStream(outer, inner grpc.StreamServerInterceptor) grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		return outer(srv, stream, info, func(srv any, stream grpc.ServerStream) error { return inner(srv, stream, info, next) })
	}
}
