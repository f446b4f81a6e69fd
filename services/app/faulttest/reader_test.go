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

// narrow dials connections that hold little, so that a reader who does not read is soon noticed. The segments are small
// because the sender keeps room for some of them.
func narrow(ctx context.Context, _, addr string) (net.Conn, error) {
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

// TestAReaderWhoNeverReadsHoldsUpNobody opens streams that nobody reads, and plays a long game.
func TestAReaderWhoNeverReadsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	inEach(t, aReaderWhoNeverReadsHoldsUpNobody)
}

func aReaderWhoNeverReadsHoldsUpNobody(t *testing.T, start starter) {
	server := start(t, "--slow-reader-timeout", "200ms")
	ann := server.join(t)
	g := ann.create(t, square(16), callers(), callers())
	unread := map[string]reader[*gamev1.WatchGameResponse]{"gRPC": watchOverNarrowGRPC(t, server, ann, g.GetId())}
	if len(server.metrics) == 1 { // On the way through a gateway elsewhere there is room for a whole game.
		unread["NDJSON"] = watchOverNarrowREST(t, server, ann, g.GetId(), "")
		unread["SSE"] = watchOverNarrowREST(t, server, ann, g.GetId(), "text/event-stream")
	}
	ready, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId(), AfterVersion: new(int32)})
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan int, 1)
	go func() {
		n := 0
		for m, err := ready.Recv(); err == nil && m.GetEnd() == nil; m, err = ready.Recv() {
			n++
		}
		heard <- n
	}()
	for g.GetTurn() != nil {
		begin := time.Now()
		g = ann.move(t, g.GetId())
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("a move took %v", took)
		}
	}
	if n := <-heard; n != int(g.GetVersion()) {
		t.Errorf("a reader who reads heard %d of %d events", n, g.GetVersion())
	}
	server.awaitMetric(t, `flipside_open_streams{method="/flipside.game.v1.GameService/WatchGame",service="game"} 0`)
	for name, stream := range unread {
		last := readOn(t, name, stream)
		if last.GetVersion() >= g.GetVersion() {
			t.Errorf("%s: the reader has got all %d events without reading: the test has not filled its connection", name, g.GetVersion())
		}
	}
}

// readOn reads what a reader had not read. It is whole up to a point, and there the stream ends with a word or an error.
func readOn(t *testing.T, name string, stream reader[*gamev1.WatchGameResponse]) *gamev1.WatchGameResponse {
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
			t.Errorf("%s: after version %d came %d", name, last.GetVersion(), m.GetVersion())
		}
		last = m
	}
}

func watchOverNarrowGRPC(t *testing.T, server *daemon, p *player, id string) reader[*gamev1.WatchGameResponse] {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+server.oneGame, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) { return narrow(ctx, "", addr) }))
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

func watchOverNarrowREST(t *testing.T, server *daemon, p *player, id, accept string) reader[*gamev1.WatchGameResponse] {
	t.Helper()
	transport := &http.Transport{DialContext: narrow, ReadBufferSize: 4096}
	t.Cleanup(transport.CloseIdleConnections)
	w := restWatcher{overREST{base: "http://" + server.addrs["http"], client: &http.Client{Transport: transport}}, accept}
	stream, err := w.game(t.Context(), p, id, "0")
	if err != nil {
		t.Fatal(err)
	}
	return stream
}
