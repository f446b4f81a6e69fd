package grpcapi_test

import (
	"errors"
	"io"
	"testing"

	"google.golang.org/grpc/codes"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// twoRingMatch is a match of six games on a small board.
func twoRingMatch() *strategyv1.PlayMatchRequest {
	return &strategyv1.PlayMatchRequest{
		Setup: &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
			Board: &rulesv1.ReversiSetup_Hexagon{Hexagon: &rulesv1.HexagonBoard{Rings: 2}},
		}}},
		First:        &strategyv1.Strategy{Kind: &strategyv1.Strategy_AlphaBeta{AlphaBeta: &strategyv1.AlphaBeta{MaxDepth: 2}}},
		Second:       &strategyv1.Strategy{Kind: &strategyv1.Strategy_Greedy{Greedy: &strategyv1.Greedy{}}},
		Games:        6,
		OpeningPlies: 2,
		Seed:         1,
	}
}

func match(t *testing.T, req *strategyv1.PlayMatchRequest) ([]*strategyv1.PlayMatchResponse, error) {
	t.Helper()
	return matchAt(t, client(t), req)
}

// matchAt plays a match at a server.
func matchAt(
	t *testing.T, c strategyv1.StrategyServiceClient, req *strategyv1.PlayMatchRequest,
) ([]*strategyv1.PlayMatchResponse, error) {
	t.Helper()
	stream, err := c.PlayMatch(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var all []*strategyv1.PlayMatchResponse
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, m)
	}
}

func TestAMatchSendsEachGameAndTheTally(t *testing.T) {
	all, err := match(t, twoRingMatch())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2*6+1 {
		t.Fatalf("it sends %d messages for six games", len(all))
	}
	for i, m := range all[:12] {
		summary := m.GetSummary()
		if i%2 == 0 && m.GetGame() == nil || i%2 == 1 && (summary == nil || summary.GetFinal()) {
			t.Errorf("message %d is %v", i, m)
		}
	}
	last := all[12].GetSummary()
	if !last.GetFinal() || last.GetWins()+last.GetDraws()+last.GetLosses() != 6 {
		t.Errorf("the last message is %v", last)
	}
}

func TestTheErrorOfAnInvalidMatchNamesTheField(t *testing.T) {
	tests := map[string]struct {
		change func(*strategyv1.PlayMatchRequest)
		field  string
	}{
		"no setup":                       {func(r *strategyv1.PlayMatchRequest) { r.Setup = nil }, "setup"},
		"too many games":                 {func(r *strategyv1.PlayMatchRequest) { r.Games = 100_001 }, "games"},
		"too long an opening":            {func(r *strategyv1.PlayMatchRequest) { r.OpeningPlies = 61 }, "openingPlies"},
		"a strategy of another game":     {func(r *strategyv1.PlayMatchRequest) { r.Second = corners() }, "second.corners"},
		"a test of two equal hypotheses": {func(r *strategyv1.PlayMatchRequest) { r.Sprt = &noDifference }, "sprt.elo1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			req := twoRingMatch()
			tt.change(req)
			_, err := match(t, req)
			wantError(t, err, codes.InvalidArgument, "INVALID_FIELD", tt.field)
		})
	}
}

var noDifference strategyv1.PlayMatchRequest_Sprt

func corners() *strategyv1.Strategy {
	return &strategyv1.Strategy{Kind: &strategyv1.Strategy_Corners{Corners: &strategyv1.Corners{}}}
}
