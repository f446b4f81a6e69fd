package render_test

import (
	"testing"

	"github.com/flipside-games/flipside/clients/cli/render"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

func TestForfeitsOfAMatch(t *testing.T) {
	names := []string{"easy of mine", "hard"}
	game := render.MatchGame(&strategyv1.MatchGame{
		Number: 2, FirstSide: rulesv1.Side_SIDE_SECOND, Winner: rulesv1.Side_SIDE_FIRST,
		Score: &rulesv1.Score{First: 9, Second: 4},
		Forfeit: &strategyv1.MatchGame_Forfeit{
			Side: rulesv1.Side_SIDE_SECOND, Reason: strategyv1.MatchGame_REASON_ILLEGAL_MOVE, Message: "c1 is taken\x1b[2J",
		},
	}, names)
	if want := "   2  hard - easy of mine  9-4  hard wins by forfeit: illegal move: \"c1 is taken\\x1b[2J\"\n"; game != want {
		t.Errorf("got %q, want %q", game, want)
	}
	result := render.MatchResult(&strategyv1.MatchSummary{Losses: 2, FirstForfeits: 1, SecondForfeits: 3}, names)
	const want = "easy of mine against hard: 0 won, 0 drawn, 2 lost; Elo +0 ± 0, 1 forfeited by easy of mine, 3 forfeited by hard\n"
	if result != want {
		t.Errorf("got %q, want %q", result, want)
	}
}
