package gateway

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// jsonType is the media type of all messages.
const jsonType = "application/json"

// httpStatuses maps reasons to HTTP statuses that differ from the status of their gRPC code.
var httpStatuses = map[string]int{
	string(fault.BodyTooLarge):         http.StatusRequestEntityTooLarge,
	string(fault.MethodNotAllowed):     http.StatusMethodNotAllowed,
	string(fault.UnsupportedMediaType): http.StatusUnsupportedMediaType,
}

// reject answers a request that reaches no service, and logs it.
func (g *Gateway) reject(w http.ResponseWriter, r *http.Request, err error) {
	s := serve.Status(err)
	g.log.InfoContext(r.Context(), "request rejected",
		"method", truncate(r.Method), "path", truncate(r.URL.Path), "code", s.Code().String(),
		"reason", serve.Reason(s), "requestId", r.Header.Get(requestIDHeader))
	writeStatus(w, r, s)
}

// writeStatus writes an error of the gateway or of a service as google.rpc.Status.
func writeStatus(w http.ResponseWriter, r *http.Request, s *status.Status) {
	h := w.Header()
	code, ok := httpStatuses[serve.Reason(s)]
	if !ok {
		code = runtime.HTTPStatusFromCode(s.Code())
	}
	switch delay, ok := retryDelayOf(s); {
	case code == http.StatusUnauthorized:
		h.Set(authenticateHeader, challenge(r))
	case ok || code == http.StatusServiceUnavailable:
		h.Set(retryAfterHeader, strconv.Itoa(max(1, int(math.Ceil(delay.Seconds())))))
	}
	body := statusJSON(s)
	h.Del(etagHeader)
	h.Set(contentTypeHeader, jsonType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	//nolint:gosec // The body is JSON. A write error means that the client is gone.
	_, _ = w.Write(body)
}

// statusJSON encodes a status. It leaves out details that cannot be encoded.
func statusJSON(s *status.Status) []byte {
	body, err := jsonFormat.Marshal(s.Proto())
	if err != nil {
		text := strings.ToValidUTF8(s.Message(), "\uFFFD")
		body, _ = jsonFormat.Marshal(status.New(s.Code(), text).Proto())
	}
	return body
}

// challenge returns the header WWW-Authenticate of RFC 6750. A request without a Bearer key gets no
// error code, as it may not know that it needs one.
func challenge(r *http.Request) string {
	if serve.BearerKey(r.Header.Get(authHeader)) == "" {
		return `Bearer realm="flipside"`
	}
	return `Bearer realm="flipside", error="invalid_token"`
}

// retryDelayOf returns the retry delay of a status. A status without one can be permanent, such as
// that of a position that is too large for a strategy.
func retryDelayOf(s *status.Status) (delay time.Duration, ok bool) {
	for _, detail := range s.Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			return info.GetRetryDelay().AsDuration(), true
		}
	}
	return 0, false
}

// truncate shortens text from a request for a response or the log.
func truncate(text string) string {
	const maxBytes = 64
	if len(text) > maxBytes {
		text = text[:maxBytes] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
