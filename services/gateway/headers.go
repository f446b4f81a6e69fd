package gateway

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// Header names in the spelling of net/http.
const (
	acceptHeader         = "Accept"
	acceptEncodingHeader = "Accept-Encoding"
	authHeader           = "Authorization"
	behalfHeader         = "Flipside-On-Behalf-Of"
	contentTypeHeader    = "Content-Type"
	encodingHeader       = "Content-Encoding"
	etagHeader           = "Etag"
	forwardedForHeader   = "X-Forwarded-For"
	forwardedProtoHeader = "X-Forwarded-Proto"
	idempotencyHeader    = "Idempotency-Key"
	ifNoneMatchHeader    = "If-None-Match"
	lastEventHeader      = "Last-Event-Id"
	requestIDHeader      = "X-Request-Id"
	retryAfterHeader     = "Retry-After"
	timeoutHeader        = "Grpc-Timeout"
	traceHeader          = "Traceparent"
	authenticateHeader   = "Www-Authenticate"
)

// publicHeaders are the request headers that clients may send. CORS lists them.
var publicHeaders = []string{
	acceptHeader, authHeader, behalfHeader, contentTypeHeader, encodingHeader, idempotencyHeader,
	ifNoneMatchHeader, lastEventHeader, requestIDHeader, timeoutHeader, traceHeader,
}

// forwardHeader selects the headers that a service receives. The mux itself adds Authorization.
func forwardHeader(name string) (string, bool) {
	switch name {
	case behalfHeader, requestIDHeader, traceHeader:
		return strings.ToLower(name), true
	}
	return "", false
}

// dropHeader removes the headers and trailers of services from responses.
func dropHeader(string) (string, bool) { return "", false }

// acceptedHeaders returns the headers of a request that the gateway reads, with a valid request id.
func acceptedHeaders(all http.Header) http.Header {
	h := make(http.Header, len(publicHeaders)+1)
	for _, name := range publicHeaders {
		if values := all[name]; len(values) > 0 {
			h[name] = values
		}
	}
	// The mux appends the address of the client to X-Forwarded-For. Game decides which proxies it
	// trusts. Only pages are compressed and link to themselves.
	for _, name := range []string{forwardedForHeader, forwardedProtoHeader, acceptEncodingHeader} {
		if values := all[name]; len(values) > 0 {
			h[name] = values
		}
	}
	if matchesOnce(h[timeoutHeader], zeroTimeout) {
		h[timeoutHeader] = []string{"1n"} // The mux would read 0 as no deadline.
	}
	if !matchesOnce(h[requestIDHeader], requestIDPattern) {
		h[requestIDHeader] = []string{rand.Text()}
	}
	if !matchesOnce(h[traceHeader], tracePattern) {
		delete(h, traceHeader)
	}
	return h
}

var (
	// requestIDPattern matches the request ids of callers that are kept.
	requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._~:/+=@-]{1,128}$`)
	tracePattern     = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
	timeoutPattern   = regexp.MustCompile(`^[0-9]{1,8}[HMSmun]$`)
	zeroTimeout      = regexp.MustCompile(`^0{1,8}[HMSmun]$`)
	printable        = regexp.MustCompile(`^[\x20-\x7E]*$`)
)

func matchesOnce(values []string, pattern *regexp.Regexp) bool {
	return len(values) == 1 && pattern.MatchString(values[0])
}

// validateHeaders rejects headers that would change a call if they were dropped.
func validateHeaders(h http.Header) error {
	const printableOnly = "use printable ASCII characters"
	for _, rule := range []struct {
		name    string
		pattern *regexp.Regexp
		allowed string
	}{
		{authHeader, nil, ""}, // Game rejects an invalid key.
		{behalfHeader, printable, printableOnly},
		{idempotencyHeader, printable, printableOnly},
		{lastEventHeader, printable, printableOnly},
		{timeoutHeader, timeoutPattern,
			"use up to 8 digits and a unit (H, M, S, m, u or n), such as 20S"},
	} {
		values := h[rule.name]
		if len(values) > 1 {
			return fault.Invalid("duplicate header: send it once").At(rule.name)
		}
		if len(values) == 1 && rule.pattern != nil && !rule.pattern.MatchString(values[0]) {
			return fault.Invalid("malformed header: %s", rule.allowed).At(rule.name)
		}
	}
	return nil
}

// addStandardHeaders adds the headers of all responses.
func addStandardHeaders(out, in http.Header) {
	out.Set(requestIDHeader, in.Get(requestIDHeader))
	if trace := in.Get(traceHeader); trace != "" {
		out.Set(traceHeader, trace)
	}
	out.Set("X-Content-Type-Options", "nosniff")
	out.Set("Cache-Control", "no-store")
}

// svgPolicy is the Content-Security-Policy of an SVG that is opened as a page: it runs and loads
// nothing.
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// addResponseHeaders adds the policy of an SVG and the etag of a game.
func addResponseHeaders(_ context.Context, w http.ResponseWriter, m proto.Message) error {
	switch m := m.(type) {
	case *httpbody.HttpBody:
		w.Header().Set("Content-Security-Policy", svgPolicy)
	case *gamev1.GetGameResponse:
		etag := `"` + m.GetGame().GetEtag() + `"`
		w.Header().Set(etagHeader, etag)
		w.Header().Set("Cache-Control", "no-cache")
		if rw, ok := w.(*responseWriter); ok && matchesETag(rw.ifNoneMatch, etag) {
			w.WriteHeader(http.StatusNotModified) // The server drops the body.
		}
	}
	return nil
}

// matchesETag reports whether the header If-None-Match lists the etag or is *, which is any etag.
func matchesETag(ifNoneMatch, etag string) bool {
	if strings.TrimSpace(ifNoneMatch) == "*" {
		return true
	}
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		if strings.TrimPrefix(strings.TrimSpace(candidate), "W/") == etag {
			return true
		}
	}
	return false
}

// origins lists the origins whose pages may call the API from a browser. Pages set the key in a
// header themselves, so that no response allows credentials.
type origins []string

// handle adds the CORS headers. It answers a preflight request and returns true for it.
func (o origins) handle(w http.ResponseWriter, r *http.Request) bool {
	if len(o) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !slices.Contains(o, "*") && !slices.Contains(o, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		h.Set("Access-Control-Expose-Headers", strings.Join([]string{
			requestIDHeader, traceHeader, etagHeader, retryAfterHeader, authenticateHeader,
		}, ", "))
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", strings.Join(publicHeaders, ", "))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
