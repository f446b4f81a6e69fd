package serve

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// BenchmarkUnary measures the interceptors around a call that does nothing, with and without its
// log line.
func BenchmarkUnary(b *testing.B) {
	for name, level := range map[string]slog.Level{"logged": slog.LevelInfo, "quiet": slog.LevelWarn} {
		b.Run(name, func(b *testing.B) {
			file, err := os.Create(filepath.Join(b.TempDir(), "log"))
			if err != nil {
				b.Fatal(err)
			}
			defer file.Close()
			log := slog.New(slog.NewJSONHandler(file, &slog.HandlerOptions{Level: level}))
			in, err := newInterceptors(Options{Name: "game", Log: log, Registry: prometheus.NewRegistry()})
			if err != nil {
				b.Fatal(err)
			}
			ctx := metadata.NewIncomingContext(b.Context(), metadata.Pairs("authorization", "Bearer x", "x-request-id", "abc"))
			request := &gamev1.GetGameRequest{GameId: "01kb3tt8mm4w8z2n1d3s5q7r9v"}
			call := in.handler(gamev1.GameService_GetGame_FullMethodName, func(
				_ any, _ context.Context, receive func(any) error, _ grpc.UnaryServerInterceptor,
			) (any, error) {
				return nil, receive(request)
			})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := call(nil, ctx, func(any) error { return nil }, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
