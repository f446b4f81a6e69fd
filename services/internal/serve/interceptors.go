package serve

import (
	"bytes"
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
	"github.com/flipside-games/flipside/services/internal/intake"
)

// RequestIDHeader carries the id that all log lines of one call share.
const RequestIDHeader = "x-request-id"

// DurationBuckets are the histogram buckets for the duration of calls, in seconds.
var DurationBuckets = []float64{
	.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60,
}

// maxPublicStreams limits the open streams of gRPC's own services. They need no key, so the quotas
// of callers do not cover them.
const maxPublicStreams = 1000

// interceptors authenticate, validate, log and measure every call of a server. The method handler
// does so for unary methods, the method stream for streams.
type interceptors struct {
	Options                   // of the server
	methods   map[string]bool // the full names of all methods
	validator protovalidate.Validator
	duration  *prometheus.HistogramVec
	failed    *prometheus.CounterVec
	inFlight  prometheus.Gauge
	streams   *prometheus.GaugeVec
	// publicStreams is a semaphore with a slot for each stream of gRPC's own services.
	publicStreams chan struct{}
	// stopping is done after EndStreams.
	stopping   context.Context //nolint:containedctx // It is of the server, not of a call.
	endStreams context.CancelFunc
}

func newInterceptors(o Options) (*interceptors, error) {
	validator, err := protovalidate.New(protovalidate.WithFailFast())
	if err != nil {
		return nil, err
	}
	labels := prometheus.Labels{"service": o.Name}
	create := promauto.With(prometheus.WrapRegistererWith(labels, o.Registry))
	in := &interceptors{
		Options:       o,
		methods:       map[string]bool{},
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
	}
	in.stopping, in.endStreams = context.WithCancel(context.Background())
	return in, nil
}

// addMethods registers the methods of a service.
func (in *interceptors) addMethods(service string, info grpc.ServiceInfo) {
	for _, m := range info.Methods {
		in.methods["/"+service+"/"+m.Name] = true
	}
}

// handler returns the handler of a unary method. It authenticates the caller before it reads the
// request.
func (in *interceptors) handler(method string, next grpc.MethodHandler) grpc.MethodHandler {
	return func(
		service any, ctx context.Context, receive func(any) error, _ grpc.UnaryServerInterceptor,
	) (response any, err error) {
		if err := in.rejected(ctx, method); err != nil {
			return nil, err
		}
		c := newCall(ctx, method)
		in.inFlight.Inc()
		defer in.inFlight.Dec()
		defer func() { err = in.finish(ctx, c, err, recover()) }()
		if ctx, err = in.admit(ctx, method); err != nil {
			return nil, err
		}
		return next(service, ctx, func(m any) error { return in.receive(c, receive, m) }, in.Unary)
	}
}

func (in *interceptors) stream(
	service any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler,
) (err error) {
	ctx, method := stream.Context(), info.FullMethod
	if err := in.rejected(ctx, method); err != nil {
		return err
	}
	c := newCall(ctx, method)
	open := in.streams.WithLabelValues(method)
	open.Inc()
	defer open.Dec()
	defer func() { err = in.finish(ctx, c, err, recover()) }()
	public := strings.HasPrefix(method, "/grpc.")
	if public {
		select {
		case in.publicStreams <- struct{}{}:
			defer func() { <-in.publicStreams }()
		default:
			return fault.New(fault.TooManyStreams,
				"too many open streams: at most %d without a key are allowed; retry later", maxPublicStreams).
				With("limit", maxPublicStreams).RetryIn(time.Second)
		}
	}
	admitted, err := in.admit(ctx, method)
	if err != nil {
		return err
	}
	received := &receivedStream{stream, admitted, in, c, receiverOf(stream.Context())}
	if public || in.EndStreams != nil && in.EndStreams(method) {
		return in.untilEndStreams(service, received, next)
	}
	return next(service, received)
}

// receivedStream authenticates the caller before it receives the request of a server stream.
type receivedStream struct {
	grpc.ServerStream
	ctx      context.Context
	in       *interceptors
	call     *call
	receiver Receiver // of the messages; nil if ServerStream sends them
}

func (s *receivedStream) Context() context.Context { return s.ctx }

func (s *receivedStream) RecvMsg(m any) error {
	return s.in.receive(s.call, s.ServerStream.RecvMsg, m)
}

func (s *receivedStream) SendMsg(m any) error {
	if s.receiver != nil {
		return sendTo(s.receiver, m)
	}
	return s.ServerStream.SendMsg(m)
}

// admit authenticates the caller of a call, whose request has not been read.
func (in *interceptors) admit(ctx context.Context, method string) (context.Context, error) {
	if isCompressed(ctx) {
		return ctx, fault.New(fault.UnsupportedMediaType,
			"compressed requests are not supported: send them without grpc-encoding")
	}
	if in.Authenticate == nil {
		return ctx, nil
	}
	return in.Authenticate(ctx, method)
}

// receive receives the request of a call and validates it. Only reflection has streams of requests,
// which count as requests that are being received until they end.
func (in *interceptors) receive(c *call, next func(any) error, m any) error {
	if err := next(m); err != nil || c.request != nil {
		return err
	}
	if !strings.HasPrefix(c.method, "/grpc.reflection.") {
		c.receiving.Done()
	}
	c.request = m
	if err := c.conn.StartCall(); err != nil && !strings.HasPrefix(c.method, "/grpc.health.") {
		return err
	}
	if message, ok := m.(proto.Message); ok {
		return in.validate(c, message)
	}
	return nil
}

// validate validates a request. The bytes of a large one count until the end of the call.
func (in *interceptors) validate(c *call, m proto.Message) (err error) {
	mark := takeMark(m)
	if bytes.Equal(mark, invalidMark) {
		return fault.Invalid("invalid bytes: send the protobuf message of this call")
	}
	size := proto.Size(m)
	if size > MaxRequestBytes {
		return TooLarge()
	}
	if c.release, err = c.conn.Hold(size); err != nil {
		return err
	}
	// The codec has checked that texts are UTF-8. Calls of this process have no encoding.
	if c.conn == nil || mark != nil {
		if err := validateTexts(m.ProtoReflect()); err != nil {
			return err
		}
	}
	return validateRequest(in.validator, m)
}

// call is a call in flight.
type call struct {
	method    string
	start     time.Time
	conn      *intake.Conn // nil for a call from this process
	receiving *intake.Request
	request   any // nil before it has arrived
	release   func()
}

func newCall(ctx context.Context, method string) *call {
	c := &call{method: method, start: time.Now()}
	if a := arrivalOf(ctx); a != nil {
		c.receiving, c.conn = a.request, a.request.Conn()
	}
	return c
}

// end releases what the limits count for the call.
func (c *call) end() {
	c.receiving.Done()
	if c.request != nil {
		c.conn.EndCall()
	}
	if c.release != nil {
		c.release()
	}
}

// finish returns the status error of a call. It measures the call and writes its line in the
// request log.
func (in *interceptors) finish(ctx context.Context, c *call, err error, panicked any) error {
	c.end()
	if panicked != nil {
		in.Log.ErrorContext(ctx, "panic", "method", c.method, "requestId", requestID(ctx),
			"panic", panicked, "stack", string(debug.Stack()))
		err = plainFaults[codes.Internal]
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
	ctx context.Context, c *call, s *status.Status, took time.Duration, cause error,
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
