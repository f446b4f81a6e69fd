package telemetry

import (
	"context"
	"iter"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// StartLinkedSpan starts one span for work that serves several calls. The span is a child of the
// first traced call and linked with the others in both directions. It starts none if no call is
// traced. The returned function ends the span.
func StartLinkedSpan(name string, calls iter.Seq[context.Context]) (end func()) {
	var span trace.Span
	count := 0
	for ctx := range calls {
		count++
		call := trace.SpanFromContext(ctx)
		switch {
		case !call.IsRecording():
		case span == nil:
			_, span = call.TracerProvider().Tracer(Scope).Start(ctx, name)
		default:
			span.AddLink(trace.Link{SpanContext: call.SpanContext()})
			call.AddLink(trace.Link{SpanContext: span.SpanContext()})
		}
	}
	if span == nil {
		return func() {}
	}
	span.SetAttributes(attribute.Int("flipside.calls", count))
	return func() { span.End() }
}
