// Package grpcapi implements flipside.strategy.v1.StrategyService. It converts messages and bounds
// the time; package strategy and the packages below it choose the moves. Requests have passed their
// validation rules. Errors are *fault.Error; interceptors convert them into statuses.
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

// Server is stateless and safe for concurrent use.
type Server struct {
	strategyv1.UnimplementedStrategyServiceServer
	memory *engine.MemoryBudget
	// maxTime is the longest time of a call that searches, and of a move in a match.
	maxTime time.Duration
	// defaultTime is the time limit of an engine without any limit; 0 means none.
	defaultTime time.Duration
	providers   Providers
}

// Providers are the strategy providers that can play in matches.
type Providers struct {
	// Client returns the service of a provider by its name, nil if there is none.
	Client func(name string) strategyv1.StrategyServiceClient
	// GracePeriod is the time that a provider gets for a move beyond its own time limit.
	GracePeriod time.Duration
}

// NewServer returns a server whose engine searches share a memory budget; nil means no bound.
// maxTime is the longest time of a call that searches, and of a move in a match.
func NewServer(
	memory *engine.MemoryBudget, maxTime time.Duration, providers Providers,
) *Server {
	return &Server{memory: memory, maxTime: maxTime, providers: providers}
}

// ListStrategies lists the strategies with their games and parameters.
func (*Server) ListStrategies(
	context.Context, *strategyv1.ListStrategiesRequest,
) (*strategyv1.ListStrategiesResponse, error) {
	return &strategyv1.ListStrategiesResponse{Strategies: infos()}, nil
}

// ListPositionMoves lists the legal moves of a position, or of the position after a move, with
// their flips.
func (*Server) ListPositionMoves(
	_ context.Context, req *strategyv1.ListPositionMovesRequest,
) (*strategyv1.ListPositionMovesResponse, error) {
	p, err := wire.ReadPosition(req.GetPosition())
	if err != nil {
		return nil, err
	}
	if notation := req.GetAfterMove(); notation != "" {
		if p, err = after(p, notation); err != nil {
			return nil, fault.At(err, "afterMove")
		}
	}
	page, err := wire.ReadPage(req, 0)
	if err != nil {
		return nil, err
	}
	moves, next, err := wire.LegalMoves(p.WithTurn(wire.ReadSide(req.GetSide())), req.GetCard(), page)
	if err != nil {
		return nil, err
	}
	return &strategyv1.ListPositionMovesResponse{
		Moves: moves, NextPageToken: next, Position: wire.Position(p),
	}, nil
}

// after returns the position after a move.
func after(p rules.Position, notation string) (rules.Position, error) {
	move, err := p.ParseMove(notation)
	if err != nil {
		return nil, err
	}
	p, _, err = p.Play(move)
	return p, err
}

// ChooseMove chooses the move of a strategy in a position.
func (s *Server) ChooseMove(
	ctx context.Context, req *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	p, chosen, err := s.readMoveRequest(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.withMargin(ctx)
	defer cancel()
	choice, err := strategy.Choose(ctx, chosen, p, req.GetSeed())
	if err != nil {
		return nil, err
	}
	ponder(chosen, p, choice)
	return choiceMessage(p, choice), nil
}

// ponder lets an engine search on after it has chosen a move in a game.
func ponder(s strategy.Strategy, p rules.Position, c strategy.Choice) {
	search, ok := s.(engine.Search)
	if !ok {
		return
	}
	if next, _, err := p.Play(c.Chosen.Move); err == nil {
		search.Ponder(next)
	}
}

// SearchMove chooses a move and sends an analysis after each iteration of a search.
func (s *Server) SearchMove(
	req *strategyv1.SearchMoveRequest,
	stream grpc.ServerStreamingServer[strategyv1.SearchMoveResponse],
) error {
	p, chosen, err := s.readMoveRequest(req)
	if err != nil {
		return err
	}
	ctx, cancel := s.withMargin(stream.Context())
	defer cancel()
	choice, err := strategy.ChooseAndReport(ctx, chosen, p, req.GetSeed(), func(a strategy.Analysis) {
		if stream.Send(&strategyv1.SearchMoveResponse{
			Message: &strategyv1.SearchMoveResponse_Progress{Progress: analysis(p, a)},
		}) != nil {
			cancel() // The caller has left.
		}
	})
	if err != nil {
		return err
	}
	ponder(chosen, p, choice)
	return stream.Send(&strategyv1.SearchMoveResponse{
		Message: &strategyv1.SearchMoveResponse_Choice{Choice: choiceMessage(p, choice)},
	})
}

// AnalyzePosition sends an analysis after each iteration of a search.
func (s *Server) AnalyzePosition(
	req *strategyv1.AnalyzePositionRequest,
	stream grpc.ServerStreamingServer[strategyv1.AnalyzePositionResponse],
) error {
	p, chosen, err := s.readRequest(req)
	if err != nil {
		return err
	}
	analyzer, ok := chosen.(strategy.Analyzer)
	if !ok {
		return fault.Invalid(
			"this strategy cannot analyze: use one that searches, engine or alphaBeta").At("strategy")
	}
	ctx, cancel := s.withMargin(stream.Context())
	defer cancel()
	analyses, err := strategy.Analyze(ctx, analyzer, p, int(req.GetMultiPv()))
	if err != nil {
		return err
	}
	for a := range analyses {
		response := &strategyv1.AnalyzePositionResponse{Analysis: analysis(p, a)}
		if err := stream.Send(response); err != nil {
			return err
		}
	}
	return nil
}

// readMoveRequest returns the position and the strategy of a request for a move. Only the engine
// uses the game. It only validates the options: the strategies of this server have none.
func (s *Server) readMoveRequest(req moveRequest) (rules.Position, strategy.Strategy, error) {
	if err := wire.ValidateOptions(req.GetOptions()); err != nil {
		return nil, nil, fault.At(err, "options")
	}
	p, chosen, err := s.readRequest(req)
	if search, ok := chosen.(engine.Search); ok {
		search.Game = req.GetGameId()
		chosen = search
	}
	return p, chosen, err
}

// readRequest returns the position and the strategy of a request.
func (s *Server) readRequest(req request) (rules.Position, strategy.Strategy, error) {
	p, err := wire.ReadPosition(req.GetPosition())
	if err != nil {
		return nil, nil, err
	}
	chosen, err := s.readStrategy(req.GetStrategy(), p.Kind())
	return p, chosen, fault.At(err, "strategy")
}

// withMargin returns a context that ends before the deadline of the call, so that the answer
// arrives in time even on busy processors. It ends after maxTime at the latest.
func (s *Server) withMargin(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := s.maxTime
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		limit = min(limit, left-margin(left))
	}
	return context.WithTimeout(ctx, limit)
}

// margin returns the part of the time left that a search must not use: a tenth, from 50 to 500 ms,
// but at most a quarter.
func margin(left time.Duration) time.Duration {
	return min(left/4, max(50*time.Millisecond, min(left/10, 500*time.Millisecond)))
}
