package gateway

import (
	"archive/zip"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flipside-games/flipside/services/internal/golden"
)

func TestPages(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	for path, contentType := range map[string]string{
		"/":                 "text/html; charset=utf-8",
		"/g/game1":          "text/html; charset=utf-8",
		"/app.js":           "text/javascript; charset=utf-8",
		"/docs":             "text/html; charset=utf-8",
		"/app.css":          "text/css; charset=utf-8",
		"/LICENSE.txt":      "text/plain; charset=utf-8",
		"/openapi.json":     "application/json",
		"/protos.zip":       "application/zip",
		"/descriptor.binpb": "application/octet-stream",
	} {
		a := do(t, server, get(path))
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != contentType {
			t.Errorf("%s: %d %s, want 200 %s", path, a.StatusCode, a.Header.Get("Content-Type"), contentType)
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") {
			t.Errorf("%s: policy %q", path, policy)
		}
		if again := do(t, server, get(path, "If-None-Match", a.Header.Get("ETag"))); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: status %d for the current etag, want 304", path, again.StatusCode)
		}
		if external := regexp.MustCompile(`(src|href)="(https?:)?//`).FindString(a.body); external != "" {
			t.Errorf("%s loads external content: %s", path, external)
		}
	}
}

func TestPagesAreCompressed(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	plain := do(t, server, get("/docs", "Accept-Encoding", "identity"))
	zipped := do(t, server, get("/docs", "Accept-Encoding", "br, gzip"))
	if got := zipped.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("Content-Encoding %q, want gzip", got)
	}
	reader, err := gzip.NewReader(strings.NewReader(zipped.body))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(reader)
	if err != nil || string(content) != plain.body {
		t.Errorf("the compressed page differs from the plain one: %v", err)
	}
	if plain.Header.Get("ETag") == zipped.Header.Get("ETag") {
		t.Error("both forms have the same ETag")
	}
	refused := do(t, server, get("/docs", "Accept-Encoding", "gzip;q=0"))
	if got := refused.Header.Get("Content-Encoding"); got != "" {
		t.Errorf("Content-Encoding %q for a client that refuses gzip", got)
	}
}

func TestProtosAreServed(t *testing.T) {
	t.Parallel()
	server := start(t, &services{})
	content := do(t, server, get("/protos.zip")).body
	archive, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal([]byte(do(t, server, get("/descriptor.binpb")).body), &set); err != nil {
		t.Fatal(err)
	}
	for _, file := range set.GetFile() {
		if _, err := archive.Open(file.GetName()); strings.HasPrefix(file.GetName(), "flipside/") && err != nil {
			t.Errorf("/protos.zip: %v", err)
		}
	}
	if _, err := protodesc.NewFiles(&set); err != nil {
		t.Errorf("/descriptor.binpb is incomplete: %v", err)
	}
}

func TestProbes(t *testing.T) {
	t.Parallel()
	game, strategy := &services{}, &services{}
	newGateway(t, strategy) // It sets strategy.health.
	var g *Gateway
	server := start(t, game, func(o *Options) { o.Strategy = strategy.channel() })
	g = server.Config.Handler.(*Gateway)
	ready := func() response { return do(t, server, get("/readyz")) }
	const serving, not = grpc_health_v1.HealthCheckResponse_SERVING, grpc_health_v1.HealthCheckResponse_NOT_SERVING

	if a := ready(); a.StatusCode != http.StatusOK || a.body != "ok\n" {
		t.Errorf("both services ready: %d %q", a.StatusCode, a.body)
	}
	game.health.SetServingStatus("", not)
	if got := errorIn(t, ready()); got.Status != http.StatusServiceUnavailable || got.Reason != "GAME_UNAVAILABLE" {
		t.Errorf("Game not ready: %+v", got)
	}
	game.health.SetServingStatus("", serving)
	strategy.health.SetServingStatus("", not)
	if got := errorIn(t, ready()); got.Status != http.StatusServiceUnavailable || got.Reason != "STRATEGY_UNAVAILABLE" {
		t.Errorf("Strategy not ready: %+v", got)
	}
	strategy.health.SetServingStatus("", serving)
	g.Drain()
	if got := errorIn(t, ready()); got.Status != http.StatusServiceUnavailable {
		t.Errorf("draining: %+v", got)
	}
	if a := do(t, server, get("/livez")); a.StatusCode != http.StatusOK || a.body != "ok\n" {
		t.Errorf("liveness: %d %q", a.StatusCode, a.body)
	}
}

// description is the part of the OpenAPI document that the tests inspect.
type description struct {
	OpenAPI string `json:"openapi"`
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]operation
	// Components has the schema names only.
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

// The golden file has one line per operation.
func TestOpenAPIOperations(t *testing.T) {
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

func TestOpenAPIMatchesTheRoutes(t *testing.T) {
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
			t.Errorf("%s %s is missing", rt.verb, rt.template)
			continue
		}
		content := op.Responses["200"].Content
		_, lines := content["application/x-ndjson"]
		_, events := content["text/event-stream"]
		if _, plain := content["application/json"]; lines != rt.isStream() || events != rt.isStream() || plain && rt.isStream() {
			t.Errorf("%s: content types %v", rt.template, content)
		}
		if keyless := op.Security != nil && len(*op.Security) == 0; keyless != strings.Contains(op.Description, "needs no key") {
			t.Errorf("%s: without key %v, but its description differs", rt.template, keyless)
		}
	}
	// All references resolve, and no text of the protos for other readers is left.
	for _, ref := range regexp.MustCompile(`"\$ref": "#/components/(\w+)/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if doc.Components[ref[1]][ref[2]] == nil {
			t.Errorf("%s does not resolve", ref[0])
		}
	}
	for _, leak := range []string{"buf:lint", "HttpBody", "`game_over`", "_id`"} {
		if strings.Contains(text, leak) {
			t.Errorf("the document contains %q", leak)
		}
	}
}

// The gateway accepts all examples and parameters of the document.
func TestOpenAPIExamples(t *testing.T) {
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
		t.Errorf("%d examples, want at least 8", examples)
	}
}
