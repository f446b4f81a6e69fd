package grpcapi

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// Opponents asks Strategy services for robots' moves: the one that comes with the server, under the name "", and any
// others that its operator named.
type Opponents map[string]strategyv1.StrategyServiceClient

var _ game.Opponent = Opponents{}

// Choose implements game.Opponent.
func (o Opponents) Choose(ctx context.Context, q game.Question) (game.Answer, error) {
	service, ok := o[q.Robot.Provider]
	if !ok {
		return game.Answer{}, fault.New(fault.StrategyUnavailable, "this server knows no provider %.64q", q.Robot.Provider)
	}
	ctx = metadata.AppendToOutgoingContext(ctx, serve.RequestIDHeader, fmt.Sprintf("%s-%d", q.Game, q.Version))
	resp, err := service.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: q.Position.Notation()},
		Strategy: readStored(q.Robot.Strategy, &strategyv1.Strategy{}),
		Seed:     q.Seed,
	})
	if err != nil {
		return game.Answer{}, err
	}
	move, err := wire.ReadMove(q.Position, resp.GetChosen().GetMove(), "")
	if err != nil {
		return game.Answer{}, err
	}
	return game.Answer{Move: move, Analysis: evidence(resp.GetAnalysis())}, nil
}

// longestEvidence is how much a robot may say of its move, in bytes as it came. It is stored and sent to every watcher.
const longestEvidence = 16 << 10

// evidence writes down what a robot says of its move. What is too long or cannot be written is left out: the move counts.
func evidence(a *strategyv1.Analysis) json.RawMessage {
	if a == nil || proto.Size(a) > longestEvidence {
		return nil
	}
	text, err := protojson.Marshal(a)
	if err != nil {
		return nil
	}
	return text
}

// ThinkingTime implements game.Opponent.
func (o Opponents) ThinkingTime(r game.Robot) time.Duration {
	return thinkingTime(readStored(r.Strategy, &strategyv1.Strategy{}))
}

func thinkingTime(s *strategyv1.Strategy) time.Duration {
	switch of := s.GetKind().(type) {
	case *strategyv1.Strategy_AlphaBeta:
		return of.AlphaBeta.GetMaxTime().AsDuration()
	case *strategyv1.Strategy_Engine:
		return of.Engine.GetMaxTime().AsDuration()
	case *strategyv1.Strategy_Minimax:
		return thinkingTime(of.Minimax.GetAssumed())
	case *strategyv1.Strategy_TryTwo:
		return thinkingTime(of.TryTwo.GetFirst()) + thinkingTime(of.TryTwo.GetSecond())
	}
	return 0
}
