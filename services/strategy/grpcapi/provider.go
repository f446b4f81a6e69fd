package grpcapi

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/internal/wire"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/engine"
)

// matchPlayer is a player in a request for a match.
type matchPlayer struct {
	field    string // of the strategy
	strategy *strategyv1.Strategy
	provider string
	options  *structpb.Struct
	match    string
}

// readPlayer returns the player of a match: a strategy of this server or a provider.
func (s *Server) readPlayer(game rules.Kind, m matchPlayer) (arena.Player, error) {
	chosen, err := s.readStrategy(m.strategy, game)
	if err != nil {
		return nil, fault.At(err, m.field)
	}
	if err := wire.ValidateOptions(m.options); err != nil {
		return nil, fault.At(err, m.field+"Options")
	}
	if m.provider == "" {
		return arena.Strategy(chosen), nil
	}
	client := s.providers.Client(m.provider)
	if client == nil {
		return nil, fault.Invalid("this server has no strategy provider %.64q", m.provider).
			With("provider", m.provider).At(m.field + "Provider")
	}
	limit := min(thinkingTime(chosen)+s.providers.GracePeriod, s.maxTime)
	return providerPlayer{matchPlayer: m, client: client, limit: limit}, nil
}

// thinkingTime returns the time limit of a search, 0 for other strategies.
func thinkingTime(s strategy.Strategy) time.Duration {
	switch s := s.(type) {
	case engine.Search:
		return s.Time
	case alphabeta.Search:
		return s.Time
	}
	return 0
}

// providerPlayer is a strategy provider that plays a match.
type providerPlayer struct {
	matchPlayer
	client strategyv1.StrategyServiceClient
	limit  time.Duration // for each move
}

// Choose implements [arena.Player].
func (p providerPlayer) Choose(ctx context.Context, t arena.Turn) (rules.Move, error) {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	answer, err := p.client.ChooseMove(ctx, &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: t.Position.Notation()},
		Strategy: p.strategy,
		Seed:     t.Seed,
		GameId:   fmt.Sprintf("%s-%d", p.match, t.Game),
		Side:     wire.Side(t.Position.Turn()),
		Options:  p.options,
	})
	if err != nil {
		return rules.Move{}, p.failure(err)
	}
	move, err := wire.ReadChosen(t.Position, answer.GetChosen())
	if err != nil {
		return move, &arena.ForfeitError{Reason: arena.InvalidAnswer, Message: err.Error()}
	}
	if _, _, err := t.Position.Play(move); err != nil {
		return move, &arena.ForfeitError{Reason: arena.IllegalMove, Message: err.Error()}
	}
	return move, nil
}

// failure returns the forfeit for the error of a call. The text of an error of the connection stays
// here: it has addresses of the network.
func (p providerPlayer) failure(err error) *arena.ForfeitError {
	code := status.Code(err)
	switch {
	case serve.IsRejection(err):
		return &arena.ForfeitError{Reason: arena.Rejected, Message: status.Convert(err).Message()}
	case code == codes.DeadlineExceeded:
		return &arena.ForfeitError{
			Reason: arena.NoAnswer, Message: fmt.Sprintf("no answer within %v", p.limit),
		}
	}
	return &arena.ForfeitError{
		Reason: arena.Unavailable, Message: fmt.Sprintf("the call failed with %v", code),
	}
}

var forfeitReasons = map[arena.ForfeitReason]strategyv1.MatchGame_Reason{
	arena.NoAnswer:      strategyv1.MatchGame_REASON_NO_ANSWER,
	arena.Unavailable:   strategyv1.MatchGame_REASON_UNAVAILABLE,
	arena.Rejected:      strategyv1.MatchGame_REASON_REJECTED,
	arena.InvalidAnswer: strategyv1.MatchGame_REASON_INVALID_ANSWER,
	arena.IllegalMove:   strategyv1.MatchGame_REASON_ILLEGAL_MOVE,
}

// maxForfeitMessage is the largest number of characters of a message: providers write a part of it.
const maxForfeitMessage = 256

// forfeit converts the forfeit of a game, nil for none.
func forfeit(g arena.Game) *strategyv1.MatchGame_Forfeit {
	if g.Forfeit == nil {
		return nil
	}
	return &strategyv1.MatchGame_Forfeit{
		Side: wire.Side(g.Winner.Other()), Reason: forfeitReasons[g.Forfeit.Reason],
		Message: fmt.Sprintf("%.*s", maxForfeitMessage, g.Forfeit.Message),
	}
}
