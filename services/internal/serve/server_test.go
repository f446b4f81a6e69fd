package serve_test

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/internal/serve"
)

// stuckService serves GetGame: it answers when released, even if the call is canceled.
type stuckService struct {
	gamev1.UnimplementedGameServiceServer
	called, release chan struct{}
}

func (s stuckService) GetGame(context.Context, *gamev1.GetGameRequest) (*gamev1.GetGameResponse, error) {
	close(s.called)
	<-s.release
	return &gamev1.GetGameResponse{}, nil
}

// start serves a service. It returns a connection to it and a channel that gets the result of
// Serve.
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

// The error names every duration that is out of range, also one that JSON cannot have.
func TestDurationsOutOfRange(t *testing.T) {
	server, conn, _ := start(t, gamev1.UnimplementedGameServiceServer{})
	defer server.Stop(t.Context())
	for value, wait := range map[string]*durationpb.Duration{
		"50.500s":                     {Seconds: 50, Nanos: 500_000_000},
		"4611686018427387904s 0ns":    {Seconds: 1 << 62},
		"-4611686018427387904s -10ns": {Seconds: -1 << 62, Nanos: -10},
	} {
		request := &gamev1.ListEventsRequest{GameId: "g1", Wait: wait}
		_, err := gamev1.NewGameServiceClient(conn).ListEvents(t.Context(), request)
		if !strings.HasSuffix(status.Convert(err).Message(), ", not "+value) {
			t.Errorf("%v, want the value %s", err, value)
		}
	}
}

// Streams without a key have a limit, and a closed stream makes room for another.
func TestPublicStreamsAreLimited(t *testing.T) {
	server, conn, served := start(t, gamev1.UnimplementedGameServiceServer{})
	watch := func(ctx context.Context) error {
		stream, err := healthv1.NewHealthClient(conn).Watch(ctx, &healthv1.HealthCheckRequest{})
		if err != nil {
			return err
		}
		_, err = stream.Recv()
		return err
	}
	first, closeFirst := context.WithCancel(t.Context())
	if err := watch(first); err != nil {
		t.Fatal(err)
	}
	for range 999 {
		if err := watch(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	err := watch(t.Context())
	if s := status.Convert(err); s.Code() != codes.ResourceExhausted || serve.Reason(s) != "TOO_MANY_STREAMS" {
		t.Errorf("stream 1001: %v, want TOO_MANY_STREAMS", err)
	}
	closeFirst()
	for err = watch(t.Context()); err != nil && t.Context().Err() == nil; {
		err = watch(t.Context())
	}
	expired, cancel := context.WithCancel(t.Context())
	cancel()
	server.Stop(expired)
	if err := <-served; err != nil {
		t.Errorf("Serve returned %v", err)
	}
}

func TestStopAbandonsStuckCalls(t *testing.T) {
	service := stuckService{called: make(chan struct{}), release: make(chan struct{})}
	server, conn, served := start(t, service)
	answered := make(chan error, 1)
	go func() {
		_, err := gamev1.NewGameServiceClient(conn).GetGame(t.Context(), &gamev1.GetGameRequest{GameId: "any"})
		answered <- err
	}()
	<-service.called
	expired, cancel := context.WithCancel(t.Context())
	cancel()
	stopped := make(chan struct{})
	go func() {
		server.Stop(expired)
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("Stop waits for a stuck call")
	}
	select {
	case err := <-served:
		if err != nil {
			t.Errorf("Serve returned %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("Serve waits for a stuck call")
	}
	close(service.release)
	<-stopped
	if err := <-answered; err == nil {
		t.Error("an abandoned call was answered")
	}
}
