//go:build unix && !race

package faulttest

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// In the test, many clients watch a long game without reading from their connections.
func TestMemoryOfSlowReadersIsBounded(t *testing.T) {
	const readers = 100    // over each protocol
	const limit = 64 << 10 // bytes for each reader
	server := start(t, "--slow-reader-timeout", "5m")
	ann := server.join(t)
	g := ann.create(t, square(16), callerSeat(), callerSeat())
	request := restWatchRequest(ann.key, g.GetId())
	for range readers {
		send(t, server.addrs["http"], request)
		send(t, server.addrs["game"], grpcWatchRequest(t, ann.key, g.GetId()))
	}
	server.awaitMetric(t, fmt.Sprintf(`flipside_open_streams{method="/flipside.game.v1.GameService/WatchGame",service="game"} %d`, 2*readers))
	before := heap()
	var sent int
	for g.GetTurn() != nil {
		g = ann.move(t, g.GetId())
	}
	events, err := ann.games().ListEvents(ann.ctx(t.Context()), &gamev1.ListEventsRequest{GameId: g.GetId(), PageSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events.GetEvents() {
		sent += proto.Size(e)
	}
	grown := (heap() - before) / (2 * readers)
	if grown > limit || sent < 2*limit {
		t.Errorf("each reader takes %d bytes for events of %d bytes, want at most %d", grown, sent, limit)
	}
}

// heap returns the bytes in use.
func heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // The content of pools.
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// send opens a connection and sends bytes without reading.
func send(t *testing.T, addr string, text []byte) {
	t.Helper()
	conn, err := dialSmallBuffers(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := conn.Write(text); err != nil {
		t.Fatal(err)
	}
}

func restWatchRequest(key, id string) []byte {
	return fmt.Appendf(nil, "GET /v1/games/%s:watch?afterVersion=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", id, key)
}

func grpcWatchRequest(t *testing.T, key, id string) []byte {
	t.Helper()
	var header, text bytes.Buffer
	fields := hpack.NewEncoder(&header)
	for _, field := range [][2]string{
		{":method", "POST"}, {":scheme", "http"}, {":path", gamev1.GameService_WatchGame_FullMethodName}, {":authority", "x"},
		{"content-type", "application/grpc"}, {"te", "trailers"}, {"authorization", "Bearer " + key},
	} {
		fields.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
	}
	body, err := proto.Marshal(&gamev1.WatchGameRequest{GameId: id, AfterVersion: new(int32)})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(&text, http2.ClientPreface)
	frames := http2.NewFramer(&text, nil)
	frames.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 30})
	frames.WriteWindowUpdate(0, 1<<30)
	frames.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: header.Bytes(), EndHeaders: true})
	frames.WriteData(1, true, append([]byte{0, 0, 0, 0, byte(len(body))}, body...))
	return text.Bytes()
}
