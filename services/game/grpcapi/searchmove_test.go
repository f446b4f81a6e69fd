package grpcapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/robots"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// fakeProvider is a client of a provider. It records the calls.
type fakeProvider struct {
	strategyv1.StrategyServiceClient
	calls []string
	// search and choice are the last requests.
	search *strategyv1.SearchMoveRequest
	choice *strategyv1.ChooseMoveRequest
	// stream are the messages of SearchMove, which then ends with err.
	stream []*strategyv1.SearchMoveResponse
	err    error
}

func (f *fakeProvider) ChooseMove(
	_ context.Context, in *strategyv1.ChooseMoveRequest, _ ...grpc.CallOption,
) (*strategyv1.ChooseMoveResponse, error) {
	f.choice = in
	f.calls = append(f.calls, "ChooseMove")
	return choiceOf("f5"), nil
}

func (f *fakeProvider) SearchMove(
	_ context.Context, in *strategyv1.SearchMoveRequest, _ ...grpc.CallOption,
) (grpc.ServerStreamingClient[strategyv1.SearchMoveResponse], error) {
	f.search = in
	f.calls = append(f.calls, "SearchMove")
	return &fakeStream{messages: f.stream, err: f.err}, nil
}

// only returns the clients of a server without further providers.
func only(provider *fakeProvider) func(string) strategyv1.StrategyServiceClient {
	return func(string) strategyv1.StrategyServiceClient { return provider }
}

type fakeStream struct {
	grpc.ClientStream
	messages []*strategyv1.SearchMoveResponse
	err      error
}

func (s *fakeStream) Recv() (*strategyv1.SearchMoveResponse, error) {
	if len(s.messages) == 0 {
		return nil, s.err
	}
	first := s.messages[0]
	s.messages = s.messages[1:]
	return first, nil
}

func choiceOf(notation string) *strategyv1.ChooseMoveResponse {
	return &strategyv1.ChooseMoveResponse{
		Chosen:   &strategyv1.Candidate{Notation: notation},
		Analysis: &strategyv1.Analysis{Depth: 9, PrincipalVariation: []string{notation}, Final: true},
	}
}

func depthOf(depth int32) *strategyv1.SearchMoveResponse {
	line := []string{"d3"}
	return &strategyv1.SearchMoveResponse{Message: &strategyv1.SearchMoveResponse_Progress{
		Progress: &strategyv1.Analysis{
			Depth: depth, PrincipalVariation: line, MultiPv: []*strategyv1.Line{{PrincipalVariation: line}},
		},
	}}
}

func chosenMessage(notation string) *strategyv1.SearchMoveResponse {
	return &strategyv1.SearchMoveResponse{
		Message: &strategyv1.SearchMoveResponse_Choice{Choice: choiceOf(notation)},
	}
}

// askFor requests a move from a strategy and returns its notation and the reported depths.
func askFor(
	t *testing.T, s *Strategies, strategy string,
) (notation string, depths []int32, err error) {
	t.Helper()
	const empty = "________/________/________/"
	p, err := reversi.Parse("reversi/square:8 " + empty + "___OX___/___XO___/" + empty[:26] + " X 0")
	if err != nil {
		t.Fatal(err)
	}
	choice, err := s.ChooseMove(t.Context(), robots.Request{
		Position: p, Robot: game.Robot{Strategy: []byte(strategy)},
		Progress: func(document json.RawMessage) {
			a := readStored(document, &strategyv1.Analysis{})
			if a.GetPrincipalVariation() != nil || a.GetMultiPv() != nil {
				t.Errorf("the report has lines: %s", document)
			}
			depths = append(depths, a.GetDepth())
		},
	})
	if err != nil {
		return "", depths, err
	}
	return p.MoveNotation(choice.Move), depths, nil
}

const (
	longSearch  = `{"engine":{"maxTime":"5s"}}`
	shortSearch = `{"engine":{"maxTime":"0.4s"}}`
)

func TestChooseMoveReportsProgress(t *testing.T) {
	complete := []*strategyv1.SearchMoveResponse{depthOf(1), depthOf(2), chosenMessage("d3")}
	unavailable := status.Error(codes.Unavailable, "the connection broke")
	for _, test := range []struct {
		name, strategy string
		stream         []*strategyv1.SearchMoveResponse
		end            error
		calls          []string
		chosen         string
		depths         []int32
	}{
		{"a long search", longSearch, complete, io.EOF, []string{"SearchMove"}, "d3", []int32{1, 2}},
		{
			"a connection that breaks after the choice", longSearch, complete, unavailable,
			[]string{"SearchMove"}, "d3", []int32{1, 2},
		},
		{
			"a connection that breaks before the choice", longSearch, complete[:2], unavailable,
			[]string{"SearchMove", "ChooseMove"}, "f5", []int32{1, 2},
		},
		{
			"a provider without SearchMove", longSearch, nil, status.Error(codes.Unimplemented, ""),
			[]string{"SearchMove", "ChooseMove"}, "f5", nil,
		},
		{"a short search", shortSearch, complete, io.EOF, []string{"ChooseMove"}, "f5", nil},
		{"no search", `{"greedy":{}}`, complete, io.EOF, []string{"ChooseMove"}, "f5", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			provider := &fakeProvider{stream: test.stream, err: test.end}
			s := NewStrategies(only(provider), time.Minute, nil)
			chosen, depths, err := askFor(t, s, test.strategy)
			if err != nil || chosen != test.chosen || !slices.Equal(depths, test.depths) {
				t.Errorf("it chose %q after the depths %v: %v", chosen, depths, err)
			}
			if diff := cmp.Diff(test.calls, provider.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// The errors of SearchMove have the reasons that those of ChooseMove have.
func TestSearchMoveFails(t *testing.T) {
	type stream = []*strategyv1.SearchMoveResponse
	failed := func(code codes.Code) error { return status.Error(code, "") }
	for _, test := range []struct {
		name   string
		stream stream
		end    error
		reason game.SubstituteReason // "" for an unavailable provider
	}{
		{"without a choice", stream{depthOf(1)}, io.EOF, game.InvalidAnswer},
		{"with an invalid choice", stream{chosenMessage("z9z")}, io.EOF, game.InvalidAnswer},
		{"too late", stream{depthOf(1)}, failed(codes.DeadlineExceeded), game.NoAnswer},
		{"rejected", nil, failed(codes.InvalidArgument), game.Rejected},
		{"too large", nil, failed(codes.ResourceExhausted), game.Rejected},
		{"busy", nil, busy(t), ""},
		{"unavailable", nil, failed(codes.Unavailable), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			provider := &fakeProvider{stream: test.stream, err: test.end}
			s := NewStrategies(only(provider), time.Minute, nil)
			_, _, err := askFor(t, s, longSearch)
			reason := game.SubstituteReason("")
			if attempt, ok := errors.AsType[*robots.AttemptError](err); ok {
				reason = attempt.Reason
			}
			if err == nil || reason != test.reason {
				t.Errorf("the reason is %q: %v", reason, err)
			}
			if want := []string{"SearchMove"}; !slices.Equal(provider.calls, want) {
				t.Errorf("the calls are %v", provider.calls)
			}
		})
	}
}

// busy returns the error of a provider that can answer later.
func busy(t *testing.T) error {
	t.Helper()
	s, err := status.New(codes.ResourceExhausted, "").
		WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	return s.Err()
}

// A provider may be upgraded: SearchMove is tried again, but not at every turn.
func TestSearchMoveIsTriedAgainLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider := &fakeProvider{err: status.Error(codes.Unimplemented, "")}
		s := NewStrategies(only(provider), time.Minute, nil)
		for range 3 {
			if _, _, err := askFor(t, s, longSearch); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(searchMoveRetry)
		if _, _, err := askFor(t, s, longSearch); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"SearchMove", "ChooseMove", "ChooseMove", "ChooseMove", "SearchMove", "ChooseMove",
		}
		if diff := cmp.Diff(want, provider.calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

func TestARequestDescribesTheTurn(t *testing.T) {
	p, err := reversi.Parse("reversi/square:4 ____/_OX_/_XO_/____ X 0")
	if err != nil {
		t.Fatal(err)
	}
	minutes := func(n int) *durationpb.Duration { return durationpb.New(time.Duration(n) * time.Minute) }
	style, err := structpb.NewStruct(map[string]any{"style": "bold"})
	if err != nil {
		t.Fatal(err)
	}
	strategy := readStored([]byte(longSearch), &strategyv1.Strategy{})
	want := &strategyv1.SearchMoveRequest{
		Position: &rulesv1.Position{Notation: p.Notation()}, Strategy: strategy, Seed: 7,
		GameId: "game", Side: rulesv1.Side_SIDE_FIRST, Options: style,
		Clock: &strategyv1.Clock{First: minutes(1), Second: minutes(2), Increment: minutes(3), PerMove: minutes(4)},
	}
	fake := &fakeProvider{err: status.Error(codes.Unimplemented, "no SearchMove")}
	s := NewStrategies(only(fake), time.Minute, nil)
	if _, err := s.ChooseMove(t.Context(), robots.Request{
		GameID: "game", Version: 3, Position: p, Seed: 7,
		Robot: game.Robot{Strategy: []byte(longSearch), Options: []byte(`{"style":"bold"}`)},
		Clock: &robots.Clock{
			Left: [2]time.Duration{time.Minute, 2 * time.Minute}, Increment: 3 * time.Minute, PerMove: 4 * time.Minute,
		},
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, fake.search, protocmp.Transform()); diff != "" {
		t.Errorf("SearchMove (-want +got)\n%s", diff)
	}
	// The fields of both requests have the same numbers.
	encoded, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	choice := &strategyv1.ChooseMoveRequest{}
	if err := proto.Unmarshal(encoded, choice); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(choice, fake.choice, protocmp.Transform()); diff != "" {
		t.Errorf("ChooseMove (-want +got)\n%s", diff)
	}
}
