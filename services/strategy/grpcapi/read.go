package grpcapi

import (
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/wire"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/catalogue"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

// question is a request that asks a strategy about a position.
type question interface {
	GetPosition() *rulesv1.Position
	GetStrategy() *strategyv1.Strategy
}

// readStrategy returns the strategy that a message names. One that does not play the game, nests too deep, or is not
// offered is INVALID_FIELD, with the path to it inside the message.
func (s *Server) readStrategy(named *strategyv1.Strategy, game rules.Kind) (strategy.Strategy, error) {
	if err := wire.ValidateStrategy(named, game); err != nil {
		return nil, err
	}
	return s.build(named, game)
}

// build makes a strategy whose game and depth of nesting were checked.
func (s *Server) build(named *strategyv1.Strategy, game rules.Kind) (strategy.Strategy, error) {
	switch of := named.GetKind().(type) {
	case *strategyv1.Strategy_Level:
		level := catalogue.Level(of.Level).In(game)
		if searches, ok := level.(engine.Search); ok {
			searches.Budget = s.budget
			return searches, nil
		}
		if level != nil {
			return level, nil
		}
	case *strategyv1.Strategy_MaxCapture:
		return heuristic.MaxCapture{}, nil
	case *strategyv1.Strategy_AvoidNextToCorners:
		return heuristic.AvoidNextToCorners{}, nil
	case *strategyv1.Strategy_TakeCorners:
		return heuristic.TakeCorners{}, nil
	case *strategyv1.Strategy_Minimax:
		assumed, err := s.build(of.Minimax.GetAssumed(), game)
		return heuristic.Minimax{Assumed: assumed}, fault.At(err, "minimax.assumed")
	case *strategyv1.Strategy_TryTwo:
		return s.buildTryTwo(of.TryTwo, game)
	case *strategyv1.Strategy_Greedy:
		return heuristic.Greedy{}, nil
	case *strategyv1.Strategy_AlphaBeta:
		return alphabeta.Search{Limits: limits.Limits{
			Depth: int(of.AlphaBeta.GetMaxDepth()), Time: of.AlphaBeta.GetMaxTime().AsDuration(),
		}}, nil
	case *strategyv1.Strategy_Corners:
		return trios.Corners{}, nil
	case *strategyv1.Strategy_MostFlips:
		return trios.MostFlips{}, nil
	case *strategyv1.Strategy_LeastExposed:
		return trios.LeastExposed{}, nil
	case *strategyv1.Strategy_SmallestReply:
		return trios.SmallestReply{}, nil
	case *strategyv1.Strategy_Engine:
		l := limits.Limits{
			Depth: int(of.Engine.GetMaxDepth()), Nodes: of.Engine.GetMaxNodes(), Time: of.Engine.GetMaxTime().AsDuration(),
		}
		if l == (limits.Limits{}) {
			l.Time = s.endless
		}
		return engine.Search{Limits: l, Threads: int(of.Engine.GetThreads()), Budget: s.budget}, nil
	}
	return nil, fault.New(fault.InvalidField, "this strategy is not offered by this server")
}

func (s *Server) buildTryTwo(of *strategyv1.TryTwo, game rules.Kind) (strategy.Strategy, error) {
	first, err := s.build(of.GetFirst(), game)
	if err != nil {
		return nil, fault.At(err, "tryTwo.first")
	}
	second, err := s.build(of.GetSecond(), game)
	return heuristic.TryTwo{First: first, Second: second}, fault.At(err, "tryTwo.second")
}
