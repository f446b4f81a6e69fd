package grpcapi_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/strategy/grpcapi"
)

// fakeProvider is a client of a provider with ChooseMove alone.
type fakeProvider struct {
	strategyv1.StrategyServiceClient
	choose func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error)
}

func (f fakeProvider) ChooseMove(
	ctx context.Context, in *strategyv1.ChooseMoveRequest, _ ...grpc.CallOption,
) (*strategyv1.ChooseMoveResponse, error) {
	return f.choose(ctx, in)
}

// matchWith plays a match of two games of the provider "mine" as first, without an opening.
func matchWith(
	t *testing.T, grace time.Duration, mine fakeProvider, change func(*strategyv1.PlayMatchRequest),
) ([]*strategyv1.MatchGame, *strategyv1.MatchSummary, error) {
	t.Helper()
	c := clientWith(t, grpcapi.Providers{
		GracePeriod: grace,
		Client: func(name string) strategyv1.StrategyServiceClient {
			if name == "mine" {
				return mine
			}
			return nil
		},
	})
	req := twoRingMatch()
	req.Games, req.OpeningPlies, req.FirstProvider = 2, 0, "mine"
	change(req)
	messages, err := matchAt(t, c, req)
	if err != nil {
		return nil, nil, err
	}
	var played []*strategyv1.MatchGame
	for _, m := range messages {
		if g := m.GetGame(); g != nil {
			played = append(played, g)
		}
	}
	return played, messages[len(messages)-1].GetSummary(), nil
}

func unchanged(*strategyv1.PlayMatchRequest) {}

// firstMove chooses the first legal move.
func firstMove(_ context.Context, in *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
	p, err := games.Parse(in.GetPosition().GetNotation())
	if err != nil {
		return nil, err
	}
	return answerOf(p.MoveNotation(p.Legal()[0])), nil
}

func answerOf(notation string) *strategyv1.ChooseMoveResponse {
	return &strategyv1.ChooseMoveResponse{Chosen: &strategyv1.Candidate{Notation: notation}}
}

func TestAProviderPlaysAMatch(t *testing.T) {
	options, err := structpb.NewStruct(map[string]any{"style": "bold"})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string]rulesv1.Side{}
	played, summary, err := matchWith(t, time.Hour, fakeProvider{choose: func(
		ctx context.Context, in *strategyv1.ChooseMoveRequest,
	) (*strategyv1.ChooseMoveResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[in.GetGameId()] = in.GetSide()
		if !proto.Equal(in.GetOptions(), options) || in.GetStrategy().GetAlphaBeta() == nil {
			t.Errorf("the request is %v", in)
		}
		return firstMove(ctx, in)
	}}, func(r *strategyv1.PlayMatchRequest) { r.FirstOptions = options })
	if err != nil || len(played) != 2 || summary.GetFirstForfeits()+summary.GetSecondForfeits() != 0 {
		t.Fatalf("%d games, %v, %v", len(played), summary, err)
	}
	for _, g := range played {
		for id, side := range asked {
			if strings.HasSuffix(id, fmt.Sprint("-", g.GetNumber())) && side != g.GetFirstSide() {
				t.Errorf("in game %d it plays %v, but was asked for %v", g.GetNumber(), g.GetFirstSide(), side)
			}
		}
	}
	if len(asked) != 2 {
		t.Errorf("the ids of two games are %v", asked)
	}
}

func TestAProviderWithoutALegalMoveForfeits(t *testing.T) {
	answers := func(answer *strategyv1.ChooseMoveResponse, err error) fakeProvider {
		return fakeProvider{choose: func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
			return answer, err
		}}
	}
	never := fakeProvider{choose: func(ctx context.Context, _ *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		<-ctx.Done()
		return nil, status.FromContextError(ctx.Err()).Err()
	}}
	long := strings.Repeat("x", 1000)
	for name, test := range map[string]struct {
		provider fakeProvider
		reason   strategyv1.MatchGame_Reason
		message  string
	}{
		"an occupied cell": {answers(answerOf("0,-1"), nil), strategyv1.MatchGame_REASON_ILLEGAL_MOVE, "0,-1"},
		"an unknown move":  {answers(answerOf("?"), nil), strategyv1.MatchGame_REASON_INVALID_ANSWER, ""},
		"no move":          {answers(nil, nil), strategyv1.MatchGame_REASON_INVALID_ANSWER, ""},
		"late":             {never, strategyv1.MatchGame_REASON_NO_ANSWER, "no answer within 20ms"},
		"rejected": {
			answers(nil, status.Error(codes.InvalidArgument, "only squares"+long)),
			strategyv1.MatchGame_REASON_REJECTED, "only squares",
		},
		"broken": {
			answers(nil, status.Error(codes.Unavailable, "dial 10.0.0.1")),
			strategyv1.MatchGame_REASON_UNAVAILABLE, "the call failed with Unavailable",
		},
	} {
		t.Run(name, func(t *testing.T) {
			played, summary, err := matchWith(t, 20*time.Millisecond, test.provider, unchanged)
			if err != nil {
				t.Fatal(err)
			}
			if summary.GetFirstForfeits() != 2 || summary.GetLosses() != 2 || summary.GetSecondForfeits() != 0 {
				t.Errorf("the result is %v, want two forfeits", summary)
			}
			for _, g := range played {
				f := g.GetForfeit()
				if f.GetReason() != test.reason || f.GetSide() != g.GetFirstSide() || f.GetSide() == g.GetWinner() {
					t.Errorf("the game is %v, want a forfeit by %v", g, test.reason)
				}
				if !strings.Contains(f.GetMessage(), test.message) || len(f.GetMessage()) > 256 {
					t.Errorf("the message is %q", f.GetMessage())
				}
			}
		})
	}
}

func TestASecondProviderForfeits(t *testing.T) {
	broken := fakeProvider{choose: func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error) {
		return nil, status.Error(codes.Internal, "a bug")
	}}
	_, summary, err := matchWith(t, time.Hour, broken, func(r *strategyv1.PlayMatchRequest) {
		r.FirstProvider, r.SecondProvider = "", "mine"
	})
	if err != nil || summary.GetWins() != 2 || summary.GetSecondForfeits() != 2 {
		t.Errorf("the result is %v, %v", summary, err)
	}
}

func TestTheErrorOfAnInvalidProviderNamesTheField(t *testing.T) {
	deep := structpb.NewNullValue()
	for range 8 {
		deep = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{deep}})
	}
	options := &structpb.Struct{Fields: map[string]*structpb.Value{"x": deep}}
	for field, change := range map[string]func(*strategyv1.PlayMatchRequest){
		"firstProvider":  func(r *strategyv1.PlayMatchRequest) { r.FirstProvider = "none" },
		"secondProvider": func(r *strategyv1.PlayMatchRequest) { r.SecondProvider = "none" },
		"firstOptions":   func(r *strategyv1.PlayMatchRequest) { r.FirstOptions = options },
		"secondOptions":  func(r *strategyv1.PlayMatchRequest) { r.SecondOptions = options },
	} {
		_, _, err := matchWith(t, time.Hour, fakeProvider{}, change)
		wantError(t, err, codes.InvalidArgument, "INVALID_FIELD", field)
	}
}
