package commands

import (
	"strings"
	"testing"

	"google.golang.org/grpc"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// PlayMatch plays the same two games to whoever asks.
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

func TestArenaTellsEachGameAndTheResult(t *testing.T) {
	f := newFake(t)
	got := f.run("arena", "expert", "hard", "--games", "2", "--opening", "4", "--seed", "7", "--sprt", "0,10")
	const want = "   1  expert - hard  20-17  expert wins\n" +
		"   2  hard - expert  20-17  draw\n" +
		"expert against hard: 1 won, 1 drawn, 0 lost; Elo +191 ± 30, LLR 2.95\n"
	if got.code != 0 || got.out != want || got.err != "" {
		t.Errorf("exit %d, printed\n%s%s", got.code, got.out, got.err)
	}
	asked := called[*strategyv1.PlayMatchRequest](f)[0]
	if asked.GetGames() != 2 || asked.GetOpeningPlies() != 4 || asked.GetSeed() != 7 || asked.GetSprt().GetElo1() != 10 {
		t.Errorf("it asked for %v", asked)
	}
}

func TestArenaShowsSomebodyAtATerminalHowFarItIs(t *testing.T) {
	got := newFake(t).runInteractive("arena", "expert", "hard", "--games", "2")
	if want := "[###############...............] 1 of 2: 1 won, 0 drawn, 0 lost"; !strings.Contains(got.err, want) {
		t.Errorf("the bar is %q", got.err)
	}
	if strings.Contains(got.out, "[") {
		t.Errorf("the bar is among the data: %q", got.out)
	}
}

// A server may have its own idea of how many games a match has.
func TestTheBarOfAnArenaIsNeverLongerThanFull(t *testing.T) {
	got := newFake(t).runInteractive("arena", "expert", "hard", "--games", "1")
	if want := "[##############################] 2 of 1"; got.code != 0 || !strings.Contains(got.err, want) {
		t.Errorf("exit %d, the bar is %q", got.code, got.err)
	}
}

// Without an opening two strategies that leave nothing to chance would play the same pair again and again.
func TestPairsOfAnArenaBeginDifferently(t *testing.T) {
	for args, want := range map[string]int32{
		"arena easy medium":                      4,
		"arena easy medium --on square":          4,
		"arena easy medium --on trios":           0, // each pair has a deal of its own
		"arena easy medium --opening 0":          0,
		"arena easy medium --opening 7":          7,
		"arena easy hard --on trios --opening 2": 2,
	} {
		f := newFake(t)
		got := f.run(strings.Fields(args)...)
		if got.code != 0 || called[*strategyv1.PlayMatchRequest](f)[0].GetOpeningPlies() != want {
			t.Errorf("%s: exit %d, %s; asked %v, want %d", args, got.code, got.err,
				called[*strategyv1.PlayMatchRequest](f), want)
		}
	}
}

func TestArenaRefusesWhatItDoesNotUnderstand(t *testing.T) {
	for _, args := range []string{
		"arena expert", "arena expert champion", "arena expert hard --sprt 10", "arena strategy1 hard --on square",
		"arena expert hard --games 0", "arena expert hard --games -2", "arena expert hard --depth 3", "arena greedy hard --on trios", "arena a b --on circle",
	} {
		if got := newFake(t).run(strings.Fields(args)...); got.code != 2 || got.err == "" {
			t.Errorf("%s: exit %d, %q", args, got.code, got.err)
		}
	}
}
