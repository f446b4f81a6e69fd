package grpcapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/internal/serve"
	"github.com/flipside-games/flipside/services/strategy/grpcapi"
)

const (
	othello  = "reversi/square:8 ________/________/________/___OX___/___XO___/________/________/________ X 0"
	twoRings = "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0"
	mustPass = "reversi/square:6 ______/______/XXXXO_/______/______/______ O 0"
	over     = "reversi/square:4 XXXX/XXXX/XXXX/XXX_ - 0"
)

func cards(t testing.TB, s threetrios.Setup) string {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p.Notation()
}

// client returns a client of the service behind its interceptors.
func client(t testing.TB) strategyv1.StrategyServiceClient {
	t.Helper()
	return clientWith(t, grpcapi.Providers{})
}

// clientWith returns a client of a service with providers.
func clientWith(t testing.TB, providers grpcapi.Providers) strategyv1.StrategyServiceClient {
	t.Helper()
	return clientOf(t, grpcapi.NewServer(nil, 10*time.Minute, providers))
}

// clientOf returns a client of a service.
func clientOf(t testing.TB, service *grpcapi.Server) strategyv1.StrategyServiceClient {
	t.Helper()
	server, err := serve.NewServer(serve.Options{
		Name: "strategy", Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	strategyv1.RegisterStrategyServiceServer(server, service)
	return strategyv1.NewStrategyServiceClient(server.Channel())
}

// read reads a message from JSON.
func read[M proto.Message](t testing.TB, m M, json string) M {
	t.Helper()
	if err := protojson.Unmarshal([]byte(json), m); err != nil {
		t.Fatalf("%s: %v", json, err)
	}
	return m
}

func chooseRequest(t testing.TB, notation, strategy string) *strategyv1.ChooseMoveRequest {
	t.Helper()
	return &strategyv1.ChooseMoveRequest{
		Position: &rulesv1.Position{Notation: notation}, Strategy: read(t, &strategyv1.Strategy{}, strategy),
	}
}

func analyzeRequest(t testing.TB, notation, strategy string) *strategyv1.AnalyzePositionRequest {
	t.Helper()
	return &strategyv1.AnalyzePositionRequest{
		Position: &rulesv1.Position{Notation: notation}, Strategy: read(t, &strategyv1.Strategy{}, strategy),
	}
}

// collect reads all messages of an analysis.
func collect(
	ctx context.Context, c strategyv1.StrategyServiceClient, req *strategyv1.AnalyzePositionRequest,
) ([]*strategyv1.Analysis, error) {
	stream, err := c.AnalyzePosition(ctx, req)
	if err != nil {
		return nil, err
	}
	var all []*strategyv1.Analysis
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, m.GetAnalysis())
	}
}

func TestChooseMove(t *testing.T) {
	c := client(t)
	trios := cards(t, threetrios.Setup{Grid: "1 3\nCCC\n", Deck: "a 1 2 3 4\nv 4 3 2 1\nb 2 2 2 2\nw 3 3 3 3\n"})
	for _, test := range []struct{ strategy, notation, chosen, measure string }{
		{`{"level":"LEVEL_EASY"}`, othello, "d3=1", "MEASURE_FLIPS"},
		{`{"level":"LEVEL_EXPERT"}`, othello, "d3=1", "MEASURE_FLIPS"},
		{`{"maxCapture":{}}`, othello, "d3=1", "MEASURE_FLIPS"},
		{`{"avoidNextToCorners":{}}`, othello, "d3=0", "MEASURE_UNSPECIFIED"},
		{`{"takeCorners":{}}`, othello, "d3=0", "MEASURE_UNSPECIFIED"},
		{`{"minimax":{"assumed":{"maxCapture":{}}}}`, othello, "d3=3", "MEASURE_REPLIES"},
		{`{"minimax":{"assumed":{"alphaBeta":{"maxDepth":1}}}}`, othello, "d3=1", "MEASURE_REPLIES"},
		{`{"tryTwo":{"first":{"takeCorners":{}},"second":{"maxCapture":{}}}}`, othello, "d3=1", "MEASURE_FLIPS"},
		{`{"greedy":{}}`, twoRings, "1,-2=1", "MEASURE_FLIPS"},
		{`{"alphaBeta":{"maxDepth":1}}`, othello, "d3=3", "MEASURE_SCORE"},
		{`{"alphaBeta":{"maxDepth":64}}`, twoRings, "1,-2=-4", "MEASURE_SCORE"},
		{`{"level":"LEVEL_EASY"}`, trios, "a@0,0=0", "MEASURE_FLIPS"},
		{`{"level":"LEVEL_MEDIUM"}`, trios, "a@0,2=4", "MEASURE_STRENGTH"},
		{`{"corners":{}}`, trios, "a@0,2=4", "MEASURE_STRENGTH"},
		{`{"mostFlips":{}}`, trios, "a@0,0=0", "MEASURE_FLIPS"},
		{`{"leastExposed":{}}`, trios, "a@0,0=0", "MEASURE_EXPOSURE"},
		{`{"smallestReply":{}}`, trios, "a@0,0=0", "MEASURE_REPLIES"},
		{`{"engine":{}}`, twoRings, "1,-2=-4", "MEASURE_SCORE"},
		{`{"skill":20}`, twoRings, "2,-1=-4", "MEASURE_SCORE"},
		{`{"skill":1}`, mustPass, "pass=0", "MEASURE_UNSPECIFIED"},
		{`{"engine":{}}`, mustPass, "pass=0", "MEASURE_UNSPECIFIED"},
		{`{"takeCorners":{}}`, mustPass, "pass=0", "MEASURE_UNSPECIFIED"},
		{`{"alphaBeta":{}}`, mustPass, "pass=0", "MEASURE_UNSPECIFIED"},
	} {
		t.Run(test.strategy+" "+test.notation[:12], func(t *testing.T) {
			resp, err := c.ChooseMove(t.Context(), chooseRequest(t, test.notation, test.strategy))
			if err != nil {
				t.Fatal(err)
			}
			chosen := resp.GetChosen()
			if got := fmt.Sprintf("%s=%d", chosen.GetNotation(), chosen.GetValue()); got != test.chosen {
				t.Errorf("chose %s, want %s", got, test.chosen)
			}
			if got := chosen.GetMeasure().String(); got != test.measure {
				t.Errorf("the measure is %s, want %s", got, test.measure)
			}
			if diff := cmp.Diff(chosen, resp.GetCandidates()[0], protocmp.Transform()); diff != "" {
				t.Errorf("the chosen move is not the first candidate:\n%s", diff)
			}
			if !resp.GetAnalysis().GetFinal() {
				t.Error("the analysis is not final")
			}
		})
	}
}

func TestChooseMoveHasAnAnalysis(t *testing.T) {
	resp, err := client(t).ChooseMove(t.Context(), chooseRequest(t, twoRings, `{"alphaBeta":{"maxDepth":64}}`))
	if err != nil {
		t.Fatal(err)
	}
	a := resp.GetAnalysis()
	if a.GetDepth() < 6 || a.GetScore() != -4 || !a.GetExact() || a.GetNodes() == 0 || a.GetNodesPerSecond() == 0 ||
		a.GetTime().AsDuration() <= 0 || len(a.GetPrincipalVariation()) == 0 {
		t.Errorf("the analysis is %v", a)
	}
	want := []*strategyv1.Line{{Score: -4, Exact: true, PrincipalVariation: a.GetPrincipalVariation()}}
	if diff := cmp.Diff(want, a.GetMultiPv(), protocmp.Transform()); diff != "" {
		t.Errorf("the lines differ (-want +got):\n%s", diff)
	}
}

// searchMove returns the progress and the choice of a call.
func searchMove(
	t testing.TB, c strategyv1.StrategyServiceClient, req *strategyv1.ChooseMoveRequest,
) (progress []*strategyv1.Analysis, choice *strategyv1.ChooseMoveResponse) {
	t.Helper()
	stream, err := c.SearchMove(t.Context(), &strategyv1.SearchMoveRequest{
		Position: req.GetPosition(), Strategy: req.GetStrategy(), Seed: req.GetSeed(),
		GameId: req.GetGameId(),
	})
	for err == nil {
		var m *strategyv1.SearchMoveResponse
		switch m, err = stream.Recv(); {
		case errors.Is(err, io.EOF):
			return progress, choice
		case choice != nil:
			t.Fatal("a message follows the choice")
		case m.GetProgress() != nil:
			progress = append(progress, m.GetProgress())
		default:
			choice = m.GetChoice()
		}
	}
	t.Fatal(err)
	return nil, nil
}

func TestSearchMoveReportsEachDepthAndChoosesAsChooseMove(t *testing.T) {
	c := client(t)
	for _, test := range []struct {
		name, strategy, notation string
		depths                   int
	}{
		{"a search", `{"alphaBeta":{"maxDepth":3}}`, othello, 3},
		{"the engine", `{"engine":{"maxDepth":4}}`, cards(t, threetrios.Setup{}), 4},
		{"no search", `{"maxCapture":{}}`, othello, 0},
		{"a forced pass", `{"alphaBeta":{}}`, mustPass, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := chooseRequest(t, test.notation, test.strategy)
			req.Seed = 7
			want, err := c.ChooseMove(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			progress, choice := searchMove(t, c, req)
			timing := protocmp.IgnoreFields(&strategyv1.Analysis{}, "time", "nodes_per_second")
			if diff := cmp.Diff(want, choice, protocmp.Transform(), timing); diff != "" {
				t.Errorf("the choice differs (-ChooseMove +SearchMove):\n%s", diff)
			}
			if len(progress) != test.depths {
				t.Fatalf("it reports %d depths, want %d", len(progress), test.depths)
			}
			for i, a := range progress {
				if int(a.GetDepth()) != i+1 || a.GetFinal() || len(a.GetPrincipalVariation()) == 0 {
					t.Errorf("report %d is %v", i, a)
				}
			}
		})
	}
}

func TestASeedPicksAmongTheCandidates(t *testing.T) {
	c := client(t)
	picked := map[string]bool{}
	for seed := range int64(40) {
		req := chooseRequest(t, othello, `{"maxCapture":{}}`)
		req.Seed = seed
		resp, err := c.ChooseMove(t.Context(), req)
		if err != nil || len(resp.GetCandidates()) != 4 {
			t.Fatalf("the response is %v, %v", resp, err)
		}
		picked[resp.GetChosen().GetNotation()] = true
	}
	if len(picked) != 4 {
		t.Errorf("the seeds pick only %v of four candidates", picked)
	}
}

func TestAnalyzePosition(t *testing.T) {
	c := client(t)
	for _, test := range []struct {
		name, strategy, notation string
		multiPV                  int32
		depths, lines            int
	}{
		{"a message for each depth, and a final one", `{"alphaBeta":{"maxDepth":3}}`, othello, 0, 3, 1},
		{"a single depth", `{"alphaBeta":{"maxDepth":1}}`, othello, 1, 1, 1},
		{"several lines", `{"alphaBeta":{"maxDepth":2}}`, othello, 3, 2, 3},
		{"more lines than moves", `{"alphaBeta":{"maxDepth":2}}`, othello, 32, 2, 4},
		{"the engine", `{"engine":{"maxDepth":3}}`, cards(t, threetrios.Setup{}), 0, 3, 1},
		{"a forced pass", `{"alphaBeta":{}}`, mustPass, 2, 2, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := analyzeRequest(t, test.notation, test.strategy)
			req.MultiPv = test.multiPV
			all, err := collect(t.Context(), c, req)
			if err != nil || len(all) != test.depths+1 {
				t.Fatalf("got %d messages, want %d: %v", len(all), test.depths+1, err)
			}
			for i, a := range all {
				if int(a.GetDepth()) != min(i+1, test.depths) || a.GetFinal() != (i == len(all)-1) || len(a.GetMultiPv()) != test.lines {
					t.Errorf("message %d is %v", i, a)
				}
			}
		})
	}
}

// The confidence is below 100 after selective cuts, but not for exact scores.
func TestAnAnalysisHasItsConfidence(t *testing.T) {
	t.Parallel()
	c := client(t)
	_, fiveRings, err := reversi.Setup{Shape: reversi.Hexagon}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for name, notation := range map[string]string{
		"eight by eight": othello, "hexagon": fiveRings.Notation(), "to the end": twoRings,
	} {
		all, err := collect(t.Context(), c, analyzeRequest(t, notation, `{"engine":{"maxDepth":9}}`))
		if err != nil {
			t.Fatal(err)
		}
		first, last := all[0], all[len(all)-1]
		if first.GetConfidence() != 100 {
			t.Errorf("%s: the confidence of a full-width search is %d %%", name, first.GetConfidence())
		}
		if cut := last.GetConfidence() < 100; cut == last.GetExact() || last.GetConfidence() == 0 {
			t.Errorf("%s: at depth %d the confidence is %d %%, exact %v", name, last.GetDepth(), last.GetConfidence(), last.GetExact())
		}
	}
}

// endless is a context that has a deadline but never ends.
type endless struct{ context.Context }

func (endless) Deadline() (time.Time, bool) { return time.Now().Add(time.Second), true }

// The server stops the search itself, before the context ends.
func TestTheServerStopsASearchBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	req, start := chooseRequest(t, othello, `{"alphaBeta":{"maxTime":"60s"}}`), time.Now()
	resp, err := grpcapi.NewServer(nil, 10*time.Minute, grpcapi.Providers{}).ChooseMove(endless{t.Context()}, req)
	if took := time.Since(start); err != nil || resp.GetAnalysis().GetDepth() < 1 || took > 30*time.Second {
		t.Errorf("after %v the response is %v, %v", took, resp, err)
	}
}

func TestListPositionMoves(t *testing.T) {
	c := client(t)
	trios := cards(t, threetrios.Setup{})
	for _, test := range []struct {
		name, request string
		notation      string
		want          string
		more          bool
	}{
		{"in reading order, pass last", `{}`, twoRings, "1,-2 -1,-1 2,-1 -2,1 1,1 -1,2 pass", false},
		{"of the requested side", `{"side":"SIDE_SECOND"}`, othello, "e3 f4 c5 d6", false},
		{"one page", `{"pageSize":3}`, twoRings, "1,-2 -1,-1 2,-1", true},
		{"of one card", `{"card":"bell","side":"SIDE_SECOND","pageSize":2}`, trios, "bell@0,0 bell@0,1", true},
		{"of a card of the other side", `{"card":"bell"}`, trios, "", false},
		{"of an ended position", `{"side":"SIDE_SECOND"}`, over, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := read(t, &strategyv1.ListPositionMovesRequest{}, test.request)
			req.Position = &rulesv1.Position{Notation: test.notation}
			resp, err := c.ListPositionMoves(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if got := moveWords(resp); got != test.want || (resp.GetNextPageToken() != "") != test.more {
				t.Errorf("got %q and the token %q, want %q", got, resp.GetNextPageToken(), test.want)
			}
			if got := resp.GetPosition().GetNotation(); got != test.notation {
				t.Errorf("the position is %s", got)
			}
		})
	}
}

// The response has the position after the move, and its moves.
func TestListPositionMovesAfterAMove(t *testing.T) {
	c := client(t)
	for _, test := range []struct{ move, position string }{
		{"1,-2", "reversi/hex:2 _X_/_XX_/_O_X_/_XO_/___ O 0"},
		{"PASS", "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ O 1"},
	} {
		first := &rulesv1.Position{Notation: twoRings}
		resp, err := c.ListPositionMoves(t.Context(), &strategyv1.ListPositionMovesRequest{Position: first, AfterMove: test.move})
		if err != nil {
			t.Fatal(err)
		}
		moves, err := c.ListPositionMoves(t.Context(), &strategyv1.ListPositionMovesRequest{Position: resp.GetPosition()})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.GetPosition().GetNotation(); got != test.position || moveWords(resp) != moveWords(moves) {
			t.Errorf("%s leads to %q with %s, want %q with %s", test.move, got, moveWords(resp), test.position, moveWords(moves))
		}
	}
}

func moveWords(resp *strategyv1.ListPositionMovesResponse) string {
	var words []string
	for _, m := range resp.GetMoves() {
		words = append(words, m.GetNotation())
	}
	return strings.Join(words, " ")
}

func TestPagesOfMovesJoin(t *testing.T) {
	c := client(t)
	req := &strategyv1.ListPositionMovesRequest{Position: &rulesv1.Position{Notation: twoRings}, PageSize: 4}
	var words []string
	for range 2 {
		resp, err := c.ListPositionMoves(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, moveWords(resp))
		req.PageToken = resp.GetNextPageToken()
	}
	if got := strings.Join(words, " "); got != "1,-2 -1,-1 2,-1 -2,1 1,1 -1,2 pass" || req.GetPageToken() != "" {
		t.Errorf("the pages are %q, and then %q", got, req.GetPageToken())
	}
}

// nested returns a strategy that nests to a depth.
func nested(depth int) string {
	if depth == 1 {
		return `{"maxCapture":{}}`
	}
	return `{"minimax":{"assumed":` + nested(depth-1) + `}}`
}

func TestInvalidRequests(t *testing.T) {
	c := client(t)
	trios := cards(t, threetrios.Setup{})
	large := cards(t, threetrios.Setup{Grid: "3 9\n" + strings.Repeat("CCCCCCCCC\n", 3), Deck: deck(28)})
	const invalid = codes.InvalidArgument
	for _, test := range []struct {
		name, strategy, notation string
		code                     codes.Code
		reason, field            string
	}{
		{"no strategy", `{}`, othello, invalid, "INVALID_FIELD", "strategy"},
		{"no position", `{"greedy":{}}`, "", invalid, "INVALID_FIELD", "position.notation"},
		{"an invalid notation", `{"greedy":{}}`, "reversi/cube:3", invalid, "INVALID_NOTATION", "position.notation"},
		{"a strategy for another game", `{"corners":{}}`, othello, invalid, "INVALID_FIELD", "strategy.corners"},
		{"a strategy for another game, inside", `{"minimax":{"assumed":{"tryTwo":{"first":{"greedy":{}},"second":{"mostFlips":{}}}}}}`,
			othello, invalid, "INVALID_FIELD", "strategy.minimax.assumed.tryTwo.second.mostFlips"},
		{"composed strategies play Reversi only", `{"minimax":{"assumed":{"mostFlips":{}}}}`, trios, invalid, "INVALID_FIELD", "strategy.minimax"},
		{"nested too deep", nested(9), othello, invalid, "INVALID_FIELD", "strategy" + strings.Repeat(".minimax.assumed", 8)},
		{"too deep a search", `{"alphaBeta":{"maxDepth":65}}`, othello, invalid, "INVALID_FIELD", "strategy.alphaBeta.maxDepth"},
		{"the game is over", `{"alphaBeta":{}}`, over, codes.FailedPrecondition, "GAME_OVER", ""},
		{"too large a grid", `{"smallestReply":{}}`, large, codes.ResourceExhausted, "BUDGET_EXCEEDED", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := c.ChooseMove(t.Context(), chooseRequest(t, test.notation, test.strategy))
			wantError(t, err, test.code, test.reason, test.field)
			if test.name == "too large a grid" {
				return // this strategy cannot analyze
			}
			_, err = collect(t.Context(), c, analyzeRequest(t, test.notation, test.strategy))
			wantError(t, err, test.code, test.reason, test.field)
		})
	}
}

func deck(cards int) string {
	var b strings.Builder
	for i := range cards {
		fmt.Fprintf(&b, "k%d 1 2 3 4\n", i)
	}
	return b.String()
}

// wantError checks the status of an error.
func wantError(t *testing.T, err error, code codes.Code, reason, field string) {
	t.Helper()
	s := status.Convert(err)
	fields := []string{}
	for _, d := range s.Details() {
		if bad, ok := d.(*errdetails.BadRequest); ok {
			fields = append(fields, bad.GetFieldViolations()[0].GetField())
		}
	}
	if s.Code() != code || serve.Reason(s) != reason || strings.Join(fields, " ") != field {
		t.Errorf("got %v %s at %q, want %v %s at %q: %s", s.Code(), serve.Reason(s), fields, code, reason, field, s.Message())
	}
}

func TestStrategiesNestEightDeep(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := client(t).ChooseMove(ctx, chooseRequest(t, "reversi/square:4 ____/_OX_/_XO_/____ X 0", nested(8))); err != nil {
		t.Error(err)
	}
}

func TestOnlySearchesAnalyze(t *testing.T) {
	c := client(t)
	for _, strategy := range []string{`{"greedy":{}}`, `{"level":"LEVEL_EXPERT"}`} {
		_, err := collect(t.Context(), c, analyzeRequest(t, othello, strategy))
		wantError(t, err, codes.InvalidArgument, "INVALID_FIELD", "strategy")
	}
}

func TestInvalidPages(t *testing.T) {
	c := client(t)
	for request, field := range map[string]string{
		`{"pageToken":"elsewhere"}`: "pageToken", `{"pageSize":-1}`: "pageSize", `{"side":7}`: "side",
	} {
		req := read(t, &strategyv1.ListPositionMovesRequest{}, request)
		req.Position = &rulesv1.Position{Notation: othello}
		_, err := c.ListPositionMoves(t.Context(), req)
		wantError(t, err, codes.InvalidArgument, "INVALID_FIELD", field)
	}
}
