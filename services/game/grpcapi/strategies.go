package grpcapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// Strategies calls the Strategy services that choose the moves of robots, by provider name. The
// built-in provider has the name "".
type Strategies map[string]strategyv1.StrategyServiceClient

var _ robots.Strategies = Strategies{}

// ChooseMove implements [robots.Strategies].
func (s Strategies) ChooseMove(ctx context.Context, request robots.Request) (game.Choice, error) {
	client, ok := s[request.Robot.Provider]
	if !ok {
		return game.Choice{}, fault.New(fault.StrategyUnavailable,
			"this server has no strategy provider %.64q", request.Robot.Provider)
	}
	requestID := fmt.Sprintf("%s-%d", request.GameID, request.Version)
	ctx = metadata.AppendToOutgoingContext(ctx, serve.RequestIDHeader, requestID)
	resp, err := client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: request.Position.Notation()},
		Strategy: readStored(request.Robot.Strategy, &strategyv1.Strategy{}),
		Seed:     request.Seed,
	})
	if err != nil {
		return game.Choice{}, failure(err)
	}
	move, err := chosenMove(request.Position, resp.GetChosen())
	if err != nil {
		return game.Choice{}, err
	}
	return game.Choice{Move: move, Analysis: storedAnalysis(resp.GetAnalysis())}, nil
}

// failure explains an error of a provider.
func failure(err error) error {
	rejections := []codes.Code{
		codes.InvalidArgument, codes.FailedPrecondition, codes.OutOfRange, codes.ResourceExhausted,
	}
	code := status.Code(err)
	if slices.Contains(rejections, code) {
		return &robots.AttemptError{Reason: game.Rejected, Err: err}
	}
	if code == codes.DeadlineExceeded {
		return &robots.AttemptError{Reason: game.NoAnswer, Err: err}
	}
	return err
}

// chosenMove reads the move of a candidate: the message, or the notation if there is no message.
func chosenMove(p rules.Position, chosen *strategyv1.Candidate) (rules.Move, error) {
	notation := chosen.GetNotation()
	if chosen.GetMove() != nil {
		notation = ""
	}
	move, err := wire.ReadMove(p, chosen.GetMove(), notation)
	if e, ok := errors.AsType[*fault.Error](fault.At(err, "chosen")); ok {
		return move, &robots.AttemptError{Reason: game.InvalidAnswer, Field: e.Field, Err: err}
	}
	return move, err
}

// maxAnalysis limits the analysis of a robot's move in encoded bytes: it is stored and sent to
// every watcher.
const maxAnalysis = 16 << 10

// storedAnalysis returns an analysis as a document to store, nil if it is missing or too large. The
// move counts without it.
func storedAnalysis(a *strategyv1.Analysis) json.RawMessage {
	if a == nil || proto.Size(a) > maxAnalysis {
		return nil
	}
	document, err := protojson.Marshal(a)
	if err != nil {
		return nil
	}
	return document
}

// ThinkingTime implements [robots.Strategies].
func (Strategies) ThinkingTime(r game.Robot) time.Duration {
	return thinkingTime(readStored(r.Strategy, &strategyv1.Strategy{}))
}

func thinkingTime(s *strategyv1.Strategy) time.Duration {
	switch kind := s.GetKind().(type) {
	case *strategyv1.Strategy_AlphaBeta:
		return kind.AlphaBeta.GetMaxTime().AsDuration()
	case *strategyv1.Strategy_Engine:
		return kind.Engine.GetMaxTime().AsDuration()
	case *strategyv1.Strategy_Minimax:
		return thinkingTime(kind.Minimax.GetAssumed())
	case *strategyv1.Strategy_TryTwo:
		return thinkingTime(kind.TryTwo.GetFirst()) + thinkingTime(kind.TryTwo.GetSecond())
	}
	return 0
}
