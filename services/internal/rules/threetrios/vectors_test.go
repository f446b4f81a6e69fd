package threetrios_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// start returns the start of a game. The setup must be valid.
func start(t testing.TB, s threetrios.Setup) *threetrios.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return p
}

func vectorStart(t testing.TB, v rulestest.ThreeTriosVector) *threetrios.Position {
	t.Helper()
	return start(t, threetrios.Setup{
		Grid: v.Grid, Deck: v.Deck, Rules: ruleNames(v.Rules), CountOwnCards: &v.CountOwnCards,
	})
}

func ruleNames(words []string) []threetrios.Rule {
	named := make([]threetrios.Rule, len(words))
	for i, word := range words {
		named[i] = threetrios.Rule(word)
	}
	return named
}

func TestPublishedCases(t *testing.T) {
	for _, v := range rulestest.ThreeTriosVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			var p rules.Position = vectorStart(t, v)
			for _, want := range v.Moves {
				p = playPublished(t, p, want)
			}
		})
	}
}

// playPublished plays a move of a case and compares the result with the case.
func playPublished(t *testing.T, p rules.Position, want rulestest.ThreeTriosMove) rules.Position {
	t.Helper()
	move, err := p.ParseMove(want.Move)
	if err != nil {
		t.Fatal(err)
	}
	next, flips, err := p.Play(move)
	if err != nil {
		t.Fatalf("%s: %v", want.Move, err)
	}
	got := rulestest.ThreeTriosMove{Move: want.Move, Flips: len(flips), Waves: waves(p, flips), Owners: owners(next)}
	got.Score.Red, got.Score.Blue = next.Score().First, next.Score().Second
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after %s (-want +got):\n%s", want.Move, diff)
	}
	return next
}

func waves(p rules.Position, flips []rules.Flip) [][]string {
	all := [][]string{}
	for _, f := range flips {
		if f.Wave == len(all) {
			all = append(all, nil)
		}
		all[f.Wave] = append(all[f.Wave], p.CellNotation(f.Cell))
	}
	return all
}

// owners returns the owners of all cells in the format of the cases, which is that of the notation.
func owners(p rules.Position) string {
	grid, _, _ := strings.Cut(p.Notation(), " ")
	return strings.TrimPrefix(grid, "threetrios/")
}
