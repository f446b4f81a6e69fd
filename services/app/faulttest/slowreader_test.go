//go:build unix

package faulttest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// dialSmallBuffers dials with small buffers, so that the server soon notices a client that does not
// read. The segments are small because the sender reserves space for some of them.
func dialSmallBuffers(ctx context.Context, _, addr string) (net.Conn, error) {
	dialer := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = errors.Join(
				syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096),
				syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 536),
			)
		})
		return errors.Join(err, failed)
	}}
	return dialer.DialContext(ctx, "tcp", addr)
}

// The test opens streams without reading them, and plays a long game.
func TestSlowReadersDelayNoOtherCaller(t *testing.T) {
	inEach(t, testSlowReadersDelayNoOtherCaller)
}

func testSlowReadersDelayNoOtherCaller(t *testing.T, start starter) {
	server := start(t, "--slow-reader-timeout", "200ms")
	ann := server.join(t)
	g := ann.create(t, square(16), callerSeat(), callerSeat())
	unread := map[string]reader[*gamev1.WatchGameResponse]{"gRPC": watchSlowlyOverGRPC(t, server, ann, g.GetId())}
	if len(server.metrics) == 1 { // The connections of a gateway in its own process buffer a whole game.
		unread["NDJSON"] = watchSlowlyOverREST(t, server, ann, g.GetId(), "")
		unread["SSE"] = watchSlowlyOverREST(t, server, ann, g.GetId(), "text/event-stream")
	}
	fast, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId(), AfterVersion: new(int32)})
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan int, 1)
	go func() {
		n := 0
		for m, err := fast.Recv(); err == nil && m.GetEnd() == nil; m, err = fast.Recv() {
			n++
		}
		received <- n
	}()
	for g.GetTurn() != nil {
		begin := time.Now()
		g = ann.move(t, g.GetId())
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("a move took %v", took)
		}
	}
	if n := <-received; n != int(g.GetVersion()) {
		t.Errorf("a fast reader received %d of %d events", n, g.GetVersion())
	}
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchGame",service="game"} 0`)
	for name, stream := range unread {
		last := readRest(t, name, stream)
		if last.GetVersion() >= g.GetVersion() {
			t.Errorf("%s: the connection buffered all %d events, so that the test tests nothing", name, g.GetVersion())
		}
	}
}

// readRest reads a stream to its end and checks that no event is missing before it. It returns the
// last message.
func readRest(t *testing.T, name string, stream reader[*gamev1.WatchGameResponse]) *gamev1.WatchGameResponse {
	t.Helper()
	last := &gamev1.WatchGameResponse{}
	for {
		m, err := stream.Recv()
		switch {
		case err != nil:
			if s, ok := status.FromError(err); ok && s.Code() != codes.DeadlineExceeded || !ok && !errors.Is(err, io.EOF) {
				t.Errorf("%s ended with %v", name, err)
			}
			return last
		case m.GetEnd() != nil:
			if m.GetEnd().GetReason() != gamev1.EndReason_END_REASON_TOO_SLOW {
				t.Errorf("%s ended with %v", name, m.GetEnd())
			}
			return last
		case m.GetEvent() != nil && m.GetVersion() != last.GetVersion()+1:
			t.Errorf("%s: version %d follows version %d", name, m.GetVersion(), last.GetVersion())
		}
		last = m
	}
}

func watchSlowlyOverGRPC(t *testing.T, server *daemon, p *player, id string) reader[*gamev1.WatchGameResponse] {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+server.firstGame, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) { return dialSmallBuffers(ctx, "", addr) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	stream, err := grpcWatcher{overGRPC{conn}}.game(t.Context(), p, id, "0")
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

func watchSlowlyOverREST(t *testing.T, server *daemon, p *player, id, accept string) reader[*gamev1.WatchGameResponse] {
	t.Helper()
	transport := &http.Transport{DialContext: dialSmallBuffers, ReadBufferSize: 4096}
	t.Cleanup(transport.CloseIdleConnections)
	w := restWatcher{overREST{base: "http://" + server.addrs["http"], client: &http.Client{Transport: transport}}, accept}
	stream, err := w.game(t.Context(), p, id, "0")
	if err != nil {
		t.Fatal(err)
	}
	return stream
}
