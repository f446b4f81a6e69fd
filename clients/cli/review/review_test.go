package review

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// analysis returns an analysis with one principal variation for each move, the best first.
func analysis(exact bool, lines ...line) *strategyv1.Analysis {
	a := &strategyv1.Analysis{
		Score: lines[0].score, Exact: exact, PrincipalVariation: []string{lines[0].move},
	}
	for _, each := range lines {
		a.MultiPv = append(a.MultiPv, &strategyv1.Line{
			Score: each.score, Exact: exact, PrincipalVariation: []string{each.move},
		})
	}
	return a
}

type line struct {
	move  string
	score int32
}

// aGame is a game with each kind of move.
func aGame() []Played {
	first, second := rulesv1.Side_SIDE_FIRST, rulesv1.Side_SIDE_SECOND
	start := analysis(false, line{"f5", 2})
	two := analysis(false, line{"f6", -2})
	three := analysis(true, line{"c3", 6})
	four := analysis(true, line{"d3", 1}, line{"b4", -8})
	return []Played{
		{first, "f5", start, two},  // the best move
		{second, "d6", two, three}, // a loss of 4 discs
		{first, "c4", three, four}, // gives up the win
		{second, "b4", four, nil},  // ends the game, and gives up the win
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	var got []Move
	for _, m := range New("a", [2]string{}, rulesv1.GameKind_GAME_KIND_REVERSI, aGame()).Moves {
		m.index, m.Side = 0, ""
		got = append(got, m)
	}
	want := []Move{
		{Number: 1, Notation: "f5", Best: "f5", BestValue: 2, Value: 2},
		{Number: 2, Notation: "d6", Best: "f6", BestValue: -2, Value: -6, Loss: 4},
		{Number: 3, Notation: "c4", Best: "c3", BestValue: 6, Value: -1, Loss: 7, Exact: true, TurningPoint: true},
		{Number: 4, Notation: "b4", Best: "d3", BestValue: 1, Value: -8, Loss: 9, Exact: true, TurningPoint: true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Move{})); diff != "" {
		t.Error(diff)
	}
}

func TestGoldenReports(t *testing.T) {
	t.Parallel()
	names := [2]string{"Ann <A>", ""}
	report := New("01game", names, rulesv1.GameKind_GAME_KIND_REVERSI, aGame())
	for name, got := range map[string]string{"report.txt": report.Text(), "report.svg": report.SVG()} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
