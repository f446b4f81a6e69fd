package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	collectorv1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
)

// collector receives the spans that daemons export over OTLP.
type collector struct {
	collectorv1.UnimplementedTraceServiceServer
	addr string

	mu    sync.Mutex
	spans []*tracev1.Span
	// services maps each span to the name of its process.
	services map[*tracev1.Span]string
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &collector{addr: lis.Addr().String(), services: map[*tracev1.Span]string{}}
	server := grpc.NewServer()
	collectorv1.RegisterTraceServiceServer(server, c)
	served := make(chan error, 1)
	go func() { served <- server.Serve(lis) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return c
}

func (c *collector) Export(
	_ context.Context, in *collectorv1.ExportTraceServiceRequest,
) (*collectorv1.ExportTraceServiceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, process := range in.GetResourceSpans() {
		service := ""
		for _, attribute := range process.GetResource().GetAttributes() {
			if attribute.GetKey() == "service.name" {
				service = attribute.GetValue().GetStringValue()
			}
		}
		for _, scope := range process.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans, c.services[span] = append(c.spans, span), service
			}
		}
	}
	return &collectorv1.ExportTraceServiceResponse{}, nil
}

// tree formats a trace, with each span indented below its parent.
func (c *collector) tree(trace []byte) string {
	var lines []string
	var write func(parent []byte, indent string)
	write = func(parent []byte, indent string) {
		for _, span := range c.spans {
			if bytes.Equal(span.GetTraceId(), trace) && bytes.Equal(span.GetParentSpanId(), parent) {
				lines = append(lines, indent+c.services[span]+": "+span.GetName())
				write(span.GetSpanId(), indent+"  ")
			}
		}
	}
	// The root span of a trace has no parent, or one in the client.
	for _, span := range c.spans {
		if bytes.Equal(span.GetTraceId(), trace) && c.span(span.GetParentSpanId()) == nil {
			lines = append(lines, c.services[span]+": "+span.GetName())
			write(span.GetSpanId(), "  ")
		}
	}
	return strings.Join(lines, "\n")
}

func (c *collector) span(id []byte) *tracev1.Span {
	for _, span := range c.spans {
		if bytes.Equal(span.GetSpanId(), id) {
			return span
		}
	}
	return nil
}

// processes are the daemons of one test.
type processes struct {
	daemons []*App
	logs    []*logBuffer
}

func (p *processes) start(t *testing.T, role Role, s Settings) *App {
	t.Helper()
	a, log := startDaemon(t, role, s)
	p.daemons, p.logs = append(p.daemons, a), append(p.logs, log)
	return a
}

// stop stops all processes, which then export their last spans.
func (p *processes) stop() {
	for _, a := range slices.Backward(p.daemons) {
		a.Close()
	}
}

func (p *processes) logged(text string) bool {
	return slices.ContainsFunc(p.logs, func(l *logBuffer) bool { return strings.Contains(l.String(), text) })
}

const (
	clientTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceparent = "00-" + clientTrace + "-00f067aa0ba902b7-01"
)

// The test plays a move over REST within a trace of the client, stops the processes and checks the
// exported spans.
func TestAMoveAndTheRobotsMoveAreTraced(t *testing.T) {
	for name, start := range map[string]func(*testing.T, *processes, Settings) *App{
		"in one process": func(t *testing.T, p *processes, s Settings) *App { return p.start(t, All, s) },
		"in a process for each role": func(t *testing.T, p *processes, s Settings) *App {
			s.StrategyTarget = p.start(t, Strategy, s).Addrs["strategy"]
			s.GameTarget = p.start(t, Game, s).Addrs["game"]
			return p.start(t, Gateway, s)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, p := startCollector(t), &processes{}
			s := testSettings(t)
			s.TraceEndpoint = "http://" + c.addr
			gateway := start(t, p, s)
			resp, err := http.DefaultTransport.RoundTrip(request(t, "http://"+gateway.Addrs["http"]+"/v1/strategies"))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if got := resp.Header.Get("Traceparent"); !strings.HasPrefix(got, "00-") {
				t.Errorf("the response to a call without a trace has Traceparent %q", got)
			}
			playOneMove(t, "http://"+gateway.Addrs["http"])
			p.stop()
			slices.SortFunc(c.spans, func(a, b *tracev1.Span) int {
				return cmp.Compare(a.GetStartTimeUnixNano(), b.GetStartTimeUnixNano())
			})

			in := func(role string) string {
				if len(p.daemons) > 1 {
					return "flipside-" + role + ": "
				}
				return "flipside: "
			}
			trace, err := hex.DecodeString(clientTrace)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Join([]string{
				in("gateway") + "POST /v1/games/{game_id}/moves",
				"  " + in("gateway") + "flipside.game.v1.GameService/PlayMove",
				"    " + in("game") + "flipside.game.v1.GameService/PlayMove",
				"      " + in("game") + "store CachedGame",
				"      " + in("game") + "store Commit",
				"        " + in("game") + "store transaction",
			}, "\n")
			if got := without(c.tree(trace), "store Game", "store KeyHash", "store Request"); got != want {
				t.Errorf("the trace of the move:\n%s\nwant\n%s", got, want)
			}
			c.checkRobot(t, trace, strings.Join([]string{
				in("game") + "robot turn",
				"  " + in("game") + "flipside.strategy.v1.StrategyService/ChooseMove",
				"    " + in("strategy") + "flipside.strategy.v1.StrategyService/ChooseMove",
				"  " + in("game") + "store Commit",
				"    " + in("game") + "store transaction",
			}, "\n"))
			if !p.logged("PlayMove code=OK") || !p.logged("traceId="+clientTrace) {
				t.Errorf("no log line has the trace id:\n%s", p.logs)
			}
		})
	}
}

// checkRobot checks the trace of the robot's turn, which is linked with the trace of the move
// before it.
func (c *collector) checkRobot(t *testing.T, move []byte, want string) {
	t.Helper()
	for _, span := range c.spans {
		for _, link := range span.GetLinks() {
			if span.GetName() != "robot turn" || !bytes.Equal(link.GetTraceId(), move) {
				continue
			}
			if got := c.tree(span.GetTraceId()); got != want {
				t.Errorf("the trace of the robot's turn:\n%s\nwant\n%s", got, want)
			}
			if cause := c.span(link.GetSpanId()); !strings.HasSuffix(cause.GetName(), "/PlayMove") {
				t.Errorf("the robot's turn is linked with %q, want PlayMove", cause.GetName())
			}
			return
		}
	}
	t.Error("no robot's turn is linked with the move")
}

// without removes the lines that end with one of the names.
func without(text string, names ...string) string {
	var kept []string
	for line := range strings.Lines(text) {
		ends := func(name string) bool { return strings.HasSuffix(strings.TrimSpace(line), name) }
		if !slices.ContainsFunc(names, ends) {
			kept = append(kept, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(kept, "\n")
}

// playOneMove plays a move against a robot and waits for the robot's move.
func playOneMove(t *testing.T, base string) {
	t.Helper()
	me := post(t, base+"/v1/players", "", "", `{"displayName":"Ann"}`)
	key := fmt.Sprint(me["key"])
	created := post(t, base+"/v1/games", key, "", `{"setup":{"reversi":{"hexagon":{"rings":3}}},
		"seats":[{"caller":{}},{"robot":{"strategy":{"level":"LEVEL_EASY"}}}]}`)
	game, _ := created["game"].(map[string]any)
	url := base + "/v1/games/" + fmt.Sprint(game["id"])
	post(t, url+"/moves", key, traceparent, `{"notation":"1,-2"}`)
	version := fmt.Sprint(game["version"].(float64) + 1)
	call(t, http.MethodGet, url+"/events?wait=30s&afterVersion="+version, key, "", "")
}

func post(t *testing.T, url, key, trace, body string) map[string]any {
	t.Helper()
	return call(t, http.MethodPost, url, key, trace, body)
}

func call(t *testing.T, verb, url, key, trace, body string) map[string]any {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), verb, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	if trace != "" {
		req.Header.Set("Traceparent", trace)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %v", url, resp.Status, answer, err)
	}
	if got := resp.Header.Get("Traceparent"); trace != "" && got != trace {
		t.Errorf("the response has Traceparent %q, want %q", got, trace)
	}
	return answer
}
