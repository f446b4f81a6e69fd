package gateway

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// trace begins the span of a request, within the trace that its caller names, if there is one. A caller who names none
// is told of this one. What it returns ends the span. Probes have none.
func (g *Gateway) trace(r *http.Request, w *writer) (traced *http.Request, end func()) {
	if g.tracer == nil || r.URL.Path == "/livez" || r.URL.Path == "/readyz" {
		return r, func() {}
	}
	w3c, carrier := propagation.TraceContext{}, propagation.HeaderCarrier(r.Header)
	verb := method(r.Method)
	ctx, span := g.tracer.Start(w3c.Extract(r.Context(), carrier), verb, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", verb), attribute.String("url.path", short(r.URL.Path))))
	if r.Header.Get(traceHeader) == "" {
		w3c.Inject(ctx, carrier)
	}
	return r.WithContext(ctx), func() {
		if w.route != "" {
			span.SetName(verb + " " + w.route)
			span.SetAttributes(attribute.String("http.route", w.route))
		}
		span.SetAttributes(attribute.Int("http.response.status_code", w.status))
		if w.status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
