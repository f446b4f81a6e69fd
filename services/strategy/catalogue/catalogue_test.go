package catalogue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/catalogue"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

var levels = map[string]catalogue.Level{
	"easy": catalogue.Easy, "medium": catalogue.Medium, "hard": catalogue.Hard, "expert": catalogue.Expert,
}

func TestTheLevelsPlayThePublishedGames(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "selfplay") {
		t.Run(v.Name(), func(t *testing.T) {
			shape := reversi.Square
			if v.Hexagonal {
				shape = reversi.Hexagon
			}
			_, start, err := reversi.Setup{Shape: shape, Size: v.Size, PassRule: reversi.PassRule(v.Rule)}.Resolve()
			if err != nil {
				t.Fatal(err)
			}
			black, white, _ := strings.Cut(v.Key, "-")
			players := map[rules.Side]strategy.Strategy{
				rules.First: levels[black].In(rules.Reversi), rules.Second: levels[white].In(rules.Reversi),
			}
			p := rules.Position(start)
			for i, want := range v.Moves(t, v.Note) {
				got, err := strategy.Choose(t.Context(), players[p.Turn()], p, 0)
				if err != nil || got.Chosen.Move != want {
					t.Fatalf("move %d of %s is %s (%v), want %s", i+1, p.Notation(),
						p.MoveNotation(got.Chosen.Move), err, p.MoveNotation(want))
				}
				p = rulestest.Replay(t, p, []rules.Move{want})
			}
			if p.Turn() != rules.NoSide || p.Score() != v.Discs(t) {
				t.Errorf("the game ends at %s", p.Notation())
			}
		})
	}
}

func TestLevelsOfThreeTrios(t *testing.T) {
	small, large := cardGame(t, 5), cardGame(t, 7)
	for name, tt := range map[string]struct {
		level catalogue.Level
		p     rules.Position
		want  strategy.Strategy
	}{
		"easy":                 {catalogue.Easy, small, trios.MostFlips{}},
		"medium":               {catalogue.Medium, small, trios.Corners{}},
		"hard":                 {catalogue.Hard, small, trios.SmallestReply{}},
		"hard on a large grid": {catalogue.Hard, large, trios.LeastExposed{}},
	} {
		got, err := strategy.Choose(t.Context(), tt.level.In(rules.ThreeTrios), tt.p, 0)
		want, wantErr := strategy.Choose(t.Context(), tt.want, tt.p, 0)
		if err != nil || wantErr != nil || !slices.Equal(want.Candidates, got.Candidates) {
			t.Errorf("%s chose %v, %v; want %v, %v", name, got.Candidates, err, want.Candidates, wantErr)
		}
	}
	want := engine.Search{Limits: limits.Limits{Time: time.Second}}
	if got := catalogue.Expert.In(rules.ThreeTrios); got != want {
		t.Errorf("expert is %#v, want %#v", got, want)
	}
}

// cardGame returns the start of a game on a square grid, a few moves in.
func cardGame(t *testing.T, side int) rules.Position {
	t.Helper()
	var deck strings.Builder
	for i := range side*side + 1 {
		fmt.Fprintf(&deck, "c%d %d %d %d %d\n", i, 1+i%9, 1+i*2%9, 1+i*4%9, 1+i*5%9)
	}
	grid := fmt.Sprintf("%d %d\n", side, side) + strings.Repeat(strings.Repeat("C", side)+"\n", side)
	_, p, err := threetrios.Setup{Grid: grid, Deck: deck.String()}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	positions, _ := rulestest.RandomGame(t, p, 1)
	return positions[side*side/2]
}

func TestAnUnknownLevelHasNoStrategy(t *testing.T) {
	for _, level := range []catalogue.Level{0, 5} {
		if got := level.In(rules.Reversi); got != nil {
			t.Errorf("level %d is %#v", level, got)
		}
	}
}

func TestEachEntryHasADescription(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range catalogue.Entries() {
		if seen[e.Name] || e.Summary == "" || len(e.Games) == 0 {
			t.Errorf("the entry %+v is a duplicate or incomplete", e)
		}
		seen[e.Name] = true
		for _, p := range e.Parameters {
			if p.Name == "" || p.Summary == "" {
				t.Errorf("%s has the parameter %+v", e.Name, p)
			}
		}
	}
}
