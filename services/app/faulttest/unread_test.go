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

// TestMemoryIsBoundedForReadersWhoNeverRead has many watch a long game over connections that nobody ever reads from.
func TestMemoryIsBoundedForReadersWhoNeverRead(t *testing.T) {
	const readers, most = 100, 64 << 10 // of each kind, and bytes that each may take
	server := start(t, "--slow-reader-timeout", "5m")
	ann := server.join(t)
	g := ann.create(t, square(16), callers(), callers())
	request := askOverREST(ann.key, g.GetId())
	for range readers {
		say(t, server.addrs["http"], request)
		say(t, server.addrs["game"], askOverGRPC(t, ann.key, g.GetId()))
	}
	server.awaitMetric(t, fmt.Sprintf(`flipside_open_streams{method="/flipside.game.v1.GameService/WatchGame",service="game"} %d`, 2*readers))
	before := heap()
	var told int
	for g.GetTurn() != nil {
		g = ann.move(t, g.GetId())
	}
	events, err := ann.games().ListEvents(ann.ctx(t.Context()), &gamev1.ListEventsRequest{GameId: g.GetId(), PageSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events.GetEvents() {
		told += proto.Size(e)
	}
	grown := (heap() - before) / (2 * readers)
	if grown > most || told < 2*most {
		t.Errorf("each reader who does not read took %d bytes where %d were to be told", grown, told)
	}
}

// heap is how many bytes are in use.
func heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// say opens a connection that nobody reads from, and says something on it.
func say(t *testing.T, addr string, text []byte) {
	t.Helper()
	conn, err := narrow(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := conn.Write(text); err != nil {
		t.Fatal(err)
	}
}

func askOverREST(key, id string) []byte {
	return fmt.Appendf(nil, "GET /v1/games/%s:watch?afterVersion=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", id, key)
}

func askOverGRPC(t *testing.T, key, id string) []byte {
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
