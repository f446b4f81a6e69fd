package telemetry

import (
	"context"
	"iter"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// StartLinkedSpan begins the span of work that is done for several calls at once. It belongs to the trace of the first call that
// is traced, and is linked with the others both ways. Without one there is no span. What it returns ends the span.
func StartLinkedSpan(name string, calls iter.Seq[context.Context]) (end func()) {
	var shared trace.Span
	count := 0
	for ctx := range calls {
		count++
		call := trace.SpanFromContext(ctx)
		switch {
		case !call.IsRecording():
		case shared == nil:
			_, shared = call.TracerProvider().Tracer(Scope).Start(ctx, name)
		default:
			shared.AddLink(trace.Link{SpanContext: call.SpanContext()})
			call.AddLink(trace.Link{SpanContext: shared.SpanContext()})
		}
	}
	if shared == nil {
		return func() {}
	}
	shared.SetAttributes(attribute.Int("flipside.calls", count))
	return func() { shared.End() }
}
