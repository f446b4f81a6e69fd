package grpcapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// Strategies calls the Strategy services that choose the moves of robots. It bounds the time that
// robots think.
type Strategies struct {
	client func(provider string) strategyv1.StrategyServiceClient
	limit  time.Duration
	read   *cache.Cache[string, limitedStrategy]
	// withoutSearchMove holds the time of the next SearchMove call by provider.
	withoutSearchMove sync.Map
}

var _ robots.Strategies = (*Strategies)(nil)

// strategiesWeight is the weight of the cache of strategies in the budget of the process.
const strategiesWeight = 1

// NewStrategies returns strategies of providers. client returns the service of a provider by its
// name, nil if there is none; the built-in provider has the name "". No robot thinks longer than the
// limit. The cache of strategies draws on the budget, which may be nil.
func NewStrategies(
	client func(provider string) strategyv1.StrategyServiceClient, limit time.Duration,
	caches *cache.Budget,
) *Strategies {
	size := func(document string, s limitedStrategy) int {
		const decoded = 8 // A decoded message takes several times the size of its encoding.
		return len(document) + decoded*proto.Size(s.message)
	}
	return &Strategies{
		client: client, limit: limit,
		read: cache.New(caches, "strategies", strategiesWeight, size),
	}
}

// hasProvider reports whether there is a provider with a name.
func (s *Strategies) hasProvider(name string) bool { return s.client(name) != nil }

// limited returns the strategy of a robot within the time limit.
func (s *Strategies) limited(r game.Robot) limitedStrategy {
	document := string(r.Strategy)
	if cached, ok := s.read.Get(document); ok {
		return cached
	}
	read := limitTime(readStored(r.Strategy, &strategyv1.Strategy{}), s.limit)
	s.read.Put(document, read)
	return read
}

// ThinkingTime implements [robots.Strategies].
func (s *Strategies) ThinkingTime(r game.Robot) time.Duration { return s.limited(r).time }

// ChooseMove implements [robots.Strategies].
func (s *Strategies) ChooseMove(ctx context.Context, request robots.Request) (game.Choice, error) {
	client := s.client(request.Robot.Provider)
	if client == nil {
		return game.Choice{}, fault.New(fault.StrategyUnavailable,
			"this server has no strategy provider %.64q", request.Robot.Provider)
	}
	requestID := fmt.Sprintf("%s-%d", request.GameID, request.Version)
	ctx = metadata.AppendToOutgoingContext(ctx, serve.RequestIDHeader, requestID)
	start := time.Now()
	resp, err := s.choose(ctx, client, request)
	if err != nil {
		return game.Choice{}, failure(err)
	}
	move, err := chosenMove(request.Position, resp.GetChosen())
	if err == nil && hasSkill(s.limited(request.Robot).message) {
		request.Chosen()
		err = pause(ctx, request.Position, start)
	}
	if err != nil {
		return game.Choice{}, err
	}
	return game.Choice{Move: move, Analysis: storedAnalysis(resp.GetAnalysis())}, nil
}

// failure explains an error of a provider.
func failure(err error) error {
	if serve.IsRejection(err) {
		return &robots.AttemptError{Reason: game.Rejected, Err: err}
	}
	if status.Code(err) == codes.DeadlineExceeded {
		return &robots.AttemptError{Reason: game.NoAnswer, Err: err}
	}
	return err
}

// chosenMove reads the move of a candidate.
func chosenMove(p rules.Position, chosen *strategyv1.Candidate) (rules.Move, error) {
	move, err := wire.ReadChosen(p, chosen)
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

// acceptDraw reports whether a robot was not ahead by its last analysis.
func acceptDraw(analysis json.RawMessage) bool {
	if analysis == nil {
		return false
	}
	a := readStored(analysis, &strategyv1.Analysis{})
	return a.GetDepth() > 0 && a.GetScore() <= 0
}
