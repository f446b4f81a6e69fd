package commands

import (
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/structpb"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// PlayMatch always plays the same two games.
func (f *fake) PlayMatch(
	request *strategyv1.PlayMatchRequest, s grpc.ServerStreamingServer[strategyv1.PlayMatchResponse],
) error {
	f.record(s.Context(), "PlayMatch", request)
	game := func(number int32, first, winner rulesv1.Side) *strategyv1.PlayMatchResponse {
		return &strategyv1.PlayMatchResponse{Message: &strategyv1.PlayMatchResponse_Game{Game: &strategyv1.MatchGame{
			Number: number, FirstSide: first, Winner: winner, Start: "reversi/hex:1 __/___/__ X 0",
			Moves: []string{"pass", "pass"}, Score: &rulesv1.Score{First: 20, Second: 17},
		}}}
	}
	result := func(wins, draws int32, final bool) *strategyv1.PlayMatchResponse {
		return &strategyv1.PlayMatchResponse{Message: &strategyv1.PlayMatchResponse_Summary{
			Summary: &strategyv1.MatchSummary{Wins: wins, Draws: draws, Elo: 191, EloError: 30, Llr: 2.95, Final: final},
		}}
	}
	for _, m := range []*strategyv1.PlayMatchResponse{
		game(1, rulesv1.Side_SIDE_FIRST, rulesv1.Side_SIDE_FIRST), result(1, 0, false),
		game(2, rulesv1.Side_SIDE_SECOND, rulesv1.Side_SIDE_UNSPECIFIED), result(1, 1, false),
		result(1, 1, true),
	} {
		if err := s.Send(m); err != nil {
			return err
		}
	}
	return nil
}

func TestArenaPrintsEachGameAndTheResult(t *testing.T) {
	f := newFake(t)
	got := f.run("arena", "expert", "hard", "--games", "2", "--opening", "4", "--seed", "7", "--sprt", "0,10")
	const want = "   1  expert - hard  20-17  expert wins\n" +
		"   2  hard - expert  20-17  draw\n" +
		"expert against hard: 1 won, 1 drawn, 0 lost; Elo +191 ± 30, LLR 2.95\n"
	if got.code != 0 || got.out != want || got.err != "" {
		t.Errorf("exit %d, printed\n%s%s", got.code, got.out, got.err)
	}
	request := requestsOf[*strategyv1.PlayMatchRequest](f)[0]
	if request.GetGames() != 2 || request.GetOpeningPlies() != 4 || request.GetSeed() != 7 || request.GetSprt().GetElo1() != 10 {
		t.Errorf("the request is %v", request)
	}
}

func TestArenaWithProviders(t *testing.T) {
	f := newFake(t)
	got := f.run("arena", "easy", "hard", "--first-provider", "mine", "--first-options", `{"style":"bold"}`,
		"--second-provider", "club", "--second-options", `{"style":"calm"}`)
	if want := "   1  easy of mine - hard of club  20-17  easy of mine wins\n"; got.code != 0 || !strings.HasPrefix(got.out, want) {
		t.Errorf("exit %d, printed\n%s%s", got.code, got.out, got.err)
	}
	request := requestsOf[*strategyv1.PlayMatchRequest](f)[0]
	style := func(options *structpb.Struct) any { return options.AsMap()["style"] }
	if request.GetFirstProvider() != "mine" || style(request.GetFirstOptions()) != "bold" ||
		request.GetSecondProvider() != "club" || style(request.GetSecondOptions()) != "calm" {
		t.Errorf("the request is %v", request)
	}
}

// In each match the first strategy gets 1.5 of two points.
func TestArenaRatesSeveralStrategiesOnOneScale(t *testing.T) {
	f := newFake(t)
	got := f.run("arena", "expert", "hard", "skill:3", "--games", "2", "--seed", "7")
	matches := requestsOf[*strategyv1.PlayMatchRequest](f)
	if got.code != 0 || len(matches) != 3 {
		t.Fatalf("exit %d after %d matches: %s", got.code, len(matches), got.err)
	}
	const want = "STRATEGY  ELO\nexpert    +81  ± 198\nhard      +0   ± 190\nskill:3   -81  ± 198\n"
	if !strings.HasSuffix(got.out, want) {
		t.Errorf("printed\n%swant it to end with\n%s", got.out, want)
	}
}

func TestArenaHasProvidersForTwoStrategiesOnly(t *testing.T) {
	got := newFake(t).run("arena", "easy", "hard", "expert", "--first-provider", "mine")
	if got.code != exitUsage || !strings.Contains(got.err, "for two strategies") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

func TestArenaShowsProgressOnATerminal(t *testing.T) {
	got := newFake(t).runInteractive("arena", "expert", "hard", "--games", "2")
	if want := "[###############...............] 1 of 2: 1 won, 0 drawn, 0 lost"; !strings.Contains(got.err, want) {
		t.Errorf("stderr is %q, want %q", got.err, want)
	}
	if strings.Contains(got.out, "[") {
		t.Errorf("the progress bar is in stdout: %q", got.out)
	}
}

// A server may play more games than the request asks for.
func TestArenaProgressBarHasAMaximum(t *testing.T) {
	got := newFake(t).runInteractive("arena", "expert", "hard", "--games", "1")
	if want := "[##############################] 2 of 1"; got.code != 0 || !strings.Contains(got.err, want) {
		t.Errorf("exit %d, stderr %q, want %q", got.code, got.err, want)
	}
}

// Without random opening moves two deterministic strategies would play the same games in each pair.
func TestArenaOpening(t *testing.T) {
	for args, want := range map[string]int32{
		"arena easy medium":                      4,
		"arena easy medium --on square":          4,
		"arena easy medium --on trios":           0, // each pair has a new deal
		"arena easy medium --opening 0":          0,
		"arena easy medium --opening 7":          7,
		"arena easy hard --on trios --opening 2": 2,
	} {
		f := newFake(t)
		got := f.run(strings.Fields(args)...)
		if got.code != 0 || requestsOf[*strategyv1.PlayMatchRequest](f)[0].GetOpeningPlies() != want {
			t.Errorf("%s: exit %d, %s; the requests are %v, want %d plies", args, got.code, got.err,
				requestsOf[*strategyv1.PlayMatchRequest](f), want)
		}
	}
}

func TestArenaUsageErrors(t *testing.T) {
	for _, args := range []string{
		"arena expert", "arena expert champion", "arena expert hard --sprt 10", "arena strategy1 hard --on square",
		"arena expert hard --games 0", "arena expert hard --first-options bold", "arena expert hard --games -2", "arena expert hard --depth 3", "arena greedy hard --on trios", "arena a b --on circle",
	} {
		if got := newFake(t).run(strings.Fields(args)...); got.code != 2 || got.err == "" {
			t.Errorf("%s: exit %d, %q", args, got.code, got.err)
		}
	}
}
