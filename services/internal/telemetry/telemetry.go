// Package telemetry sends traces over OTLP, and writes the trace of a call into its lines of the log. What a span is
// about is said where the work is done; without a collector to send to there is nothing here that costs anything.
//
// Everything but the address of the collector is configured by the variables that OpenTelemetry defines: OTEL_SERVICE_NAME,
// OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_PROTOCOL (grpc or http/protobuf), _HEADERS, _CERTIFICATE
// and so on.
package telemetry

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc/filters"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"google.golang.org/grpc/stats"
)

// Scope is the name under which Flipside's own spans are told from those of libraries.
const Scope = "github.com/flipside-games/flipside"

// Options says who is traced and where to.
type Options struct {
	// Endpoint is the URL of the collector; "" leaves it to OTEL_EXPORTER_OTLP_ENDPOINT.
	Endpoint string
	// Service is the name of the process in traces, Version that of the product.
	Service, Version string
	// Log gets what goes wrong on the way to the collector.
	Log *slog.Logger
}

// Tracing is where spans go. A nil one is off: its methods may be called and do nothing.
type Tracing struct{ provider *sdktrace.TracerProvider }

// Open returns nil where nobody has said where traces are to be sent. It does not wait for the collector.
func Open(ctx context.Context, o Options) (*Tracing, error) {
	named := cmp.Or(o.Endpoint, os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	if named == "" || os.Getenv("OTEL_SDK_DISABLED") == "true" || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	exporter, err := newExporter(ctx, o.Endpoint)
	if err != nil {
		return nil, err
	}
	who, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", o.Service), attribute.String("service.version", o.Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return &Tracing{sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(logged{exporter, o.Log}), sdktrace.WithResource(who))}, nil
}

func newExporter(ctx context.Context, endpoint string) (sdktrace.SpanExporter, error) {
	at, err := url.Parse(endpoint)
	if err != nil || endpoint != "" && (at.Host == "" || at.Scheme != "http" && at.Scheme != "https") {
		return nil, fmt.Errorf("--trace-endpoint: %q is not a URL such as http://collector:4317", endpoint)
	}
	protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), "grpc")
	switch {
	case protocol == "grpc" && endpoint == "":
		return otlptracegrpc.New(ctx)
	case protocol == "grpc":
		return otlptracegrpc.New(ctx, otlptracegrpc.WithEndpointURL(endpoint))
	case protocol == "http/protobuf" && endpoint == "":
		return otlptracehttp.New(ctx)
	case protocol == "http/protobuf":
		return otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(at.JoinPath("v1", "traces").String()))
	}
	return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: grpc or http/protobuf, not %q", protocol)
}

// logged tells the log, and not the standard error, what could not be sent.
type logged struct {
	sdktrace.SpanExporter
	log *slog.Logger
}

func (l logged) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if err := l.SpanExporter.ExportSpans(ctx, spans); err != nil {
		l.log.Warn("traces were lost", "spans", len(spans), "error", err)
	}
	return nil
}

// Close sends what has not been sent, until ctx ends.
func (t *Tracing) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Tracer returns what starts spans; when tracing is off, spans that are none.
func (t *Tracing) Tracer() trace.Tracer {
	if t == nil {
		return noop.NewTracerProvider().Tracer(Scope)
	}
	return t.provider.Tracer(Scope)
}

// Enabled reports whether spans go anywhere.
func (t *Tracing) Enabled() bool { return t != nil }

// ServerStats returns what makes a span of each call that a gRPC server answers, within the trace of its caller; nil
// when tracing is off.
func (t *Tracing) ServerStats() stats.Handler {
	if t == nil {
		return nil
	}
	return otelgrpc.NewServerHandler(t.options()...)
}

// ClientStats returns what makes a span of each call that a gRPC client makes, and tells the server of the trace; nil
// when tracing is off.
func (t *Tracing) ClientStats() stats.Handler {
	if t == nil {
		return nil
	}
	return otelgrpc.NewClientHandler(t.options()...)
}

func (t *Tracing) options() []otelgrpc.Option {
	return []otelgrpc.Option{
		otelgrpc.WithTracerProvider(t.provider),
		otelgrpc.WithMeterProvider(metricnoop.NewMeterProvider()),
		otelgrpc.WithPropagators(propagation.TraceContext{}),
		otelgrpc.WithFilter(filters.Not(filters.HealthCheck())),
	}
}

// Logger returns a logger that adds the trace to what is logged for a call; log itself when tracing is off.
func (t *Tracing) Logger(log *slog.Logger) *slog.Logger {
	if t == nil {
		return log
	}
	return slog.New(handler{log.Handler()})
}

// handler adds the trace of the context to each line.
type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if s := trace.SpanContextFromContext(ctx); s.HasTraceID() {
		r.AddAttrs(slog.String("traceId", s.TraceID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
