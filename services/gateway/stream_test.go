package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/golden"
	"github.com/flipside-games/flipside/services/internal/serve"
)

var asEvents = []string{"Accept", "text/event-stream"}

// sending returns services whose streams send messages and then end, with err if it is not nil.
func sending(err error, messages ...proto.Message) *services {
	return &services{stream: func(_ context.Context, _ proto.Message, send func(proto.Message) error) error {
		for _, m := range messages {
			if err := send(m); err != nil {
				return err
			}
		}
		return err
	}}
}

// watched returns a stream of a game with every kind of message.
func watched(t testing.TB) []proto.Message {
	var messages []proto.Message
	for _, text := range []string{
		`{"version":2,"time":"2026-01-02T03:04:05Z","heartbeatInterval":"10s","snapshot":{"id":"01k","version":2,"state":"GAME_STATE_ACTIVE"}}`,
		`{"version":3,"event":{"gameId":"01k","version":3,"movePlayed":{"side":"SIDE_FIRST","notation":"d3"}}}`,
		`{"version":3,"robotDelayed":{"side":"SIDE_SECOND","attempt":1}}`,
		`{"version":3,"heartbeat":{}}`,
		`{"version":3,"end":{"reason":"END_REASON_GAME_OVER"}}`,
	} {
		messages = append(messages, read(t, &gamev1.WatchGameResponse{}, text))
	}
	return messages
}

func turns(t testing.TB) []proto.Message {
	var messages []proto.Message
	for _, text := range []string{
		`{"cursor":"7","heartbeatInterval":"10s","turn":{"gameId":"01k","playerId":"p","side":"SIDE_FIRST","version":4}}`,
		`{"cursor":"8","gameOver":{"gameId":"01k","outcome":{"draw":true,"ending":"ENDING_SCORE"}}}`,
		`{"cursor":"8","heartbeat":{}}`,
		`{"cursor":"8","end":{"reason":"END_REASON_SHUTTING_DOWN"}}`,
	} {
		messages = append(messages, read(t, &gamev1.WatchTurnsResponse{}, text))
	}
	return messages
}

func analyses(t testing.TB) []proto.Message {
	var messages []proto.Message
	for _, text := range []string{
		`{"analysis":{"depth":1,"score":-2,"nodes":"5","time":"0.001s","principalVariation":["d3"]}}`,
		`{"analysis":{"depth":2,"score":3,"exact":true,"nodes":"9007199254740993","time":"0.5s","principalVariation":["d3","c3"],"final":true}}`,
	} {
		messages = append(messages, read(t, &strategyv1.AnalyzePositionResponse{}, text))
	}
	return messages
}

func TestFramings(t *testing.T) {
	t.Parallel()
	failed := serve.Status(fault.New(fault.StoreUnavailable, "the store is unavailable").RetryIn(time.Second)).Err()
	for _, test := range []struct {
		name string
		s    *services
		request
	}{
		{"watch_game", sending(nil, watched(t)...), get("/v1/games/01k:watch")},
		{"watch_turns", sending(nil, turns(t)...), get("/v1/turns:watch")},
		{"analyze", sending(nil, analyses(t)...), post("/v1/positions:analyze", `{}`)},
		{"cut", sending(failed, watched(t)[:2]...), get("/v1/games/01k:watch")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inProcess, dialled := start(t, test.s), start(t, test.s, dialled(t, test.s))
			for _, way := range []struct {
				server                      *httptest.Server
				accept, contentType, suffix string
			}{
				{inProcess, "", "application/x-ndjson", ".ndjson"},
				{dialled, "application/json, */*", "application/x-ndjson", ".ndjson"},
				{inProcess, "text/event-stream", "text/event-stream", ".sse"},
				{dialled, "text/html, text/event-stream;q=0.9", "text/event-stream", ".sse"},
			} {
				r := test.request
				r.header = append(slices.Clip(r.header), "Accept", way.accept, "Accept-Encoding", "gzip")
				a := do(t, way.server, r)
				golden.Check(t, test.name+way.suffix, compact(a.body))
				want := map[string]string{
					"Content-Type": way.contentType, "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no",
					"Content-Encoding": "", "Content-Length": "",
				}
				for name, value := range want {
					if got := a.Header.Get(name); got != value {
						t.Errorf("Accept %q: %s %q, want %q", way.accept, name, got, value)
					}
				}
			}
		})
	}
}

// An error before the first message is answered like the error of a unary call, in both framings.
func TestStreamsThatDoNotStart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		s    *services
		want failure
	}{
		{
			sending(serve.Status(fault.New(fault.GameNotFound, "no such game")).Err()),
			failure{404, int(codes.NotFound), "GAME_NOT_FOUND", "", "no such game"},
		},
		{sending(nil), failure{503, int(codes.Unavailable), "GAME_UNAVAILABLE", "", "the Game service is unavailable: retry later"}},
	} {
		server := start(t, test.s)
		for _, accept := range [][]string{nil, asEvents} {
			if diff := cmp.Diff(test.want, errorIn(t, do(t, server, get("/v1/games/g1:watch", accept...)))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", accept, diff)
			}
		}
	}
}

func TestResumePoints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, path string
		header     []string
		want       proto.Message
	}{
		{"by query", "/v1/games/g:watch?afterVersion=3", nil, &gamev1.WatchGameRequest{GameId: "g", AfterVersion: proto.Int32(3)}},
		{
			"by header", "/v1/games/g:watch", []string{"Last-Event-ID", "4"},
			&gamev1.WatchGameRequest{GameId: "g", AfterVersion: proto.Int32(4)},
		},
		{
			"by both, as a reconnecting EventSource", "/v1/games/g:watch?afterVersion=3", []string{"Last-Event-ID", "4"},
			&gamev1.WatchGameRequest{GameId: "g", AfterVersion: proto.Int32(4)},
		},
		{"by an empty header", "/v1/games/g:watch", []string{"Last-Event-ID", ""}, &gamev1.WatchGameRequest{GameId: "g"}},
		{"turns by query", "/v1/turns:watch?afterCursor=a", nil, &gamev1.WatchTurnsRequest{AfterCursor: "a"}},
		{"turns by header", "/v1/turns:watch?afterCursor=a", []string{"Last-Event-ID", "b"}, &gamev1.WatchTurnsRequest{AfterCursor: "b"}},
	} {
		s := &services{stream: sendEmpty}
		do(t, start(t, s), get(test.path, test.header...))
		if got := s.last(t).in; !proto.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	want := invalid("INVALID_FIELD", "Last-Event-Id", "invalid value: use a 32-bit integer")
	got := errorIn(t, do(t, start(t, &services{}), get("/v1/games/g:watch", "Last-Event-ID", "latest")))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("an invalid one (-want +got):\n%s", diff)
	}
}

// EventSource reconnects until it gets 204, which ends the events of a finished game.
func TestEventsOfAFinishedGame(t *testing.T) {
	t.Parallel()
	over := read(t, &gamev1.WatchGameResponse{}, `{"version":3,"end":{"reason":"END_REASON_GAME_OVER"}}`)
	stopping := read(t, &gamev1.WatchGameResponse{}, `{"version":3,"end":{"reason":"END_REASON_SHUTTING_DOWN"}}`)
	for _, test := range []struct {
		name   string
		s      *services
		header []string
		want   int
	}{
		{"no new event", sending(nil, over), append(asEvents, "Last-Event-ID", "3"), 204},
		{"one new event", sending(nil, watched(t)[1], over), append(asEvents, "Last-Event-ID", "2"), 200},
		{"the first connection", sending(nil, over), asEvents, 200},
		{"another end reason", sending(nil, stopping), append(asEvents, "Last-Event-ID", "3"), 200},
		{"NDJSON", sending(nil, over), []string{"Last-Event-ID", "3"}, 200},
	} {
		a := do(t, start(t, test.s), get("/v1/games/01k:watch", test.header...))
		if a.StatusCode != test.want || (a.body == "") != (test.want == 204) {
			t.Errorf("%s: %d %q, want %d", test.name, a.StatusCode, a.body, test.want)
		}
	}
}

// open starts to read a stream.
func open(ctx context.Context, t *testing.T, server *httptest.Server, r request) *bufio.Reader {
	t.Helper()
	resp, err := server.Client().Do(newRequest(ctx, t, server, r))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return bufio.NewReader(resp.Body)
}

// Every message is delivered at once. When the client disconnects, the call ends.
func TestDeliveryAndDisconnect(t *testing.T) {
	t.Parallel()
	for i, accept := range [][]string{nil, asEvents, nil, asEvents} {
		more, gone := make(chan bool), make(chan error, 1)
		s := &services{stream: func(ctx context.Context, _ proto.Message, send func(proto.Message) error) error {
			for range more {
				if send(&gamev1.WatchGameResponse{Version: 1}) != nil {
					break // The client disconnected before the last message.
				}
			}
			<-ctx.Done()
			gone <- ctx.Err()
			return ctx.Err()
		}}
		var server *httptest.Server
		if i < 2 {
			server = start(t, s)
		} else {
			server = start(t, s, dialled(t, s))
		}
		ctx, disconnect := context.WithCancel(t.Context())
		opened := make(chan *bufio.Reader)
		go func() {
			opened <- open(ctx, t, server, get("/v1/games/g:watch", accept...))
		}()
		more <- true
		body := <-opened
		for range 3 {
			if line, err := body.ReadString('\n'); err != nil || line == "" {
				t.Fatalf("%q, %v", line, err)
			}
			if accept != nil { // The rest of the event.
				for line := "-"; line != "\n"; line, _ = body.ReadString('\n') {
				}
			}
			more <- true
		}
		close(more)
		disconnect()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
	}
}

// Draining ends streams of games with a resume point and an analysis with an error.
func TestDraining(t *testing.T) {
	t.Parallel()
	holdOpen := func(m proto.Message) *services {
		return &services{stream: func(ctx context.Context, _ proto.Message, send func(proto.Message) error) error {
			if err := send(m); err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}}
	}
	const unavailable = `"error":{"code":14,`
	for _, test := range []struct {
		first proto.Message
		request
		want []string
	}{
		{
			&gamev1.WatchGameResponse{Version: 5}, get("/v1/games/g:watch"),
			[]string{`"version":5,`, `"end":{"reason":"END_REASON_SHUTTING_DOWN"}`},
		},
		{
			&gamev1.WatchGameResponse{Version: 5}, get("/v1/games/g:watch", asEvents...),
			[]string{"id: 5\nevent: end\n", `"end":{"reason":"END_REASON_SHUTTING_DOWN"}`},
		},
		{
			&gamev1.WatchTurnsResponse{Cursor: "c"}, get("/v1/turns:watch"),
			[]string{`"cursor":"c",`, `"end":{"reason":"END_REASON_SHUTTING_DOWN"}`},
		},
		{&strategyv1.AnalyzePositionResponse{}, post("/v1/positions:analyze", "{}"), []string{unavailable, "STRATEGY_UNAVAILABLE"}},
	} {
		g := newGateway(t, holdOpen(test.first))
		server := httptest.NewServer(g)
		body := open(t.Context(), t, server, test.request)
		for i := 0; i < 1 || test.header != nil && i < 4 && test.verb == "GET"; i++ { // The first line, or event.
			if _, err := body.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		g.Drain()
		rest, err := io.ReadAll(body)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
		}
		for _, want := range test.want {
			if !strings.Contains(string(compact(string(rest))), want) {
				t.Errorf("%s: the rest of the stream is %q, want %q", test.path, rest, want)
			}
		}
		if got := errorIn(t, do(t, server, test.request)); got.Status != http.StatusServiceUnavailable {
			t.Errorf("%s: a stream after Drain: %+v", test.path, got)
		}
		server.Close() // It waits for open requests.
	}
}

// Draining adds no second end message.
func TestDrainingAfterTheEnd(t *testing.T) {
	t.Parallel()
	s := &services{stream: func(ctx context.Context, _ proto.Message, send func(proto.Message) error) error {
		if err := send(watched(t)[4]); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}}
	g := newGateway(t, s)
	server := httptest.NewServer(g)
	defer server.Close()
	body := open(t.Context(), t, server, get("/v1/games/g:watch"))
	if _, err := body.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	g.Drain()
	if rest, err := io.ReadAll(body); len(rest) > 0 || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
}

// The write timeout of the server does not end a stream. A client that reads nothing does end it.
func TestTimeoutsOfStreams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan time.Duration, 1)
		s := &services{stream: func(ctx context.Context, _ proto.Message, send func(proto.Message) error) error {
			begun := time.Now()
			for {
				if err := send(&gamev1.WatchGameResponse{Version: 1}); err != nil {
					ended <- time.Since(begun)
					return err
				}
				select {
				case <-time.After(10 * time.Second):
				case <-ctx.Done():
				}
			}
		}}
		client, conn := net.Pipe() // It has no buffer: a write blocks until it is read.
		server := &http.Server{Handler: newGateway(t, s), ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second}
		go server.Serve(&oneConn{conn: conn, closed: make(chan struct{})})
		defer server.Close()
		if _, err := io.WriteString(client, "GET /v1/games/g:watch HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer key\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(resp.Body)
		const read = 30
		for range read {
			if !lines.Scan() {
				t.Fatalf("the stream ended after %v: %v", time.Since(time.Unix(0, 0)), lines.Err())
			}
		}
		if took := <-ended; took < read*9*time.Second || took > (read+1)*10*time.Second+2*stallTimeout {
			t.Errorf("the call ended after %v", took)
		}
	})
}

// oneConn is a listener that accepts one connection.
type oneConn struct {
	conn   net.Conn
	closed chan struct{}
}

func (l *oneConn) Accept() (net.Conn, error) {
	if conn := l.conn; conn != nil {
		l.conn = nil
		return conn, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error   { close(l.closed); return nil }
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }

// Nothing follows an end message, not even an error of the service.
func TestEndIsTheLastMessage(t *testing.T) {
	t.Parallel()
	for _, reason := range []gamev1.EndReason{
		gamev1.EndReason_END_REASON_GAME_OVER, gamev1.EndReason_END_REASON_SHUTTING_DOWN,
		gamev1.EndReason_END_REASON_TOO_SLOW, gamev1.EndReason_END_REASON_KEY_REVOKED,
	} {
		end := &gamev1.End{Reason: reason}
		failure := status.Error(codes.DeadlineExceeded, "the reader is stuck")
		for path, s := range map[string]*services{
			"/v1/games/g:watch": sending(failure, &gamev1.WatchGameResponse{
				Message: &gamev1.WatchGameResponse_End{End: end},
			}),
			"/v1/turns:watch": sending(failure, &gamev1.WatchTurnsResponse{
				Message: &gamev1.WatchTurnsResponse_End{End: end},
			}),
		} {
			for _, header := range [][]string{nil, asEvents} {
				body := strings.TrimSpace(do(t, start(t, s), get(path, header...)).body)
				last := body[strings.LastIndex(body, "\n")+1:]
				if !strings.Contains(last, reason.String()) {
					t.Errorf("%s %v %s: the last line is %s", path, header, reason, last)
				}
			}
		}
	}
}

// A service that fails during a stream is reported as unavailable.
func TestServiceFailsDuringAStream(t *testing.T) {
	t.Parallel()
	failing := sending(status.Error(codes.Unavailable, "the connection broke"), watched(t)[0])
	for name, server := range map[string]*httptest.Server{"in process": start(t, failing), "dialled": start(t, failing, dialled(t, failing))} {
		lines := strings.Split(strings.TrimSpace(string(compact(do(t, server, get("/v1/games/g:watch")).body))), "\n")
		want := `{"error":{"code":14,"message":"the Game service is unavailable: retry later"`
		if last := lines[len(lines)-1]; len(lines) != 2 || !strings.HasPrefix(last, want) {
			t.Errorf("%s: the last of %d lines is %s, want %s", name, len(lines), last, want)
		}
	}
}

func TestInternalErrorDuringAStream(t *testing.T) {
	t.Parallel()
	a := do(t, start(t, sending(status.Error(codes.Internal, "sql: no rows"), watched(t)[0])), get("/v1/games/g:watch"))
	lines := strings.Split(strings.TrimSpace(string(compact(a.body))), "\n")
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, `{"error":{"code":13,"message":"internal error"`) || !strings.Contains(last, `"INTERNAL"`) {
		t.Errorf("the last line is %s, want an internal error", last)
	}
}
