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

// jsonType is the media type of every message.
const jsonType = "application/json"

// httpStatuses are the reasons whose HTTP status is not that of their gRPC code.
var httpStatuses = map[string]int{
	string(fault.BodyTooLarge):         http.StatusRequestEntityTooLarge,
	string(fault.MethodNotAllowed):     http.StatusMethodNotAllowed,
	string(fault.UnsupportedMediaType): http.StatusUnsupportedMediaType,
}

// refuse answers a request that has not reached a service, and logs it since nobody else does.
func (g *Gateway) refuse(w http.ResponseWriter, r *http.Request, err error) {
	s := serve.Status(err)
	g.log.InfoContext(r.Context(), "refused", "method", short(r.Method), "path", short(r.URL.Path),
		"code", s.Code().String(), "reason", serve.Reason(s), "requestId", r.Header.Get(requestIDHeader))
	writeStatus(w, r, s)
}

// writeStatus answers with an error: a google.rpc.Status, in the same shape wherever it comes from.
func writeStatus(w http.ResponseWriter, r *http.Request, s *status.Status) {
	h := w.Header()
	code, special := httpStatuses[serve.Reason(s)]
	if !special {
		code = runtime.HTTPStatusFromCode(s.Code())
	}
	switch code {
	case http.StatusUnauthorized:
		h.Set(authenticateHeader, challenge(r))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set(retryAfterHeader, retryAfter(s))
	}
	body := statusJSON(s)
	h.Del(etagHeader)
	h.Set(contentTypeHeader, jsonType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = w.Write(body) //nolint:gosec // It is JSON, and says so; whoever does not read it is gone.
}

// statusJSON writes a status. Of one whose details this program does not know it writes the rest.
func statusJSON(s *status.Status) []byte {
	body, err := written.Marshal(s.Proto())
	if err != nil {
		body, _ = written.Marshal(status.New(s.Code(), strings.ToValidUTF8(s.Message(), "\uFFFD")).Proto())
	}
	return body
}

// challenge is what RFC 6750 answers to a key that is missing or does not work.
func challenge(r *http.Request) string {
	if r.Header.Get(authHeader) == "" {
		return `Bearer realm="flipside"`
	}
	return `Bearer realm="flipside", error="invalid_token"`
}

// retryAfter is the delay that a status asks for, in whole seconds, at least one.
func retryAfter(s *status.Status) string {
	delay := time.Second
	for _, detail := range s.Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			delay = max(delay, info.GetRetryDelay().AsDuration())
		}
	}
	return strconv.Itoa(int(math.Ceil(delay.Seconds())))
}

// short returns text from a request as it may be repeated in an answer or a log.
func short(text string) string {
	const most = 64
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
