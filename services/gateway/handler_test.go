package gateway

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/golden"
)

func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	for _, path := range []string{"/nothing", "/v1", "/v1/games/g1/nothing", "/v1/games/g1:jump", "/v1/positions:jump", "/v2/games"} {
		got := errorIn(t, do(t, server, get(path)))
		want := failure{404, int(codes.NotFound), "UNKNOWN_PATH", "", "unknown path " + path + ": /docs lists all paths"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// A browser that opens an unknown path gets a page. The API answers all callers with JSON.
func TestUnknownPathsInABrowser(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for path, want := range map[string]string{
		"/nothing": htmlType, "/g/a/b": htmlType, "/v2/games": htmlType,
		"/v1": jsonType, "/v1/nothing": jsonType, "/v1/games/g1:jump": jsonType,
	} {
		a := do(t, server, get(path, "Accept", accept))
		if got := a.Header.Get("Content-Type"); a.StatusCode != http.StatusNotFound || got != want {
			t.Errorf("%s: %d %s, want 404 %s", path, a.StatusCode, got, want)
		}
		if isPage := strings.Contains(a.body, "<h1>Page not found</h1>"); isPage != (want == htmlType) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	bare := start(t, &services{}, func(o *Options) { o.Pages = nil })
	if a := do(t, bare, get("/nothing", "Accept", accept)); a.Header.Get("Content-Type") != jsonType {
		t.Errorf("without a website: %s", a.Header.Get("Content-Type"))
	}
}

func TestMethodNotAllowed(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	for _, test := range []struct{ verb, path, allow string }{
		{"DELETE", "/v1/games", "GET, HEAD, POST"},
		{"OPTIONS", "/v1/games", "GET, HEAD, POST"},
		{"PUT", "/v1/games/g1", "GET, HEAD"},
		{"POST", "/v1/games/g1", "GET, HEAD"},
		{"GET", "/v1/games/g1/moves", "POST"},
		{"HEAD", "/v1/games/g1/moves", "POST"},
		{"GET", "/v1/games/g1:join", "POST"},
		{"POST", "/v1/games/g1:watch", "GET, HEAD"},
		{"GET", "/v1/positions:analyze", "POST"},
		{"POST", "/docs", "GET, HEAD"},
		{"POST", "/", "GET, HEAD"},
		{"BREW", "/livez", "GET, HEAD"},
	} {
		a := do(t, server, request{test.verb, test.path, "", nil})
		if a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != test.allow {
			t.Errorf("%s %s: %d, Allow %q, want 405, %q", test.verb, test.path, a.StatusCode, a.Header.Get("Allow"), test.allow)
		}
		if test.verb == "HEAD" {
			continue
		}
		want := failure{405, int(codes.Unimplemented), "METHOD_NOT_ALLOWED", "", "method " + test.verb + " is not allowed here: use " + test.allow}
		if diff := cmp.Diff(want, errorIn(t, a)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", test.verb, test.path, diff)
		}
	}
}

// Neither a header nor a form overrides the method.
func TestMethodOverride(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	a := do(t, server, request{"POST", "/v1/games/g1", "a=b", []string{
		"Content-Type", "application/x-www-form-urlencoded", "X-Http-Method-Override", "GET",
	}})
	if a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	server := start(t, &services{unary: aGame, stream: sendEmpty})
	for _, path := range []string{
		"/v1/games/g1", "/v1/strategies", "/v1/games/g1:watch", "/v1/turns:watch", "/", "/docs", "/openapi.json", "/livez", "/readyz",
		"/v1/games/g1?foo=1", "/nothing",
	} {
		plain := []string{"Accept-Encoding", "identity"} // The client asks for gzip by itself in GET only.
		head, full := do(t, server, request{"HEAD", path, "", plain}), do(t, server, get(path, plain...))
		if head.StatusCode != full.StatusCode || head.body != "" {
			t.Errorf("%s: %d %q, want %d and no body", path, head.StatusCode, head.body, full.StatusCode)
		}
		for _, name := range []string{"Content-Type", "Content-Length", "Etag", "Cache-Control"} {
			if got, want := head.Header.Get(name), full.Header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestTrailingSlash(t *testing.T) {
	t.Parallel()
	s := &services{}
	server := start(t, s)
	for _, test := range []struct{ verb, path, want string }{
		{"GET", "/v1/games/", "/v1/games"},
		{"POST", "/v1/games/g1:join/", "/v1/games/g1:join"},
		{"HEAD", "/docs/", "/docs"},
		{"GET", "/v1/games//?state=x%20y&a=b", "/v1/games?state=x%20y&a=b"},
		{"GET", "/v1/games/a%2Fb/", "/v1/games/a%2Fb"},
		{"GET", "//example.com/", "/example.com"},
		{"GET", "/%5Cexample.com/", "/%5Cexample.com"},
		{"GET", "///", "/"},
	} {
		a := do(t, server, request{test.verb, test.path, "", nil})
		if got := a.Header.Get("Location"); a.StatusCode != http.StatusPermanentRedirect || got != test.want {
			t.Errorf("%s %s: %d to %q, want 308 to %q", test.verb, test.path, a.StatusCode, got, test.want)
		}
	}
	// A client that follows the redirect keeps method and body.
	resp, err := server.Client().Do(newRequest(t.Context(), t, server, post("/v1/games/g1:resign/", `{"requestId":"r"}`)))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := s.last(t).in.(*gamev1.ResignRequest); resp.StatusCode != http.StatusOK || got.GetRequestId() != "r" {
		t.Errorf("status %d, request %v", resp.StatusCode, got)
	}
}

// aGame answers GetGame with a game and other calls with an empty response.
func aGame(_ context.Context, in proto.Message) (proto.Message, error) {
	switch in.(type) {
	case *gamev1.GetGameRequest:
		return &gamev1.GetGameResponse{Game: &gamev1.Game{Id: "01k", Version: 2, Etag: "v2"}}, nil
	case *strategyv1.ListStrategiesRequest:
		return &strategyv1.ListStrategiesResponse{}, nil
	}
	return &gamev1.ListGamesResponse{}, nil
}

// Responses have zero values but no unset messages. Enum values are names, 64-bit integers are
// strings.
func TestJSON(t *testing.T) {
	t.Parallel()
	s := &services{unary: func(context.Context, proto.Message) (proto.Message, error) {
		return read(t, &gamev1.GetGameResponse{}, `{"game":{"id":"01k","state":"GAME_STATE_WAITING","version":1,
			"seats":[{"side":"SIDE_FIRST","open":{}},{"side":"SIDE_SECOND","robot":{"strategy":{"engine":{"maxNodes":"9007199254740993"}}}}],
			"setup":{"reversi":{"square":{"side":4}}},"position":{"notation":"n"},"score":{},"createTime":"2026-01-02T03:04:05.006Z"}}`), nil
	}}
	a := do(t, start(t, s), get("/v1/games/01k"))
	golden.Check(t, "game.json", compact(a.body))
	if got := a.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q", got)
	}
}

func TestETag(t *testing.T) {
	t.Parallel()
	server := start(t, &services{unary: aGame})
	for _, test := range []struct {
		ifNoneMatch string
		want        int
	}{
		{`"v1"`, 200}, {`"v2"`, 304}, {`W/"v2"`, 304}, {`"v1", "v2"`, 304}, {"v2", 200}, {"*", 304}, {" * ", 304},
	} {
		a := do(t, server, get("/v1/games/01k", "If-None-Match", test.ifNoneMatch))
		if a.StatusCode != test.want || a.Header.Get("Etag") != `"v2"` || (a.body == "") != (test.want == 304) {
			t.Errorf("If-None-Match %s: %d, ETag %s, body %q", test.ifNoneMatch, a.StatusCode, a.Header.Get("Etag"), a.body)
		}
	}
}

// A list of etags can be split into several headers.
func TestETagsInTwoHeaders(t *testing.T) {
	t.Parallel()
	a := do(t, start(t, &services{unary: aGame}), get("/v1/games/01k", "If-None-Match", `"v1"`, "If-None-Match", `"v2"`))
	if a.StatusCode != http.StatusNotModified {
		t.Errorf("status %d, want 304", a.StatusCode)
	}
}

func TestBoards(t *testing.T) {
	t.Parallel()
	for _, contentType := range []string{"text/plain; charset=utf-8", "image/svg+xml"} {
		s := &services{unary: func(context.Context, proto.Message) (proto.Message, error) {
			return &httpbody.HttpBody{ContentType: contentType, Data: []byte("<the board>")}, nil
		}}
		a := do(t, start(t, s), get("/v1/games/g1/board"))
		if a.body != "<the board>" || a.Header.Get("Content-Type") != contentType {
			t.Errorf("%q of type %q, want the board as %q", a.body, a.Header.Get("Content-Type"), contentType)
		}
		if got := a.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("X-Content-Type-Options %q", got)
		}
		if got := a.Header.Get("Content-Security-Policy"); got != "default-src 'none'; style-src 'unsafe-inline'; sandbox" {
			t.Errorf("Content-Security-Policy %q", got)
		}
	}
}

// Unary calls have the deadline of the caller, at most MaxCallTime. Streams have that of the caller
// only.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path, timeout string
		want          time.Duration
	}{
		{"/v1/games/g1", "", MaxCallTime},
		{"/v1/games/g1", "2S", 2 * time.Second},
		{"/v1/games/g1", "99999999H", MaxCallTime},
		{"/v1/games/g1:watch", "", 0},
		{"/v1/games/g1:watch", "2H", 2 * time.Hour},
	} {
		s := &services{stream: sendEmpty}
		server := start(t, s)
		before := time.Now()
		var header []string
		if test.timeout != "" {
			header = []string{"Grpc-Timeout", test.timeout}
		}
		do(t, server, get(test.path, header...))
		deadline, ok := s.last(t).ctx.Deadline()
		if ok != (test.want > 0) {
			t.Errorf("%s with %q: deadline %v", test.path, test.timeout, ok)
		}
		if over := deadline.Sub(before.Add(test.want)); ok && (over < 0 || over > time.Second*10) {
			t.Errorf("%s with %q: the deadline is %v too late", test.path, test.timeout, over)
		}
	}
}

func TestDeadlineExceeded(t *testing.T) {
	t.Parallel()
	s := &services{unary: func(ctx context.Context, _ proto.Message) (proto.Message, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	server := start(t, s)
	want := failure{504, int(codes.DeadlineExceeded), "DEADLINE_EXCEEDED", "", "the deadline of the call has passed"}
	for _, timeout := range []string{"1n", "0S", "00000000n"} {
		got := errorIn(t, do(t, server, get("/v1/games/g1", "Grpc-Timeout", timeout)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", timeout, diff)
		}
	}
}
