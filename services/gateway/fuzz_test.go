package gateway

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// checkResponse fails the test unless the gateway answers a request with a success or with a valid
// error.
func checkResponse(t *testing.T, g *Gateway, r request) {
	t.Helper()
	req := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(r.body))
	req.Method, req.URL = r.verb, &url.URL{}
	req.URL.Path, req.URL.RawQuery, _ = strings.Cut(r.path, "?")
	for i := 0; i+1 < len(r.header); i += 2 {
		req.Header.Set(r.header[i], r.header[i+1])
	}
	recorder := httptest.NewRecorder()
	g.ServeHTTP(recorder, req)
	a := response{recorder.Result(), recorder.Body.String()}
	switch {
	case a.StatusCode == http.StatusOK, a.StatusCode == http.StatusPermanentRedirect:
	case a.StatusCode >= 400 && a.StatusCode < 500:
		errorIn(t, a)
	default:
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[", `{"setup":{"reversi":{"hexagon":{"rings":5}}},"seats":[{"caller":{}}]}`, `{"a":{"b":1}} x`,
		`{"strategy":{"tryTwo":{"first":{"greedy":{}},"second":{"minimax":{"assumed":{"level":"LEVEL_EASY"}}}}}}`,
		`{"position":{"notation":"\ud800"},"multiPv":1e9}`, `{"move":{"place":{"cell":{"hex":{"q":1,"r":-2}}}}}`,
	} {
		f.Add(seed)
	}
	g := newGateway(f, &services{stream: sendEmpty})
	f.Fuzz(func(t *testing.T, body string) {
		for _, rt := range g.routes {
			if rt.hasBody() {
				checkResponse(t, g, post(strings.ReplaceAll(rt.template, "{game_id}", "g1"), body))
			}
		}
	})
}

func FuzzQueries(f *testing.F) {
	for _, seed := range []string{"", "afterVersion=1", "pageSize=7&wait=1s", "a=%zz", "x[y]=1", "state=3", "afterCursor=%00", "gameId=1;"} {
		f.Add(seed)
	}
	g := newGateway(f, &services{stream: sendEmpty})
	f.Fuzz(func(t *testing.T, query string) {
		for _, rt := range g.routes {
			if !rt.hasBody() {
				checkResponse(t, g, get(strings.ReplaceAll(rt.template, "{game_id}", "g1")+"?"+query))
			}
		}
	})
}

func FuzzPaths(f *testing.F) {
	for _, seed := range []string{"/", "//", "/v1/games/", "/v1/games/a:b:c", "/v1/games/\xff", "/docs/../livez", "*", ""} {
		f.Add(seed, "GET")
	}
	g := newGateway(f, &services{stream: sendEmpty})
	f.Fuzz(func(t *testing.T, path, verb string) {
		checkResponse(t, g, request{verb, path, "", nil})
	})
}

func FuzzLastEventID(f *testing.F) {
	for _, seed := range []string{"", "0", "-1", "12", "4294967296", "latest", "\xff", "1\n2", strings.Repeat("9", 200)} {
		f.Add(seed)
	}
	g := newGateway(f, &services{stream: sendEmpty})
	f.Fuzz(func(t *testing.T, point string) {
		for _, path := range []string{"/v1/games/g1:watch", "/v1/turns:watch", "/v1/games/g1:watch?afterVersion=1"} {
			checkResponse(t, g, get(path, "Last-Event-Id", point))
			checkResponse(t, g, get(path, "Last-Event-Id", point, "Accept", "text/event-stream"))
		}
	})
}
