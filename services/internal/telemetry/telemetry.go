// Package telemetry exports traces over OTLP and adds the trace id of a call to its log lines.
// Other packages start the spans. Without a collector, tracing is off and costs nothing.
//
// The standard variables of OpenTelemetry configure everything but the address of the collector:
// OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_PROTOCOL
// (grpc or http/protobuf), _HEADERS, _CERTIFICATE and so on.
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

// Scope is the instrumentation scope of Flipside's own spans.
const Scope = "github.com/flipside-games/flipside"

// Options are the settings of a [Tracing].
type Options struct {
	// Endpoint is the URL of the collector. If it is "", OTEL_EXPORTER_OTLP_ENDPOINT decides.
	Endpoint string
	// Service names the process in traces. Version is the version of the product.
	Service, Version string
	// Log receives export errors.
	Log *slog.Logger
}

// Tracing creates and exports spans. A nil *Tracing is off: its methods do nothing. It is safe for
// concurrent use.
type Tracing struct{ provider *sdktrace.TracerProvider }

// Open returns nil if no collector is configured. It does not wait for the collector.
func Open(ctx context.Context, o Options) (*Tracing, error) {
	endpoint := cmp.Or(o.Endpoint,
		os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	disabled := os.Getenv("OTEL_SDK_DISABLED") == "true" || os.Getenv("OTEL_TRACES_EXPORTER") == "none"
	if endpoint == "" || disabled {
		return nil, nil
	}
	exporter, err := newExporter(ctx, o.Endpoint)
	if err != nil {
		return nil, err
	}
	process, err := resource.New(ctx,
		resource.WithAttributes(
			attribute.String("service.name", o.Service), attribute.String("service.version", o.Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return &Tracing{sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(loggingExporter{exporter, o.Log}), sdktrace.WithResource(process))}, nil
}

func newExporter(ctx context.Context, endpoint string) (sdktrace.SpanExporter, error) {
	address, err := url.Parse(endpoint)
	if err != nil || endpoint != "" &&
		(address.Host == "" || address.Scheme != "http" && address.Scheme != "https") {
		return nil, fmt.Errorf(
			"--trace-endpoint: invalid URL %q: use one such as http://collector:4317", endpoint)
	}
	protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"),
		os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), "grpc")
	switch {
	case protocol == "grpc" && endpoint == "":
		return otlptracegrpc.New(ctx)
	case protocol == "grpc":
		return otlptracegrpc.New(ctx, otlptracegrpc.WithEndpointURL(endpoint))
	case protocol == "http/protobuf" && endpoint == "":
		return otlptracehttp.New(ctx)
	case protocol == "http/protobuf":
		return otlptracehttp.New(ctx,
			otlptracehttp.WithEndpointURL(address.JoinPath("v1", "traces").String()))
	}
	return nil, fmt.Errorf(
		"OTEL_EXPORTER_OTLP_PROTOCOL: unknown protocol %q: use grpc or http/protobuf", protocol)
}

// loggingExporter logs export errors instead of writing them to standard error.
type loggingExporter struct {
	sdktrace.SpanExporter
	log *slog.Logger
}

func (e loggingExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if err := e.SpanExporter.ExportSpans(ctx, spans); err != nil {
		e.log.Warn("spans could not be exported", "spans", len(spans), "error", err)
	}
	return nil
}

// Close exports the remaining spans. It gives up when ctx is done.
func (t *Tracing) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Tracer returns the tracer of Flipside's own spans, one that does nothing if tracing is off.
func (t *Tracing) Tracer() trace.Tracer {
	if t == nil {
		return noop.NewTracerProvider().Tracer(Scope)
	}
	return t.provider.Tracer(Scope)
}

// Enabled reports whether tracing is on.
func (t *Tracing) Enabled() bool { return t != nil }

// ServerStats returns a handler that starts a span for each call that a gRPC server answers, as a
// child of the caller's span. It returns nil if tracing is off.
func (t *Tracing) ServerStats() stats.Handler {
	if t == nil {
		return nil
	}
	return otelgrpc.NewServerHandler(t.options()...)
}

// ClientStats returns a handler that starts a span for each call of a gRPC client and propagates it
// to the server. It returns nil if tracing is off.
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

// Logger returns a logger that adds the trace id to the log lines of a call, or log itself if
// tracing is off.
func (t *Tracing) Logger(log *slog.Logger) *slog.Logger {
	if t == nil {
		return log
	}
	return slog.New(logHandler{log.Handler()})
}

// logHandler adds the trace id of the context to each log line.
type logHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if s := trace.SpanContextFromContext(ctx); s.HasTraceID() {
		r.AddAttrs(slog.String("traceId", s.TraceID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.Handler.WithGroup(name)}
}
