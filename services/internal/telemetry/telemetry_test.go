package telemetry_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/flipside-games/flipside/services/internal/telemetry"
)

func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		name, endpoint string
		env            map[string]string
		on             bool
		wantErr        string // part of the error
	}{
		{name: "nothing is set"},
		{name: "the setting", endpoint: "http://127.0.0.1:1", on: true},
		{name: "the standard variable", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, on: true},
		{name: "the variable for traces", env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"}, on: true},
		{name: "over HTTP", endpoint: "http://127.0.0.1:1", env: map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, on: true},
		{name: "disabled", endpoint: "http://127.0.0.1:1", env: map[string]string{"OTEL_SDK_DISABLED": "true"}},
		{name: "no exporter", endpoint: "http://127.0.0.1:1", env: map[string]string{"OTEL_TRACES_EXPORTER": "none"}},
		{name: "invalid URL", endpoint: "collector:4317", wantErr: "--trace-endpoint"},
		{name: "unknown protocol", endpoint: "http://127.0.0.1:1",
			env: map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, wantErr: "OTEL_EXPORTER_OTLP_PROTOCOL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			tracing, err := telemetry.Open(t.Context(), telemetry.Options{Endpoint: tt.endpoint, Log: slog.New(slog.DiscardHandler)})
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Errorf("error %v, want one that names %s", err, tt.wantErr)
				}
				return
			}
			if err != nil || tracing.Enabled() != tt.on {
				t.Fatalf("Enabled() = %v, error %v", tracing.Enabled(), err)
			}
			_, span := tracing.Tracer().Start(t.Context(), "something")
			if span.IsRecording() != tt.on || (tracing.ServerStats() != nil) != tt.on || (tracing.ClientStats() != nil) != tt.on {
				t.Errorf("the span records: %v, want %v", span.IsRecording(), tt.on)
			}
			if err := tracing.Close(t.Context()); err != nil { // The span has not ended: Close exports nothing.
				t.Error(err)
			}
		})
	}
}

func TestExportErrorsAreLogged(t *testing.T) {
	var log bytes.Buffer
	tracing, err := telemetry.Open(t.Context(), telemetry.Options{
		Endpoint: "http://127.0.0.1:1", Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracing.Tracer().Start(t.Context(), "something")
	span.End()
	expired, cancel := context.WithCancel(t.Context())
	cancel()
	err = tracing.Close(expired)
	if err == nil && !strings.Contains(log.String(), "could not be exported") {
		t.Errorf("no error and no log line: %q", log.String())
	}
}

// Of the three calls that the work serves, two are traced.
func TestStartLinkedSpan(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	tracer := provider.Tracer("test")
	one, first := tracer.Start(t.Context(), "first")
	two, second := tracer.Start(t.Context(), "second")

	telemetry.StartLinkedSpan("work", slices.Values([]context.Context{t.Context(), one, two}))()
	first.End()
	second.End()

	got := spans.GetSpans()
	if len(got) != 3 {
		t.Fatalf("%d spans, want 3", len(got))
	}
	work := got[0]
	if work.Parent.SpanID() != first.SpanContext().SpanID() {
		t.Error("the parent of the work is not the first call")
	}
	if len(work.Links) != 1 || work.Links[0].SpanContext.SpanID() != second.SpanContext().SpanID() {
		t.Errorf("links of the work: %v, want the second call", work.Links)
	}
	if links := got[2].Links; len(links) != 1 || links[0].SpanContext.SpanID() != work.SpanContext.SpanID() {
		t.Errorf("links of the second call: %v, want the work", links)
	}

	spans.Reset()
	telemetry.StartLinkedSpan("work", slices.Values([]context.Context{t.Context()}))()
	if len(spans.GetSpans()) != 0 {
		t.Error("there is a span although no call is traced")
	}
}
