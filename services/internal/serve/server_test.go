package serve_test

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

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

func TestStopLeavesCallsBehindThatDoNotListen(t *testing.T) {
	server, err := serve.NewServer(serve.Options{
		Name: "game", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	d := deaf{called: make(chan struct{}), release: make(chan struct{})}
	gamev1.RegisterGameServiceServer(server, d)
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
	defer conn.Close()
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
