package gateway

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// startSpan starts the tracing span of a request as a child of the caller's span. It adds a
// traceparent to a request without one. The returned function ends the span. Probes have no span.
func (g *Gateway) startSpan(r *http.Request, w *responseWriter) (traced *http.Request, end func()) {
	if g.tracer == nil || r.URL.Path == "/livez" || r.URL.Path == "/readyz" {
		return r, func() {}
	}
	w3c, carrier := propagation.TraceContext{}, propagation.HeaderCarrier(r.Header)
	method := methodLabel(r.Method)
	ctx, span := g.tracer.Start(w3c.Extract(r.Context(), carrier), method,
		trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("http.request.method", method),
			attribute.String("url.path", truncate(r.URL.Path))))
	if r.Header.Get(traceHeader) == "" {
		w3c.Inject(ctx, carrier)
	}
	return r.WithContext(ctx), func() {
		if w.route != "" {
			span.SetName(method + " " + w.route)
			span.SetAttributes(attribute.String("http.route", w.route))
		}
		span.SetAttributes(attribute.Int("http.response.status_code", w.status))
		if w.status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
