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

// provider is a Strategy service of somebody else, which answers as a function does.
type provider func(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error)

// serve serves a provider until the test ends, and returns its address.
func (p provider) serve(t testing.TB) string {
	t.Helper()
	server, err := serve.NewServer(serve.Options{
		Name: "provider", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	strategyv1.RegisterStrategyServiceServer(server, answering{choose: p})
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(lis) }()
	t.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		server.Stop(now)
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return lis.Addr().String()
}

type answering struct {
	strategyv1.UnimplementedStrategyServiceServer
	choose provider
}

func (a answering) ChooseMove(ctx context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
	return a.choose(ctx, in)
}

// first answers with the first legal move.
func first(_ context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
	p, err := games.Parse(in.GetPosition().GetNotation())
	if err != nil {
		return nil, err
	}
	return choose(wire.Move(p.Legal()[0])), nil
}

// choose answers with a move.
func choose(m *rulesv1.Move) *strategyv1.ChooseMoveResponse {
	return &strategyv1.ChooseMoveResponse{Chosen: &strategyv1.Candidate{Move: m}}
}
