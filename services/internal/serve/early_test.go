package serve_test

import (
	"context"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// The server keeps nothing of calls that it rejects by their headers, however long the caller would
// wait for the answer.
func TestRejectedCallsKeepNoMemory(t *testing.T) {
	server, err := serve.NewServer(serve.Options{
		Name: "game", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
		RejectHeaders: func(context.Context, string) error { return fault.New(fault.InvalidKey, "wrong key") },
	})
	if err != nil {
		t.Fatal(err)
	}
	gamev1.RegisterGameServiceServer(server, gamev1.UnimplementedGameServiceServer{})
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(lis)
	t.Cleanup(func() { server.Stop(t.Context()) })
	conn, err := grpc.NewClient(lis.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })

	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for method, want := range map[string]codes.Code{
		gamev1.GameService_GetGame_FullMethodName:   codes.Unauthenticated, // unary
		gamev1.GameService_WatchGame_FullMethodName: codes.Unauthenticated, // a stream
		"/flipside.game.v1.GameService/Unknown":     codes.Unimplemented,
		"/unknown/Unknown":                          codes.Unimplemented,
	} {
		before := liveHeap()
		const calls = 5000
		for range calls / 50 {
			var batch sync.WaitGroup
			for range 50 {
				batch.Go(func() {
					err := conn.Invoke(ctx, method, &gamev1.GetGameRequest{}, &gamev1.GetGameResponse{})
					if s := status.Convert(err); s.Code() != want || serve.Reason(s) == "" {
						t.Errorf("%s: got %v, want %v with a reason", method, err, want)
					}
				})
			}
			batch.Wait()
		}
		if left := (liveHeap() - before) / calls; left > 100 {
			t.Errorf("%s: %d bytes are left of each rejected call", method, left)
		}
	}
}

// liveHeap returns the bytes of all reachable objects.
func liveHeap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}
