package serve_test

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// deaf answers GetGame when it is let go, whatever becomes of the call.
type deaf struct {
	gamev1.UnimplementedGameServiceServer
	called, release chan struct{}
}

func (d deaf) GetGame(context.Context, *gamev1.GetGameRequest) (*gamev1.GetGameResponse, error) {
	close(d.called)
	<-d.release
	return &gamev1.GetGameResponse{}, nil
}

// start serves a service, and returns a connection to it and where the error comes when it is served no more.
func start(t *testing.T, service gamev1.GameServiceServer) (*serve.Server, *grpc.ClientConn, <-chan error) {
	t.Helper()
	server, err := serve.NewServer(serve.Options{
		Name: "game", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	gamev1.RegisterGameServiceServer(server, service)
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(lis) }()
	conn, err := grpc.NewClient(lis.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return server, conn, served
}

// TestStreamsThatNeedNoKeyAreCounted opens as many as there may be and one more, and that one again when another is closed.
func TestStreamsThatNeedNoKeyAreCounted(t *testing.T) {
	server, conn, served := start(t, gamev1.UnimplementedGameServiceServer{})
	watch := func(ctx context.Context) error {
		stream, err := healthv1.NewHealthClient(conn).Watch(ctx, &healthv1.HealthCheckRequest{})
		if err != nil {
			return err
		}
		_, err = stream.Recv()
		return err
	}
	one, leave := context.WithCancel(t.Context())
	if err := watch(one); err != nil {
		t.Fatal(err)
	}
	for range 999 {
		if err := watch(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	err := watch(t.Context())
	if s := status.Convert(err); s.Code() != codes.ResourceExhausted || serve.Reason(s) != "TOO_MANY_STREAMS" {
		t.Errorf("one too many: %v", err)
	}
	leave()
	for err = watch(t.Context()); err != nil && t.Context().Err() == nil; {
		err = watch(t.Context())
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	server.Stop(over)
	if err := <-served; err != nil {
		t.Errorf("served until %v", err)
	}
}

func TestStopLeavesCallsBehindThatDoNotListen(t *testing.T) {
	d := deaf{called: make(chan struct{}), release: make(chan struct{})}
	server, conn, served := start(t, d)
	answered := make(chan error, 1)
	go func() {
		_, err := gamev1.NewGameServiceClient(conn).GetGame(t.Context(), &gamev1.GetGameRequest{GameId: "any"})
		answered <- err
	}()
	<-d.called
	over, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := make(chan struct{})
	go func() {
		server.Stop(over)
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("it waits for a call that does not listen")
	}
	close(d.release)
	<-stopped
	if err := <-served; err != nil {
		t.Errorf("served until %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("a call that was left behind was answered")
	}
}
