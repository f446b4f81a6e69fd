package grpcapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/wire"
)

const (
	// minSearchTime is the thinking time from which on a robot reports its progress.
	minSearchTime = 500 * time.Millisecond
	// searchMoveRetry is the time after which SearchMove is tried again at a provider that does not
	// implement it.
	searchMoveRetry = 5 * time.Minute
)

// choose requests a move. A robot that thinks long reports its progress meanwhile, if its provider
// implements SearchMove.
func (s *Strategies) choose(
	ctx context.Context, client strategyv1.StrategyServiceClient, request robots.Request,
) (*strategyv1.ChooseMoveResponse, error) {
	limited := s.limited(request.Robot)
	search := searchRequest(request, limited.message)
	provider := request.Robot.Provider
	if limited.time >= minSearchTime && s.mayHaveSearchMove(provider) {
		choice, reported, err := searchMove(ctx, client, search, request.Progress)
		switch code := status.Code(err); {
		case code == codes.Unimplemented:
			s.withoutSearchMove.Store(provider, time.Now().Add(searchMoveRetry))
		case code == codes.Unavailable && reported:
			// gRPC retries calls, but no stream after its first message.
		default:
			return choice, err
		}
	}
	return client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: search.Position, Strategy: search.Strategy, Seed: search.Seed,
		GameId: search.GameId, Side: search.Side, Clock: search.Clock, Options: search.Options,
	})
}

func searchRequest(r robots.Request, limited *strategyv1.Strategy) *strategyv1.SearchMoveRequest {
	return &strategyv1.SearchMoveRequest{
		Position: &rulesv1.Position{Notation: r.Position.Notation()},
		Strategy: limited,
		Seed:     seedOf(limited, r),
		GameId:   r.GameID,
		Side:     wire.Side(r.Position.Turn()),
		Clock:    clock(r.Clock),
		Options:  storedOptions(r.Robot.Options),
	}
}

func clock(c *robots.Clock) *strategyv1.Clock {
	if c == nil {
		return nil
	}
	out := &strategyv1.Clock{
		First: durationpb.New(c.Left[0]), Second: durationpb.New(c.Left[1]),
		Increment: durationpb.New(c.Increment),
	}
	if c.PerMove > 0 {
		out.PerMove = durationpb.New(c.PerMove)
	}
	return out
}

// mayHaveSearchMove reports whether a provider may implement SearchMove.
func (s *Strategies) mayHaveSearchMove(provider string) bool {
	retry, ok := s.withoutSearchMove.Load(provider)
	return !ok || !time.Now().Before(retry.(time.Time))
}

// searchMove calls SearchMove and passes each report to progress. It returns the choice, nil if the
// stream has none, and whether the stream had a message before it failed.
func searchMove(
	ctx context.Context, client strategyv1.StrategyServiceClient, in *strategyv1.SearchMoveRequest,
	progress func(analysis json.RawMessage),
) (choice *strategyv1.ChooseMoveResponse, reported bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.SearchMove(ctx, in)
	if err != nil {
		return nil, false, err
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) || err != nil && choice != nil {
			return choice, reported, nil
		}
		if err != nil {
			return nil, reported, err
		}
		reported = true
		if m.GetChoice() != nil {
			choice = m.GetChoice()
		}
		if document := progressDocument(m.GetProgress()); document != nil {
			progress(document)
		}
	}
}

// progressDocument returns an analysis without its lines as a document, nil if there is none. Every
// watcher gets it, so it is short.
func progressDocument(a *strategyv1.Analysis) json.RawMessage {
	if a == nil {
		return nil
	}
	short := proto.CloneOf(a)
	short.PrincipalVariation, short.MultiPv = nil, nil
	return storedAnalysis(short)
}
