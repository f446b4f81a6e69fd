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

// Header names, as net/http spells them.
const (
	acceptHeader       = "Accept"
	authHeader         = "Authorization"
	behalfHeader       = "Flipside-On-Behalf-Of"
	contentTypeHeader  = "Content-Type"
	encodingHeader     = "Content-Encoding"
	etagHeader         = "Etag"
	forwardedHeader    = "X-Forwarded-For"
	idempotencyHeader  = "Idempotency-Key"
	ifNoneMatchHeader  = "If-None-Match"
	lastEventHeader    = "Last-Event-Id"
	requestIDHeader    = "X-Request-Id"
	retryAfterHeader   = "Retry-After"
	timeoutHeader      = "Grpc-Timeout"
	traceHeader        = "Traceparent"
	authenticateHeader = "Www-Authenticate"
)

// listedHeaders are the headers that are read at all. The others are gone before anything looks at the request.
var listedHeaders = []string{
	acceptHeader, authHeader, behalfHeader, contentTypeHeader, encodingHeader, idempotencyHeader, ifNoneMatchHeader,
	lastEventHeader, requestIDHeader, timeoutHeader, traceHeader,
}

// toService picks the headers that are passed on to a service. Authorization is too; the mux sees to that.
func toService(name string) (string, bool) {
	switch name {
	case behalfHeader, requestIDHeader, traceHeader:
		return strings.ToLower(name), true
	}
	return "", false
}

// dropped keeps the headers and trailers of services from callers.
func dropped(string) (string, bool) { return "", false }

// listed returns the listed headers of a request, with a request id that can be relied on.
func listed(all http.Header) http.Header {
	h := make(http.Header, len(listedHeaders)+1)
	for _, name := range listedHeaders {
		if values := all[name]; len(values) > 0 {
			h[name] = values
		}
	}
	// What proxies say of where a call comes from. The mux adds from where it came here; whom to believe is for Game to say.
	if values := all[forwardedHeader]; len(values) > 0 {
		h[forwardedHeader] = values
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
	// requestIDPattern is what a request id from a caller may look like; another one is replaced.
	requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._~:/+=@-]{1,128}$`)
	tracePattern     = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
	timeoutPattern   = regexp.MustCompile(`^[0-9]{1,8}[HMSmun]$`)
	printable        = regexp.MustCompile(`^[\x20-\x7E]*$`)
)

func matchesOnce(values []string, pattern *regexp.Regexp) bool {
	return len(values) == 1 && pattern.MatchString(values[0])
}

// checkHeaders refuses headers that would change a call if they were lost on the way: each is given once, and is text.
func checkHeaders(h http.Header) error {
	for _, single := range []struct {
		name    string
		pattern *regexp.Regexp
	}{
		{authHeader, nil}, // One that is not text is no key, which Game says better.
		{behalfHeader, printable},
		{idempotencyHeader, printable},
		{lastEventHeader, printable},
		{timeoutHeader, timeoutPattern},
	} {
		values := h[single.name]
		if len(values) > 1 {
			return fault.New(fault.InvalidField, "the header is there more than once").At(single.name)
		}
		if len(values) == 1 && single.pattern != nil && !single.pattern.MatchString(values[0]) {
			return fault.New(fault.InvalidField, "the header is not well formed").At(single.name)
		}
	}
	return nil
}

// addStandardHeaders adds what every answer has.
func addStandardHeaders(out, in http.Header) {
	out.Set(requestIDHeader, in.Get(requestIDHeader))
	if trace := in.Get(traceHeader); trace != "" {
		out.Set(traceHeader, trace)
	}
	out.Set("X-Content-Type-Options", "nosniff")
	out.Set("Cache-Control", "no-store")
}

// pictureSecurity keeps an SVG that is opened as a page from running or loading anything.
const pictureSecurity = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// addResponseHeaders adds what one kind of answer has: a picture its policy, a game its version.
func addResponseHeaders(_ context.Context, w http.ResponseWriter, m proto.Message) error {
	switch m := m.(type) {
	case *httpbody.HttpBody:
		w.Header().Set("Content-Security-Policy", pictureSecurity)
	case *gamev1.GetGameResponse:
		etag := `"` + m.GetGame().GetEtag() + `"`
		w.Header().Set(etagHeader, etag)
		w.Header().Set("Cache-Control", "no-cache")
		if out, ok := w.(*writer); ok && matchesETag(out.ifNoneMatch, etag) {
			w.WriteHeader(http.StatusNotModified) // After which no body is sent.
		}
	}
	return nil
}

// matchesETag reports whether a caller who sends the header If-None-Match has the version with this etag.
func matchesETag(ifNoneMatch, etag string) bool {
	for known := range strings.SplitSeq(ifNoneMatch, ",") {
		if strings.TrimPrefix(strings.TrimSpace(known), "W/") == etag {
			return true
		}
	}
	return false
}

// origins says which pages may call the API from a browser. Keys travel in a header that a page has to set itself, so
// no answer allows credentials.
type origins struct {
	all    bool
	listed []string
}

func newOrigins(list []string) origins {
	return origins{all: slices.Contains(list, "*"), listed: list}
}

// answer adds the headers of CORS, and reports whether the request was a preflight and is answered.
func (o origins) answer(w http.ResponseWriter, r *http.Request) bool {
	if len(o.listed) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !o.all && !slices.Contains(o.listed, origin) {
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
	h.Set("Access-Control-Allow-Headers", strings.Join(listedHeaders, ", "))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
