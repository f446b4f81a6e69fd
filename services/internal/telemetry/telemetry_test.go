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

func TestTracingIsOffUntilSomebodySaysWhereTo(t *testing.T) {
	for _, tt := range []struct {
		name, endpoint string
		env            map[string]string
		on             bool
		refused        string
	}{
		{name: "nobody says anything"},
		{name: "the setting", endpoint: "http://127.0.0.1:1", on: true},
		{name: "the standard variable", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, on: true},
		{name: "the variable for traces", env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"}, on: true},
		{name: "over HTTP", endpoint: "http://127.0.0.1:1", env: map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, on: true},
		{name: "switched off", endpoint: "http://127.0.0.1:1", env: map[string]string{"OTEL_SDK_DISABLED": "true"}},
		{name: "no exporter", endpoint: "http://127.0.0.1:1", env: map[string]string{"OTEL_TRACES_EXPORTER": "none"}},
		{name: "no URL", endpoint: "collector:4317", refused: "--trace-endpoint"},
		{name: "a protocol that is none of ours", endpoint: "http://127.0.0.1:1",
			env: map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, refused: "OTEL_EXPORTER_OTLP_PROTOCOL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			tracing, err := telemetry.Open(t.Context(), telemetry.Options{Endpoint: tt.endpoint, Log: slog.New(slog.DiscardHandler)})
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("got %v, which does not name %s", err, tt.refused)
				}
				return
			}
			if err != nil || tracing.Enabled() != tt.on {
				t.Fatalf("on is %v, %v", tracing.Enabled(), err)
			}
			_, span := tracing.Tracer().Start(t.Context(), "something")
			if span.IsRecording() != tt.on || (tracing.ServerStats() != nil) != tt.on || (tracing.ClientStats() != nil) != tt.on {
				t.Errorf("recording is %v", span.IsRecording())
			}
			if err := tracing.Close(t.Context()); err != nil { // The span never ended, so that there is nothing to send.
				t.Error(err)
			}
		})
	}
}

func TestWhatIsLostIsLogged(t *testing.T) {
	var log bytes.Buffer
	tracing, err := telemetry.Open(t.Context(), telemetry.Options{
		Endpoint: "http://127.0.0.1:1", Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracing.Tracer().Start(t.Context(), "something")
	span.End()
	now, cancel := context.WithCancel(t.Context())
	cancel()
	err = tracing.Close(now)
	if err == nil && !strings.Contains(log.String(), "traces were lost") {
		t.Errorf("nobody was told: %s", &log)
	}
}

// TestSharedWorkIsLinkedWithEachCall has work done for three calls, of which two are traced.
func TestSharedWorkIsLinkedWithEachCall(t *testing.T) {
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
		t.Fatalf("%d spans", len(got))
	}
	work := got[0]
	if work.Parent.SpanID() != first.SpanContext().SpanID() {
		t.Error("the work does not belong to the first call")
	}
	if len(work.Links) != 1 || work.Links[0].SpanContext.SpanID() != second.SpanContext().SpanID() {
		t.Errorf("the work is linked with %v", work.Links)
	}
	if links := got[2].Links; len(links) != 1 || links[0].SpanContext.SpanID() != work.SpanContext.SpanID() {
		t.Errorf("the second call is linked with %v", links)
	}

	spans.Reset()
	telemetry.StartLinkedSpan("work", slices.Values([]context.Context{t.Context()}))()
	if len(spans.GetSpans()) != 0 {
		t.Error("there is a span of work that nobody traces")
	}
}
