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

// collector takes the spans that daemons send it over OTLP.
type collector struct {
	collectorv1.UnimplementedTraceServiceServer
	addr string

	mu    sync.Mutex
	spans []*tracev1.Span
	// services has the name of the process that made each span.
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

// tree writes a trace down, a line for each span, below the one it belongs to.
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
	// The outermost span of a trace belongs to none, or to one that its caller made.
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
	a, log := daemon(t, role, s)
	p.daemons, p.logs = append(p.daemons, a), append(p.logs, log)
	return a
}

// stop stops all, so that they send the last they have.
func (p *processes) stop() {
	for _, a := range slices.Backward(p.daemons) {
		a.Close()
	}
}

func (p *processes) logged(text string) bool {
	return slices.ContainsFunc(p.logs, func(l *logBuffer) bool { return strings.Contains(l.String(), text) })
}

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceparent  = "00-" + callersTrace + "-00f067aa0ba902b7-01"
)

// TestAMoveAndTheRobotsAnswerAreTraced plays one move over REST, as a caller who has a trace of his own, and looks at what
// the processes have sent once they have stopped.
func TestAMoveAndTheRobotsAnswerAreTraced(t *testing.T) {
	for name, start := range map[string]func(*testing.T, *processes, Settings) *App{
		"everything in one process": func(t *testing.T, p *processes, s Settings) *App { return p.start(t, All, s) },
		"each role in its own": func(t *testing.T, p *processes, s Settings) *App {
			s.StrategyTarget = p.start(t, Strategy, s).Addrs["strategy"]
			s.GameTarget = p.start(t, Game, s).Addrs["game"]
			return p.start(t, Gateway, s)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, p := startCollector(t), &processes{}
			gateway := start(t, p, Settings{TraceEndpoint: "http://" + c.addr})
			resp, err := http.DefaultTransport.RoundTrip(request(t, "http://"+gateway.Addrs["http"]+"/v1/strategies"))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if told := resp.Header.Get("Traceparent"); !strings.HasPrefix(told, "00-") {
				t.Errorf("a caller without a trace was not told of ours, but %q", told)
			}
			playOneMove(t, "http://"+gateway.Addrs["http"])
			p.stop()
			slices.SortFunc(c.spans, func(a, b *tracev1.Span) int {
				return cmp.Compare(a.GetStartTimeUnixNano(), b.GetStartTimeUnixNano())
			})

			apart := len(p.daemons) > 1
			in := func(role string) string {
				if apart {
					return "flipside-" + role + ": "
				}
				return "flipside: "
			}
			trace, err := hex.DecodeString(callersTrace)
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
			if !p.logged("PlayMove code=OK") || !p.logged("traceId="+callersTrace) {
				t.Errorf("no line of the log has the trace:\n%s", p.logs)
			}
		})
	}
}

// checkRobot looks for the trace of the robot's turn: one of its own, linked with that of the move that led to it.
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
				t.Errorf("the robot's turn is linked with %q", cause.GetName())
			}
			return
		}
	}
	t.Error("no robot's turn is linked with the move")
}

// without leaves some lines out.
func without(text string, names ...string) string {
	var kept []string
	for line := range strings.Lines(text) {
		leave := false
		for _, name := range names {
			leave = leave || strings.HasSuffix(strings.TrimSpace(line), name)
		}
		if !leave {
			kept = append(kept, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(kept, "\n")
}

// playOneMove plays a move of a game against a robot, and waits for the robot's.
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
	told := resp.Header.Get("Traceparent")
	if trace != "" && told != trace {
		t.Errorf("the caller's trace %s came back as %q", trace, told)
	}
	return answer
}
