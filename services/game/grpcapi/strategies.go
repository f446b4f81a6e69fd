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
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// Strategies calls the Strategy services that choose the moves of robots, by provider name. The built-in provider has the
// name "".
type Strategies map[string]strategyv1.StrategyServiceClient

var _ robots.Strategies = Strategies{}

// ChooseMove implements [robots.Strategies].
func (s Strategies) ChooseMove(ctx context.Context, request robots.Request) (game.Choice, error) {
	client, ok := s[request.Robot.Provider]
	if !ok {
		return game.Choice{}, fault.New(fault.StrategyUnavailable, "this server knows no provider %.64q", request.Robot.Provider)
	}
	ctx = metadata.AppendToOutgoingContext(ctx, serve.RequestIDHeader, fmt.Sprintf("%s-%d", request.GameID, request.Version))
	resp, err := client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: request.Position.Notation()},
		Strategy: readStored(request.Robot.Strategy, &strategyv1.Strategy{}),
		Seed:     request.Seed,
	})
	if err != nil {
		return game.Choice{}, err
	}
	move, err := wire.ReadMove(request.Position, resp.GetChosen().GetMove(), "")
	if err != nil {
		return game.Choice{}, err
	}
	return game.Choice{Move: move, Analysis: evidence(resp.GetAnalysis())}, nil
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

// ThinkingTime implements [robots.Strategies].
func (Strategies) ThinkingTime(r game.Robot) time.Duration {
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
