//go:build !race

package board

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	daemon "github.com/flipside-games/flipside/services/app"
)

// Server is a server for tests. Its fields are the addresses of its services.
type Server struct{ Game, Strategy string }

// StartServer starts a server until the test ends.
func StartServer(t *testing.T) *Server {
	t.Helper()
	settings := daemon.DefaultSettings()
	const free = "127.0.0.1:0"
	settings.HTTPAddr, settings.GameAddr, settings.StrategyAddr, settings.MetricsAddr = free, free, free, ""
	settings.Data = filepath.Join(t.TempDir(), "flipside.db")
	settings.CallRate, settings.PlayerRate = 1e6, 1e6
	running, err := daemon.Start(context.Background(), daemon.All, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Close)
	return &Server{Game: running.Addrs["game"], Strategy: running.Addrs["strategy"]}
}

// Key creates a player and returns its key.
func (s *Server) Key(t *testing.T, name string) string {
	t.Helper()
	conn := dial(t, s.Game, "")
	request := &gamev1.CreatePlayerRequest{DisplayName: name}
	created, err := gamev1.NewPlayerServiceClient(conn).CreatePlayer(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return created.GetKey()
}

// options returns the options of a run for a player.
func (s *Server) options(t *testing.T, key string) Options {
	t.Helper()
	conn := dial(t, s.Game, key)
	return Options{
		Games: gamev1.NewGameServiceClient(conn), Players: gamev1.NewPlayerServiceClient(conn),
		Strategies: strategyv1.NewStrategyServiceClient(dial(t, s.Strategy, "")),
	}
}

func dial(t *testing.T, address, key string) *grpc.ClientConn {
	t.Helper()
	header := func(ctx context.Context) context.Context {
		return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key)
	}
	conn, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(func(
			ctx context.Context, method string, request, reply any, conn *grpc.ClientConn,
			invoke grpc.UnaryInvoker, options ...grpc.CallOption,
		) error {
			return invoke(header(ctx), method, request, reply, conn, options...)
		}),
		grpc.WithStreamInterceptor(func(
			ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string,
			open grpc.Streamer, options ...grpc.CallOption,
		) (grpc.ClientStream, error) {
			return open(header(ctx), desc, conn, method, options...)
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
