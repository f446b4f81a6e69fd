// Package grpcapi serves the strategies as flipside.strategy.v1.StrategyService. It translates and keeps to the
// deadline; what a strategy does is up to package strategy. Requests have been checked for their form, and whoever
// registers the server turns the errors, which are *fault.Error, into statuses.
package grpcapi

import (
	"context"
	"time"

	"google.golang.org/grpc"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/wire"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
)

// Server answers every call from its request alone. It may be used from many goroutines.
type Server struct {
	strategyv1.UnimplementedStrategyServiceServer
	budget *engine.Budget
	// endless is how long an engine without any limit thinks about a move; 0 is until the call ends.
	endless time.Duration
}

// NewServer returns a server whose engine searches within a budget; nil is no bound.
func NewServer(budget *engine.Budget) *Server { return &Server{budget: budget} }

// ListStrategies lists the strategies, what they play and what can be set.
func (*Server) ListStrategies(
	context.Context, *strategyv1.ListStrategiesRequest,
) (*strategyv1.ListStrategiesResponse, error) {
	return &strategyv1.ListStrategiesResponse{Strategies: infos()}, nil
}

// ListPositionMoves lists the legal moves of a position with what each would do.
func (*Server) ListPositionMoves(
	_ context.Context, req *strategyv1.ListPositionMovesRequest,
) (*strategyv1.ListPositionMovesResponse, error) {
	p, err := wire.ReadPosition(req.GetPosition())
	if err != nil {
		return nil, err
	}
	page := wire.Page{Size: req.GetPageSize(), Token: req.GetPageToken()}
	moves, next, err := wire.LegalMoves(p.WithTurn(wire.ReadSide(req.GetSide())), req.GetCard(), page)
	if err != nil {
		return nil, err
	}
	return &strategyv1.ListPositionMovesResponse{Moves: moves, NextPageToken: next, Position: wire.Position(p)}, nil
}

// ChooseMove chooses a move.
func (s *Server) ChooseMove(
	ctx context.Context, req *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	p, asked, err := s.readQuestion(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := inTime(ctx)
	defer cancel()
	choice, err := strategy.Choose(ctx, asked, p, req.GetSeed())
	if err != nil {
		return nil, err
	}
	return &strategyv1.ChooseMoveResponse{
		Chosen:     candidate(p, choice.Chosen),
		Candidates: candidates(p, choice.Candidates),
		Analysis:   analysis(p, choice.Analysis),
	}, nil
}

// AnalyzePosition streams what is known as the search deepens.
func (s *Server) AnalyzePosition(
	req *strategyv1.AnalyzePositionRequest, stream grpc.ServerStreamingServer[strategyv1.AnalyzePositionResponse],
) error {
	p, asked, err := s.readQuestion(req)
	if err != nil {
		return err
	}
	analyzer, ok := asked.(strategy.Analyzer)
	if !ok {
		return fault.New(fault.InvalidField, "only a strategy that searches can analyze, such as alphaBeta").At("strategy")
	}
	ctx, cancel := inTime(stream.Context())
	defer cancel()
	found, err := strategy.Analyze(ctx, analyzer, p, int(req.GetMultiPv()))
	if err != nil {
		return err
	}
	for known := range found {
		if err := stream.Send(&strategyv1.AnalyzePositionResponse{Analysis: analysis(p, known)}); err != nil {
			return err
		}
	}
	return nil
}

// readQuestion reads what is asked about and who is asked.
func (s *Server) readQuestion(req question) (rules.Position, strategy.Strategy, error) {
	p, err := wire.ReadPosition(req.GetPosition())
	if err != nil {
		return nil, nil, err
	}
	asked, err := s.readStrategy(req.GetStrategy(), p.Kind())
	return p, asked, fault.At(err, "strategy")
}

// longest is how long a call without a deadline may take.
const longest = 10 * time.Minute

// inTime returns a context that ends early enough before the deadline of the call for the answer to arrive.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	left := longest
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(deadline))
	}
	return context.WithTimeout(ctx, left-min(left/4, 50*time.Millisecond))
}
