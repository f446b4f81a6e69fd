package faulttest

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// provider is the ChooseMove method of a Strategy service outside the daemon.
type provider func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error)

// serve serves the provider until the test ends, and returns its address.
func (p provider) serve(t testing.TB) string {
	t.Helper()
	server, err := serve.NewServer(serve.Options{
		Name: "provider", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	strategyv1.RegisterStrategyServiceServer(server, providerServer{choose: p})
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(lis) }()
	t.Cleanup(func() {
		canceled, cancel := context.WithCancel(context.Background())
		cancel()
		server.Stop(canceled)
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return lis.Addr().String()
}

type providerServer struct {
	strategyv1.UnimplementedStrategyServiceServer
	choose provider
}

func (s providerServer) ChooseMove(
	ctx context.Context, in *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	return s.choose(ctx, in)
}

// firstMove is a provider that chooses the first legal move.
func firstMove(
	_ context.Context, in *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	p, err := games.Parse(in.GetPosition().GetNotation())
	if err != nil {
		return nil, err
	}
	return chosen(wire.Move(p.Legal()[0])), nil
}

// neverAnswer is a provider that never answers.
func neverAnswer(
	ctx context.Context, _ *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func chosen(m *rulesv1.Move) *strategyv1.ChooseMoveResponse {
	return &strategyv1.ChooseMoveResponse{Chosen: &strategyv1.Candidate{Move: m}}
}
