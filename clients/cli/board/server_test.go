//go:build !race

package board

import (
	"cmp"
	"context"
	"flag"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	daemon "github.com/flipside-games/flipside/services/app"
)

// Limit is the time after which a test fails that waits for something on the screen.
var Limit = flag.Duration("limit", 90*time.Second, "fail a test that waits longer on the screen")

// TestServer is a server for tests, with the addresses of its services.
type TestServer struct {
	Game, Strategy string

	data    string
	running *daemon.App
}

// StartServer starts a server until the test ends.
func StartServer(t *testing.T) *TestServer {
	t.Helper()
	s := &TestServer{data: filepath.Join(t.TempDir(), "flipside.db")}
	s.Start(t)
	t.Cleanup(s.Stop)
	return s
}

// Start starts the server, again with the same addresses and games after a Stop.
func (s *TestServer) Start(t *testing.T) {
	t.Helper()
	settings := daemon.DefaultSettings()
	const free = "127.0.0.1:0"
	settings.HTTPAddr, settings.MetricsAddr, settings.Data = free, "", s.data
	settings.GameAddr, settings.StrategyAddr = cmp.Or(s.Game, free), cmp.Or(s.Strategy, free)
	settings.CallRate, settings.PlayerRate = 1e6, 1e6
	running, err := daemon.Start(context.Background(), daemon.All, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.running, s.Game, s.Strategy = running, running.Addrs["game"], running.Addrs["strategy"]
}

// Stop stops the server.
func (s *TestServer) Stop() {
	if s.running != nil {
		s.running.Close()
		s.running = nil
	}
}

// Play plays a move in the latest game of the player with a key.
func (s *TestServer) Play(t *testing.T, key, notation string) {
	t.Helper()
	games := gamev1.NewGameServiceClient(dial(t, s.Game, key))
	list, err := games.ListGames(t.Context(), &gamev1.ListGamesRequest{PlayerId: "me"})
	if err != nil {
		t.Fatal(err)
	}
	move := &gamev1.PlayMoveRequest{GameId: list.GetGames()[0].GetId(), Notation: notation}
	if _, err := games.PlayMove(t.Context(), move); err != nil {
		t.Fatal(err)
	}
}

// Key creates a player and returns its key.
func (s *TestServer) Key(t *testing.T, name string) string {
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
func (s *TestServer) options(t *testing.T, key string) Options {
	t.Helper()
	conn, strategies := dial(t, s.Game, key), dial(t, s.Strategy, "")
	return Options{Connect: func(ctx context.Context) (*Server, error) {
		me, err := gamev1.NewPlayerServiceClient(conn).GetMe(ctx, &gamev1.GetMeRequest{})
		return &Server{
			Games:      gamev1.NewGameServiceClient(conn),
			Strategies: strategyv1.NewStrategyServiceClient(strategies), Player: me.GetPlayer(),
		}, err
	}}
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
