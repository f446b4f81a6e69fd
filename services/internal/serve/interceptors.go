package serve

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// RequestIDHeader carries the id that ties the log lines of one call together.
const RequestIDHeader = "x-request-id"

// Interceptors is what surrounds every call of a server, unary or stream.
type Interceptors struct {
	log     *slog.Logger
	checker *Checker
	calls   *prometheus.HistogramVec
	refused *prometheus.CounterVec
	under   prometheus.Gauge
	open    *prometheus.GaugeVec
	// unnamed has a place for each stream of gRPC's own services that may be open, for which nobody says who he is.
	unnamed chan struct{}
}

// unnamedStreams is how many such streams a server has at most.
const unnamedStreams = 1000

// NewInterceptors returns the interceptors of the server named service. Their metrics go to registry.
func NewInterceptors(service string, log *slog.Logger, registry prometheus.Registerer) (*Interceptors, error) {
	checker, err := NewChecker()
	if err != nil {
		return nil, err
	}
	in := &Interceptors{
		log:     log,
		checker: checker,
		unnamed: make(chan struct{}, unnamedStreams),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:        "flipside_call_seconds",
			Help:        "How long finished calls took, by method and status code. Streams count until they close.",
			ConstLabels: prometheus.Labels{"service": service},
			Buckets:     []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60},
		}, []string{"method", "code"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name:        "flipside_failed_calls_total",
			Help:        "Calls that did not succeed, by method, status code and reason; the reason of a failure is empty.",
			ConstLabels: prometheus.Labels{"service": service},
		}, []string{"method", "code", "reason"}),
		under: prometheus.NewGauge(prometheus.GaugeOpts{
			Name:        "flipside_calls_in_flight",
			Help:        "Calls that are not answered yet, streams not included.",
			ConstLabels: prometheus.Labels{"service": service},
		}),
		open: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name:        "flipside_open_streams",
			Help:        "Streams that are open now, by method.",
			ConstLabels: prometheus.Labels{"service": service},
		}, []string{"method"}),
	}
	for _, c := range []prometheus.Collector{in.calls, in.refused, in.under, in.open} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// Unary returns the interceptor of unary calls.
func (in *Interceptors) Unary() grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
		start := time.Now()
		arrived(ctx)
		in.under.Inc()
		defer in.under.Dec()
		defer func() { err = in.finish(ctx, call{info.FullMethod, start, req}, err, recover()) }()
		if err := in.check(req); err != nil {
			return nil, err
		}
		return next(ctx, req)
	}
}

// Stream returns the interceptor of streams.
func (in *Interceptors) Stream() grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
		start := time.Now()
		checked := &checkedStream{ServerStream: stream, in: in}
		open := in.open.WithLabelValues(info.FullMethod)
		open.Inc()
		defer open.Dec()
		defer func() {
			err = in.finish(stream.Context(), call{info.FullMethod, start, checked.request}, err, recover())
		}()
		if strings.HasPrefix(info.FullMethod, "/grpc.") {
			select {
			case in.unnamed <- struct{}{}:
				defer func() { <-in.unnamed }()
			default:
				return fault.New(fault.TooManyStreams, "too many open streams: at most %d to all", unnamedStreams).
					With("limit", unnamedStreams).RetryIn(time.Second)
			}
		}
		return next(srv, checked)
	}
}

// checkedStream checks the request of a server stream as it is received.
type checkedStream struct {
	grpc.ServerStream
	in      *Interceptors
	request any
}

func (s *checkedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	arrived(s.Context())
	s.request = m
	return s.in.check(m)
}

func (in *Interceptors) check(req any) error {
	if m, ok := req.(proto.Message); ok {
		if isUnreadable(m) {
			return fault.New(fault.InvalidField, "the bytes are not a request of this call")
		}
		return in.checker.Check(m)
	}
	return nil
}

// call is what is known of a call before it is answered.
type call struct {
	method  string
	start   time.Time
	request any
}

// finish turns what came of a call into its status, and writes the one line in the log that every call gets.
func (in *Interceptors) finish(ctx context.Context, c call, err error, panicked any) error {
	if panicked != nil {
		in.log.ErrorContext(ctx, "panic", "method", c.method, "requestId", requestID(ctx),
			"panic", panicked, "stack", string(debug.Stack()))
		err = status.Error(codes.Internal, "internal error")
	}
	if err != nil && panicked == nil && ctx.Err() != nil && fault.ReasonOf(err) == "" {
		err = ctx.Err() // whatever failed did so because the caller is gone
	}
	s := Status(err)
	took := time.Since(c.start)
	in.calls.WithLabelValues(c.method, s.Code().String()).Observe(took.Seconds())
	if s.Code() != codes.OK {
		in.refused.WithLabelValues(c.method, s.Code().String(), known(Reason(s))).Inc()
	}
	level := slog.LevelInfo
	switch {
	case failed(s):
		level = slog.LevelError
	case c.method == grpc_health_v1.Health_Check_FullMethodName && s.Code() == codes.OK:
		level = slog.LevelDebug // Probes come every few seconds for as long as the server runs.
	}
	if in.log.Enabled(ctx, level) {
		in.log.LogAttrs(ctx, level, "call", summary(ctx, c, s, took, err)...)
	}
	return s.Err()
}

// known returns the reason if it is one of ours: what others say must not become ever new metrics.
func known(reason string) string {
	if _, ok := statusCodes[fault.Reason(reason)]; ok {
		return reason
	}
	return ""
}

// failed reports whether the server is to blame, and not the caller.
func failed(s *status.Status) bool {
	return s.Code() == codes.Internal || s.Code() == codes.Unknown || s.Code() == codes.DataLoss
}

// summary is what the log says of a call. The cause of an internal error is for the log alone.
func summary(ctx context.Context, c call, s *status.Status, took time.Duration, cause error) []slog.Attr {
	fields := append(make([]slog.Attr, 0, 7), // In one piece, since every call needs them.
		slog.String("method", c.method),
		slog.String("code", s.Code().String()),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("requestId", requestID(ctx)),
	)
	if reason := Reason(s); reason != "" {
		fields = append(fields, slog.String("reason", reason))
	}
	if game, ok := c.request.(interface{ GetGameId() string }); ok {
		fields = append(fields, slog.String("gameId", game.GetGameId()))
	}
	if failed(s) {
		fields = append(fields, slog.Any("error", cause))
	}
	return fields
}

// requestID returns the id that the caller gave the call, or "".
func requestID(ctx context.Context) string { return Header(ctx, RequestIDHeader) }

// Header returns the first value of a header of the call, or "".
func Header(ctx context.Context, name string) string {
	if values := metadata.ValueFromIncomingContext(ctx, name); len(values) > 0 {
		return values[0]
	}
	return ""
}
