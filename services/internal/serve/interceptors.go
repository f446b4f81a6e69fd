package serve

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"buf.build/go/protovalidate"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// RequestIDHeader carries the id that all log lines of one call share.
const RequestIDHeader = "x-request-id"

// DurationBuckets are the histogram buckets for the duration of calls, in seconds.
var DurationBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60}

// maxPublicStreams limits the open streams of gRPC's own services. They need no key, so the quotas
// of callers do not cover them.
const maxPublicStreams = 1000

// interceptors validate, log and measure every call of a server. The methods unary and stream are the
// interceptors.
type interceptors struct {
	Options   // of the server
	validator protovalidate.Validator
	duration  *prometheus.HistogramVec
	failed    *prometheus.CounterVec
	inFlight  prometheus.Gauge
	streams   *prometheus.GaugeVec
	// publicStreams is a semaphore with a slot for each stream of gRPC's own services.
	publicStreams chan struct{}
}

func newInterceptors(o Options) (*interceptors, error) {
	validator, err := protovalidate.New(protovalidate.WithFailFast())
	if err != nil {
		return nil, err
	}
	create := promauto.With(prometheus.WrapRegistererWith(prometheus.Labels{"service": o.Name}, o.Registry))
	return &interceptors{
		Options:       o,
		validator:     validator,
		publicStreams: make(chan struct{}, maxPublicStreams),
		duration: create.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "flipside_call_seconds",
			Help:    "Duration of finished calls by method and status code. A stream counts when it ends.",
			Buckets: DurationBuckets,
		}, []string{"method", "code"}),
		failed: create.NewCounterVec(prometheus.CounterOpts{
			Name: "flipside_failed_calls_total",
			Help: "Failed calls by method, status code and reason. The reason may be empty.",
		}, []string{"method", "code", "reason"}),
		inFlight: create.NewGauge(prometheus.GaugeOpts{
			Name: "flipside_calls_in_flight", Help: "Unary calls in flight.",
		}),
		streams: create.NewGaugeVec(prometheus.GaugeOpts{
			Name: "flipside_open_streams", Help: "Open streams by method.",
		}, []string{"method"}),
	}, nil
}

func (in *interceptors) unary(
	ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (resp any, err error) {
	start := time.Now()
	stopRequestTimer(ctx)
	in.inFlight.Inc()
	defer in.inFlight.Dec()
	defer func() { err = in.finish(ctx, call{info.FullMethod, start, req}, err, recover()) }()
	if err := in.validate(req); err != nil {
		return nil, err
	}
	if in.Unary != nil {
		return in.Unary(ctx, req, info, next)
	}
	return next(ctx, req)
}

func (in *interceptors) stream(
	srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler,
) (err error) {
	start := time.Now()
	validated := &validatedStream{ServerStream: stream, in: in}
	open := in.streams.WithLabelValues(info.FullMethod)
	open.Inc()
	defer open.Dec()
	defer func() {
		err = in.finish(stream.Context(), call{info.FullMethod, start, validated.request}, err, recover())
	}()
	if strings.HasPrefix(info.FullMethod, "/grpc.") {
		select {
		case in.publicStreams <- struct{}{}:
			defer func() { <-in.publicStreams }()
		default:
			return fault.New(fault.TooManyStreams,
				"too many open streams: at most %d without a key are allowed; retry later", maxPublicStreams).
				With("limit", maxPublicStreams).RetryIn(time.Second)
		}
	}
	if in.Stream != nil {
		return in.Stream(srv, validated, info, next)
	}
	return next(srv, validated)
}

// validatedStream validates the request of a server stream when it is received.
type validatedStream struct {
	grpc.ServerStream
	in      *interceptors
	request any
}

func (s *validatedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	stopRequestTimer(s.Context())
	s.request = m
	return s.in.validate(m)
}

func (in *interceptors) validate(req any) error {
	m, ok := req.(proto.Message)
	if !ok {
		return nil
	}
	if isInvalid(m) {
		return fault.New(fault.InvalidField, "invalid bytes: send the protobuf message of this call")
	}
	return validateRequest(in.validator, m)
}

// call describes a call for its log line and metrics.
type call struct {
	method  string
	start   time.Time
	request any
}

// finish returns the status error of a call. It measures the call and writes its line in the
// request log.
func (in *interceptors) finish(ctx context.Context, c call, err error, panicked any) error {
	if panicked != nil {
		in.Log.ErrorContext(ctx, "panic", "method", c.method, "requestId", requestID(ctx),
			"panic", panicked, "stack", string(debug.Stack()))
		err = status.Error(codes.Internal, "internal error")
	}
	if err != nil && panicked == nil && ctx.Err() != nil && fault.ReasonOf(err) == "" {
		err = ctx.Err() // The end of the call caused the error.
	}
	s := Status(err)
	took := time.Since(c.start)
	in.duration.WithLabelValues(c.method, s.Code().String()).Observe(took.Seconds())
	if s.Code() != codes.OK {
		in.failed.WithLabelValues(c.method, s.Code().String(), reasonLabel(Reason(s))).Inc()
	}
	level := slog.LevelInfo
	switch {
	case isServerError(s):
		level = slog.LevelError
	case c.method == grpc_health_v1.Health_Check_FullMethodName && s.Code() == codes.OK:
		level = slog.LevelDebug // Health probes arrive every few seconds.
	}
	if in.Log.Enabled(ctx, level) {
		in.Log.LogAttrs(ctx, level, "call", logAttributes(ctx, c, s, took, err)...)
	}
	return s.Err()
}

// reasonLabel returns the reason if it is one of Flipside's, which keeps the number of metrics
// small.
func reasonLabel(reason string) string {
	if _, ok := statusCodes[fault.Reason(reason)]; ok {
		return reason
	}
	return ""
}

// isServerError reports whether the server caused the error, and not the caller.
func isServerError(s *status.Status) bool {
	return s.Code() == codes.Internal || s.Code() == codes.Unknown || s.Code() == codes.DataLoss
}

// logAttributes returns the attributes of a call in the request log. Only the log gets the cause of
// a server error.
func logAttributes(
	ctx context.Context, c call, s *status.Status, took time.Duration, cause error,
) []slog.Attr {
	attrs := append(make([]slog.Attr, 0, 7), // One allocation for every call.
		slog.String("method", c.method),
		slog.String("code", s.Code().String()),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("requestId", requestID(ctx)),
	)
	if reason := Reason(s); reason != "" {
		attrs = append(attrs, slog.String("reason", reason))
	}
	if r, ok := c.request.(interface{ GetGameId() string }); ok {
		attrs = append(attrs, slog.String("gameId", r.GetGameId()))
	}
	if isServerError(s) {
		attrs = append(attrs, slog.Any("error", cause))
	}
	return attrs
}

// requestID returns the request id of a call, or "".
func requestID(ctx context.Context) string { return Header(ctx, RequestIDHeader) }

// Header returns the first value of a header of the call, or "".
func Header(ctx context.Context, name string) string {
	if values := metadata.ValueFromIncomingContext(ctx, name); len(values) > 0 {
		return values[0]
	}
	return ""
}
