package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/flipside-games/flipside/services/internal/golden"
)

func TestPages(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	for path, contentType := range map[string]string{
		"/":             "text/html; charset=utf-8",
		"/docs":         "text/html; charset=utf-8",
		"/docs.js":      "text/javascript; charset=utf-8",
		"/index.js":     "text/javascript; charset=utf-8",
		"/style.css":    "text/css; charset=utf-8",
		"/openapi.json": "application/json",
	} {
		a := do(t, server, get(path))
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != contentType {
			t.Errorf("%s: %d %s, want 200 %s", path, a.StatusCode, a.Header.Get("Content-Type"), contentType)
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if again := do(t, server, get(path, "If-None-Match", a.Header.Get("ETag"))); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %d when nothing has changed", path, again.StatusCode)
		}
		if external := regexp.MustCompile(`(src|href)="(https?:)?//`).FindString(a.body); external != "" {
			t.Errorf("%s loads from elsewhere: %s", path, external)
		}
	}
}

func TestProbes(t *testing.T) {
	t.Parallel()
	game, strategy := &services{}, &services{}
	newGateway(t, strategy) // Which gives it its health.
	var g *Gateway
	server := start(t, game, func(o *Options) { o.Strategy = strategy.channel() })
	g = server.Config.Handler.(*Gateway)
	ready := func() answer { return do(t, server, get("/readyz")) }
	const serving, not = grpc_health_v1.HealthCheckResponse_SERVING, grpc_health_v1.HealthCheckResponse_NOT_SERVING

	if a := ready(); a.StatusCode != http.StatusOK || a.body != "ok\n" {
		t.Errorf("all is well: %d %q", a.StatusCode, a.body)
	}
	game.health.SetServingStatus("", not)
	if got := errorIn(t, ready()); got.Status != http.StatusServiceUnavailable || got.Reason != "STORE_UNAVAILABLE" {
		t.Errorf("without Game: %+v", got)
	}
	game.health.SetServingStatus("", serving)
	strategy.health.SetServingStatus("", not)
	if got := errorIn(t, ready()); got.Status != http.StatusServiceUnavailable || got.Reason != "STRATEGY_UNAVAILABLE" {
		t.Errorf("without Strategy: %+v", got)
	}
	strategy.health.SetServingStatus("", serving)
	g.Drain()
	if got := errorIn(t, ready()); got.Status != http.StatusServiceUnavailable {
		t.Errorf("when it stops: %+v", got)
	}
	if a := do(t, server, get("/livez")); a.StatusCode != http.StatusOK || a.body != "ok\n" {
		t.Errorf("it lives: %d %q", a.StatusCode, a.body)
	}
}

// description is the OpenAPI document, as far as the tests look at it.
type description struct {
	OpenAPI string `json:"openapi"`
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]operation
	// Components are known only by their names.
	Components map[string]map[string]any
}

type operation struct {
	OperationID string `json:"operationId"`
	Description string
	Security    *[]map[string][]string
	Parameters  []struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	RequestBody struct {
		Content map[string]struct {
			Example json.RawMessage
		}
	}
	Responses map[string]struct {
		Content map[string]struct{ Schema json.RawMessage }
	}
}

func openAPIOf(t *testing.T, server *httptest.Server) (description, string) {
	t.Helper()
	text := do(t, server, get("/openapi.json")).body
	var doc description
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc, text
}

// What the document says of each operation, in one line.
func TestOpenAPIInShort(t *testing.T) {
	t.Parallel()
	doc, _ := openAPIOf(t, start(t, &services{}))
	var lines []string
	for path, operations := range doc.Paths {
		for verb, op := range operations {
			line := strings.ToUpper(verb) + " " + path + " ("
			for _, parameter := range op.Parameters {
				line += " " + parameter.Name + strings.TrimPrefix(parameter.Ref, "#/components/parameters/")
			}
			line += " ) ->"
			for _, code := range slices.Sorted(maps.Keys(op.Responses)) {
				line += " " + code + " " + strings.Join(slices.Sorted(maps.Keys(op.Responses[code].Content)), ", ")
			}
			lines = append(lines, strings.TrimSpace(line)+"\n")
		}
	}
	slices.Sort(lines)
	golden.Check(t, "openapi.txt", []byte(strings.Join(lines, "")))
}

func TestOpenAPIIsTrue(t *testing.T) {
	t.Parallel()
	server := start(t, &services{stream: sendEmpty})
	doc, text := openAPIOf(t, server)
	if doc.OpenAPI != "3.1.0" || doc.Info.Title != "Flipside" || doc.Info.Version != "1.2.3" {
		t.Errorf("OpenAPI %s of %+v", doc.OpenAPI, doc.Info)
	}
	g := server.Config.Handler.(*Gateway)
	for _, rt := range g.routes {
		op, ok := doc.Paths[rt.template][strings.ToLower(rt.verb)]
		if !ok {
			t.Errorf("%s %s is not in it", rt.verb, rt.template)
			continue
		}
		content := op.Responses["200"].Content
		_, lines := content["application/x-ndjson"]
		_, events := content["text/event-stream"]
		if _, plain := content["application/json"]; lines != rt.streams() || events != rt.streams() || plain && rt.streams() {
			t.Errorf("%s says that it is sent as %v", rt.template, content)
		}
		if keyless := op.Security != nil && len(*op.Security) == 0; keyless != strings.Contains(op.Description, "Needs no key.") {
			t.Errorf("%s says that it needs no key: %v", rt.template, keyless)
		}
	}
	// What it refers to is there, and what the protos say for others is not.
	for _, ref := range regexp.MustCompile(`"\$ref": "#/components/(\w+)/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if doc.Components[ref[1]][ref[2]] == nil {
			t.Errorf("%s is not there", ref[0])
		}
	}
	for _, leak := range []string{"buf:lint", "HttpBody", "`game_over`", "_id`"} {
		if strings.Contains(text, leak) {
			t.Errorf("it contains %q", leak)
		}
	}
}

// The examples are requests that the gateway takes, and each parameter is one that it knows.
func TestOpenAPICanBeFollowed(t *testing.T) {
	t.Parallel()
	server := start(t, &services{stream: sendEmpty})
	doc, _ := openAPIOf(t, server)
	examples := 0
	for template, operations := range doc.Paths {
		path := strings.ReplaceAll(template, "{game_id}", "g1")
		for verb, op := range operations {
			r := request{strings.ToUpper(verb), path, "{}", []string{"Content-Type", "application/json"}}
			if example := op.RequestBody.Content["application/json"].Example; example != nil {
				examples++
				r.body = string(example)
			}
			if a := do(t, server, r); a.StatusCode != http.StatusOK {
				t.Errorf("%s %s: %d %s", verb, path, a.StatusCode, a.body)
			}
			for _, parameter := range op.Parameters {
				if parameter.In != "query" {
					continue
				}
				r.path = path + "?" + parameter.Name + "="
				if a := do(t, server, r); a.StatusCode != http.StatusOK && errorIn(t, a).Reason == "UNKNOWN_FIELD" {
					t.Errorf("%s: %s", r.path, a.body)
				}
			}
		}
	}
	if examples < 8 {
		t.Errorf("only %d examples", examples)
	}
}

// The page draws every operation, in a real browser.
func TestDocsInABrowser(t *testing.T) {
	t.Parallel()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	server := start(t, &services{})
	doc, _ := openAPIOf(t, server)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	page, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--no-first-run", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom", server.URL+"/docs").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path, operations := range doc.Paths {
		for _, op := range operations {
			if !strings.Contains(string(page), `<article id="`+op.OperationID+`">`) {
				t.Errorf("%s of %s is not on the page", op.OperationID, path)
			}
		}
	}
	if strings.Contains(string(page), "could not be shown") {
		t.Error("the page says that it has failed")
	}
}
