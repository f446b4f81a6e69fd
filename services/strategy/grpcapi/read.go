package grpcapi

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

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
	"github.com/flipside-games/flipside/services/strategy/skill"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

// request is a request with a position and a strategy.
type request interface {
	GetPosition() *rulesv1.Position
	GetStrategy() *strategyv1.Strategy
}

// moveRequest is a request for a move.
type moveRequest interface {
	request
	GetGameId() string
	GetOptions() *structpb.Struct
}

// readStrategy returns the strategy of a message. The error is INVALID_FIELD, with the path inside
// the message, if the strategy does not play the game, nests too deep or is unknown.
func (s *Server) readStrategy(m *strategyv1.Strategy, game rules.Kind) (strategy.Strategy, error) {
	if err := wire.ValidateStrategy(m, game); err != nil {
		return nil, err
	}
	return s.build(m, game)
}

// build returns the strategy of a validated message.
func (s *Server) build(m *strategyv1.Strategy, game rules.Kind) (strategy.Strategy, error) {
	switch of := m.GetKind().(type) {
	case *strategyv1.Strategy_Level:
		level := catalogue.Level(of.Level).In(game)
		if search, ok := level.(engine.Search); ok {
			search.Memory, search.Time = s.memory, min(search.Time, s.maxTime)
			return search, nil
		}
		if level != nil {
			return level, nil
		}
	case *strategyv1.Strategy_Skill:
		return skill.Player{Level: int(of.Skill), Memory: s.memory}, nil
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
			Depth: int(of.AlphaBeta.GetMaxDepth()), Time: s.limitTime(of.AlphaBeta.GetMaxTime()),
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
			Depth: int(of.Engine.GetMaxDepth()),
			Nodes: of.Engine.GetMaxNodes(),
			Time:  s.limitTime(of.Engine.GetMaxTime()),
		}
		if l == (limits.Limits{}) {
			l.Time = min(s.defaultTime, s.maxTime)
		}
		return engine.Search{Limits: l, Threads: int(of.Engine.GetThreads()), Memory: s.memory}, nil
	}
	return nil, fault.Invalid(
		"this server does not have this strategy: ListStrategies lists those it has")
}

// limitTime returns the time limit of a search, at most maxTime; 0 means none.
func (s *Server) limitTime(maxTime *durationpb.Duration) time.Duration {
	return min(maxTime.AsDuration(), s.maxTime)
}

func (s *Server) buildTryTwo(of *strategyv1.TryTwo, game rules.Kind) (strategy.Strategy, error) {
	first, err := s.build(of.GetFirst(), game)
	if err != nil {
		return nil, fault.At(err, "tryTwo.first")
	}
	second, err := s.build(of.GetSecond(), game)
	return heuristic.TryTwo{First: first, Second: second}, fault.At(err, "tryTwo.second")
}
