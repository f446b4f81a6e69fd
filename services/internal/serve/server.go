package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"
	"net"
	"slices"
	"sync"
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

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/intake"
	"github.com/flipside-games/flipside/services/internal/telemetry"
)

const (
	// maxMessageBytes limits the bytes read for one request. It is above MaxRequestBytes so that
	// requests that are a little too large get BODY_TOO_LARGE.
	maxMessageBytes = MaxRequestBytes + 64<<10
	// MaxHeaderBytes limits the headers of a call. Every token fits.
	MaxHeaderBytes = 64 << 10
	// handshakeTimeout limits the setup of a connection.
	handshakeTimeout = 10 * time.Second
	// pingInterval is the keep-alive ping interval of an idle connection.
	pingInterval = time.Minute
	// minPingInterval is the shortest keep-alive ping interval that a client may use.
	minPingInterval = 5 * time.Second
	// maxConnectionAge limits the life of a connection, so that clients also reach new processes.
	// Open calls and streams stay on the old connection until they end.
	maxConnectionAge = 5 * time.Minute
	// cancelGrace is the grace period of calls that Stop has canceled.
	cancelGrace = time.Second
	// numWorkers is the number of goroutines that are reused between calls. A reused goroutine
	// keeps its stack; growing a new one is a fifth of the cost of a small call. Further calls get
	// new goroutines.
	numWorkers = 128
)

// Options are the settings of a server. Fields are required unless marked as optional.
type Options struct {
	// Name is the label of the server in metrics.
	Name     string
	Log      *slog.Logger
	Registry prometheus.Registerer
	// Tracing starts a span for each call. Optional; nil starts none.
	Tracing *telemetry.Tracing
	// RejectHeaders returns an error for a call whose headers show that Authenticate will reject it.
	// It must not block. Optional.
	RejectHeaders func(ctx context.Context, method string) error
	// Authenticate returns the context of a call with its caller. It runs before the request is
	// read. Optional.
	Authenticate func(ctx context.Context, method string) (context.Context, error)
	// Unary is an interceptor that runs after validation. Optional.
	Unary grpc.UnaryServerInterceptor
	// Stopping is the error that ends streams without an end message when the server stops. Optional.
	Stopping *fault.Error
	// EndStreams reports whether the streams of a method have no end message of their own, so that
	// they end when the server stops. Other streams are drained as unary calls are. Optional; nil
	// ends none.
	EndStreams func(method string) bool
	// MaxStreams limits the open calls and streams of one connection. 0 sets no limit.
	MaxStreams int
	// TLS secures connections from the network. Optional; nil leaves them unencrypted.
	TLS *tls.Config
}

// Server serves gRPC services to the network and, through Channel, to other parts of the process.
// Both ways run the same interceptors. It also serves health and, to the network, reflection.
type Server struct {
	in      *interceptors
	network *grpc.Server
	channel *inprocgrpc.Channel
	health  *health.Server

	mu        sync.Mutex
	listeners []*intake.Listener
}

// NewServer returns a server without services.
func NewServer(o Options) (*Server, error) {
	in, err := newInterceptors(o)
	if err != nil {
		return nil, err
	}
	maxStreams := uint32(math.MaxUint32)
	if o.MaxStreams > 0 {
		maxStreams = uint32(min(o.MaxStreams, math.MaxUint32))
	}
	transport := insecure.NewCredentials()
	if o.TLS != nil {
		transport = credentials.NewTLS(o.TLS)
	}
	options := []grpc.ServerOption{
		grpc.Creds(transport),
		grpc.StreamInterceptor(in.stream),
		grpc.InTapHandle(in.tap),
		grpc.UnknownServiceHandler(unknown),
		grpc.RPCDecompressor(noGzip{}), //nolint:staticcheck // There is no other way to remove gzip.
		grpc.NumStreamWorkers(numWorkers),
		grpc.ForceServerCodecV2(codec{encoding.GetCodecV2(proto.Name)}),
		grpc.MaxRecvMsgSize(maxMessageBytes),
		grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.MaxHeaderListSize(MaxHeaderBytes),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.ConnectionTimeout(handshakeTimeout),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: pingInterval, MaxConnectionAge: maxConnectionAge,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			MinTime: minPingInterval, PermitWithoutStream: true,
		}),
	}
	channel := new(inprocgrpc.Channel).WithCloner(inProcessCloner{}).
		WithServerStreamInterceptor(in.stream)
	if o.Tracing.Enabled() {
		options = append(options, grpc.StatsHandler(o.Tracing.ServerStats()))
		channel.WithServerStatsHandler(o.Tracing.ServerStats()).
			WithClientStatsHandler(o.Tracing.ClientStats())
	}
	s := &Server{
		in: in, network: grpc.NewServer(options...), channel: channel, health: health.NewServer(),
	}
	grpc_health_v1.RegisterHealthServer(s, s.health)
	reflection.Register(s.network)
	for service, info := range s.network.GetServiceInfo() {
		in.addMethods(service, info)
	}
	return s, nil
}

// RegisterService implements grpc.ServiceRegistrar.
func (s *Server) RegisterService(desc *grpc.ServiceDesc, service any) {
	desc = new(*desc)
	desc.Methods = slices.Clone(desc.Methods)
	for i := range desc.Methods {
		m := &desc.Methods[i]
		m.Handler = s.in.handler("/"+desc.ServiceName+"/"+m.MethodName, m.Handler)
	}
	s.network.RegisterService(desc, service)
	s.in.addMethods(desc.ServiceName, s.network.GetServiceInfo()[desc.ServiceName])
	s.channel.RegisterService(desc, service)
	s.health.SetServingStatus(desc.ServiceName, grpc_health_v1.HealthCheckResponse_SERVING)
}

// Channel returns a connection to the services for other parts of this process.
func (s *Server) Channel() grpc.ClientConnInterface { return s.channel }

// Serve serves a listener until Stop. It returns nil after Stop.
func (s *Server) Serve(lis net.Listener) error {
	listener := limited(lis)
	s.mu.Lock()
	s.listeners = append(s.listeners, listener)
	s.mu.Unlock()
	if err := s.network.Serve(listener); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// PollHealth calls ready every interval and sets the health of all services by its error. It
// returns when ctx is done.
func (s *Server) PollHealth(
	ctx context.Context, interval time.Duration, ready func(context.Context) error,
) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		readyCtx, cancel := context.WithTimeout(ctx, interval)
		status := grpc_health_v1.HealthCheckResponse_SERVING
		if ready(readyCtx) != nil {
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

// SetNotReady sets the health of all services to NOT_SERVING for good, so that load balancers
// choose other processes. Calls are served as before.
func (s *Server) SetNotReady() { s.health.Shutdown() }

// EndStreams ends all streams without an end message of their own.
func (s *Server) EndStreams() { s.in.endStreams() }

// Stop drains the connections: it accepts no calls and waits for those in flight until ctx is done.
// Then it cancels their contexts, and abandons calls that have not ended after a grace period of
// one second.
func (s *Server) Stop(ctx context.Context) {
	s.EndStreams()
	s.mu.Lock()
	for _, lis := range s.listeners {
		defer closeIdleSoon(lis)()
	}
	s.mu.Unlock()
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
	go s.network.Stop() // It blocks until all calls have ended.
	select {
	case <-stopped:
	case <-time.After(cancelGrace):
	}
}
