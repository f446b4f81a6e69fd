package skill_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/skill"
)

// boards holds a setup for each table of levels, and the largest boards.
var boards = map[string]games.Setup{
	"8x8":           {Reversi: &reversi.Setup{Shape: reversi.Square}},
	"6x6":           {Reversi: &reversi.Setup{Shape: reversi.Square, Size: 6}},
	"square of 16":  {Reversi: &reversi.Setup{Shape: reversi.Square, Size: 16}},
	"hexagon of 2":  {Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 2}},
	"hexagon of 12": {Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 12}},
	"cards":         {ThreeTrios: &threetrios.Setup{}},
	"cards, 5x5":    {ThreeTrios: &threetrios.Setup{Grid: "5 5\n" + strings.Repeat("CCCCC\n", 5), Deck: deck(26)}},
}

func deck(size int) string {
	var cards strings.Builder
	for i := range size {
		fmt.Fprintf(&cards, "c%d %d %d %d %d\n", i, 1+i%9, 1+i*2%9, 1+i*4%9, 1+i*5%9)
	}
	return cards.String()
}

func start(t *testing.T, board string) rules.Position {
	t.Helper()
	_, p, err := boards[board].Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func choose(t *testing.T, p rules.Position, level int, seed int64) strategy.Choice {
	t.Helper()
	choice, err := strategy.Choose(t.Context(), skill.Player{Level: level}, p, seed)
	if err != nil {
		t.Fatal(err)
	}
	return choice
}

func TestEachLevelPlaysLegalMovesOnEachBoard(t *testing.T) {
	for name := range boards {
		t.Run(name, func(t *testing.T) {
			positions, _ := rulestest.RandomGame(t, start(t, name), 1)
			for level := 1; level <= skill.Highest; level += 3 {
				p := positions[(level*7)%(len(positions)-1)]
				if m := choose(t, p, level, 3).Chosen.Move; !slices.Contains(p.Legal(), m) {
					t.Errorf("level %d plays %v in %s", level, m, p.Notation())
				}
			}
		})
	}
}

// game plays a game of a level against itself and returns its moves.
func game(t *testing.T, board string, level int, seed int64) (moves []string) {
	t.Helper()
	p := start(t, board)
	for p.Turn() != rules.NoSide {
		m := choose(t, p, level, seed).Chosen.Move
		moves = append(moves, p.MoveNotation(m))
		p = rulestest.Replay(t, p, []rules.Move{m})
	}
	return moves
}

func TestASeedGivesTheSameGameAndAnotherSeedAnother(t *testing.T) {
	for _, board := range []string{"6x6", "cards"} {
		for _, level := range []int{1, 8, 14} {
			first, again, other := game(t, board, level, 1), game(t, board, level, 1), game(t, board, level, 2)
			if !slices.Equal(first, again) {
				t.Errorf("%s, level %d: one seed gives two games:\n%v\n%v", board, level, first, again)
			}
			if board == "6x6" && slices.Equal(first, other) {
				t.Errorf("%s, level %d: two seeds give one game: %v", board, level, first)
			}
		}
	}
}

func TestLevelsVaryTheirOpenings(t *testing.T) {
	for _, level := range []int{1, 10, skill.Highest} {
		openings := map[string]bool{}
		for seed := range int64(8) {
			p := start(t, "8x8")
			var moves []rules.Move
			for range 4 {
				m := choose(t, p, level, seed+1).Chosen.Move
				moves = append(moves, m)
				p = rulestest.Replay(t, p, []rules.Move{m})
			}
			openings[fmt.Sprint(moves)] = true
		}
		if len(openings) < 4 {
			t.Errorf("level %d plays %d openings in eight games", level, len(openings))
		}
	}
}

func TestTheOnlyMoveIsNeverOverlooked(t *testing.T) {
	p := start(t, "8x8")
	for _, only := range strategy.Placements(p) {
		for seed := range int64(20) {
			kept, err := skill.Player{Level: 1, Seed: seed}.Keep(
				limits.NewMeter(t.Context()), p, []strategy.Candidate{only})
			if err != nil || len(kept) != 1 || kept[0].Move != only.Move {
				t.Fatalf("of %v it keeps %v, %v", only, kept, err)
			}
		}
	}
}

// A corner stands out. A quiet move, which flips one disc of many, does not.
func TestWeakLevelsOverlookQuietMoves(t *testing.T) {
	const notation = "reversi/square:8 ________/________/__OOO___/__OOO___/__XXX___/________/________/________ X 0"
	p, err := games.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	chosen := map[int]map[rules.Move]int{1: {}, skill.Highest: {}}
	for level, counts := range chosen {
		for seed := range int64(40) {
			counts[choose(t, p, level, seed+1).Chosen.Move]++
		}
	}
	if len(chosen[1]) <= len(chosen[skill.Highest]) {
		t.Errorf("level 1 plays %v, the highest level %v", chosen[1], chosen[skill.Highest])
	}
}

func TestALevelBeatsTheLevelTwoBelow(t *testing.T) {
	for level := 1; level <= 13; level += 4 {
		tally, err := arena.Play(t.Context(), arena.Match{
			Setup: boards["6x6"], First: arena.Strategy(skill.Player{Level: level + 2}), Second: arena.Strategy(skill.Player{Level: level}),
			Games: 40, Seed: 5, OpeningPlies: 4, Parallel: 2,
		}, func(arena.Game, arena.Tally) error { return nil })
		if score, _ := tally.Score(); err != nil || score <= 0.5 {
			t.Errorf("level %d scores %.2f against level %d, %v", level+2, score, level, err)
		}
	}
}
