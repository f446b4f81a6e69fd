package gateway

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only listed headers reach a service, so that no other header can identify a caller.
func TestForwardedHeaders(t *testing.T) {
	t.Parallel()
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for _, path := range []string{"/v1/games/g1", "/v1/games/g1:watch"} {
		s := &services{stream: sendEmpty}
		server := start(t, s)
		do(t, server, get(path,
			"Authorization", "Bearer k", "Flipside-On-Behalf-Of", "user 7", "X-Request-Id", "r1", "Traceparent", trace,
			"Grpc-Metadata-Authorization", "Bearer other", "Grpc-Metadata-Flipside-On-Behalf-Of", "other",
			"Grpc-Metadata-X-Secret-Bin", "AAAA", "Grpcgateway-Authorization", "other", "X-Forwarded-For", "10.0.0.1",
			"X-Forwarded-Host", "elsewhere", "Cookie", "a=b", "X-Anything", "x", "Idempotency-Key", "i", "Last-Event-Id", "1",
		))
		got := s.last(t).header
		want := map[string][]string{
			"authorization": {"Bearer k"}, "flipside-on-behalf-of": {"user 7"}, "x-request-id": {"r1"}, "traceparent": {trace},
			// The gateway adds the address of the connection.
			"x-forwarded-for": {"10.0.0.1, 127.0.0.1"}, "x-forwarded-host": {strings.TrimPrefix(server.URL, "http://")},
		}
		if diff := cmp.Diff(want, map[string][]string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestResponseHeaders(t *testing.T) {
	t.Parallel()
	const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	a := do(t, start(t, &services{unary: aGame}), get("/v1/games/g1", "X-Request-Id", "r1", "Traceparent", trace, "TE", "trailers"))
	got := a.Header.Clone()
	got.Del("Date")
	want := http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {a.Header.Get("Content-Length")}, "X-Request-Id": {"r1"},
		"Traceparent": {trace}, "X-Content-Type-Options": {"nosniff"}, "Cache-Control": {"no-cache"}, "Etag": {`"v2"`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	s := &services{}
	server := start(t, s)
	generated := regexp.MustCompile(`^[A-Z2-7]{26}$`)
	for _, test := range []struct {
		name string
		ids  []string
		kept bool
	}{
		{"valid", []string{"0b7c9d1e-1111"}, true},
		{"longest", []string{strings.Repeat("x", 128)}, true},
		{"none", nil, false},
		{"empty", []string{""}, false},
		{"too long", []string{strings.Repeat("x", 129)}, false},
		{"forges a log line", []string{`x" level="ERROR`}, false},
		{"two", []string{"a", "b"}, false},
	} {
		var header []string
		for _, id := range test.ids {
			header = append(header, "X-Request-Id", id)
		}
		for _, path := range []string{"/v1/games/g1", "/nothing"} {
			got := do(t, server, get(path, header...)).Header.Get("X-Request-Id")
			if test.kept && got != test.ids[0] || !test.kept && !generated.MatchString(got) {
				t.Errorf("%s: the response to %s has %q", test.name, path, got)
			}
			if path != "/nothing" && s.last(t).header.Get("x-request-id")[0] != got {
				t.Errorf("%s: the service got another id", test.name)
			}
		}
	}
}

func TestInvalidTraceparentIsDropped(t *testing.T) {
	t.Parallel()
	s := &services{}
	a := do(t, start(t, s), get("/v1/games/g1", "Traceparent", "00-xyz"))
	if got := a.Header.Get("Traceparent"); got != "" || len(s.last(t).header.Get("traceparent")) > 0 {
		t.Errorf("echoed %q, forwarded %q", got, s.last(t).header.Get("traceparent"))
	}
}

// A header that changes a call is not dropped silently.
func TestInvalidHeadersAreRejected(t *testing.T) {
	t.Parallel()
	const (
		twice     = "duplicate header: send it once"
		printable = "malformed header: use printable ASCII characters"
		timeout   = "malformed header: use up to 8 digits and a unit (H, M, S, m, u or n), such as 20S"
	)
	s := &services{}
	server := start(t, s)
	for _, test := range []struct {
		header []string
		want   failure
	}{
		{[]string{"Authorization", "Bearer a", "Authorization", "Bearer b"}, invalid("INVALID_FIELD", "Authorization", twice)},
		{[]string{"Flipside-On-Behalf-Of", "a", "Flipside-On-Behalf-Of", "b"}, invalid("INVALID_FIELD", "Flipside-On-Behalf-Of", twice)},
		{[]string{"Flipside-On-Behalf-Of", "Zoë"}, invalid("INVALID_FIELD", "Flipside-On-Behalf-Of", printable)},
		{[]string{"Idempotency-Key", "ü"}, invalid("INVALID_FIELD", "Idempotency-Key", printable)},
		{[]string{"Grpc-Timeout", "soon"}, invalid("INVALID_FIELD", "Grpc-Timeout", timeout)},
		{[]string{"Grpc-Timeout", "123456789S"}, invalid("INVALID_FIELD", "Grpc-Timeout", timeout)},
	} {
		if diff := cmp.Diff(test.want, errorIn(t, do(t, server, get("/v1/games/g1", test.header...)))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.header, diff)
		}
	}
	if s.count() > 0 {
		t.Errorf("%d of the calls reached the service", s.count())
	}
}

func TestCORSIsOffByDefault(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	for _, verb := range []string{"GET", "OPTIONS"} {
		a := do(t, server, request{verb, "/v1/games", "", []string{
			"Origin", "https://example.com", "Access-Control-Request-Method", "GET",
		}})
		for name := range a.Header {
			if strings.HasPrefix(name, "Access-Control") {
				t.Errorf("%s: %s: %q", verb, name, a.Header.Get(name))
			}
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	const ours, other = "https://example.com", "https://example.org"
	listed := func(list ...string) func(*Options) { return func(o *Options) { o.AllowedOrigins = list } }
	for _, test := range []struct {
		name, origin string
		option       func(*Options)
		want         string
	}{
		{"allowed origin", ours, listed(ours), ours},
		{"other origin", other, listed(ours), ""},
		{"any origin", other, listed("*"), other},
		{"no origin", "", listed("*"), ""},
	} {
		server := start(t, &services{}, test.option)
		var origin []string
		if test.origin != "" {
			origin = []string{"Origin", test.origin}
		}
		plain := do(t, server, get("/v1/games", origin...))
		if got := plain.Header.Get("Access-Control-Allow-Origin"); plain.StatusCode != http.StatusOK || got != test.want {
			t.Errorf("%s: status %d, allowed %q, want %q", test.name, plain.StatusCode, got, test.want)
		}
		if got := plain.Header.Get("Vary"); got != "Origin" {
			t.Errorf("%s: Vary %q", test.name, got)
		}
		preflight := do(t, server, request{"OPTIONS", "/v1/games", "", append(origin, "Access-Control-Request-Method", "POST")})
		if got := preflight.Header.Get("Access-Control-Allow-Origin"); got != test.want {
			t.Errorf("%s: the preflight allows %q, want %q", test.name, got, test.want)
		}
		if test.want != "" && (preflight.StatusCode != http.StatusNoContent ||
			!strings.Contains(preflight.Header.Get("Access-Control-Allow-Headers"), "Authorization")) {
			t.Errorf("%s: preflight status %d, header %v", test.name, preflight.StatusCode, preflight.Header)
		}
		if got := preflight.Header.Get("Access-Control-Allow-Credentials"); got != "" {
			t.Errorf("%s: credentials are allowed", test.name)
		}
	}
}
