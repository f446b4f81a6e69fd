package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy/skill"
)

const levelsHead = `
## The levels of skill

Each level of the strategy skill against the level below it, in %d games each: the difference in
Elo with the half width of its 95 %% interval. The aim is 100 to 150 Elo a step. On eight by eight
the levels are about that far apart. The steps on the hexagon and in Three Trios are smaller: on
the hexagon the engine is less far ahead of a beginner, and in Three Trios the deal decides many
games: the interval of a step often contains 0 there, that of the mean does not. Differences
between neighbours need not add up. The players make no pauses here. This table alone, also for
other boards (square6, cards5x7):

` + "    go run ./services/strategy/strength -levels square8,hexagon5,cards3x3 -games 200" + `

`

// levelGames is the number of games for each pair of levels on the page.
const levelGames = 200

// levelColumns are the boards of the table.
var levelColumns = []string{"square8", "hexagon5", "cards3x3"}

// levelBoards are the boards on which the levels of skill are measured, by their names for -levels.
func levelBoards() map[string]tournament {
	return map[string]tournament{
		"square8": {setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square}}, opening: 4},
		"square6": {
			setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 6}}, opening: 4,
		},
		"hexagon5": {setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon}}, opening: 4},
		"cards3x3": {setup: games.Setup{ThreeTrios: &threetrios.Setup{}}},
		"cards5x7": {setup: games.Setup{ThreeTrios: &threetrios.Setup{
			Grid: "5 7\n" + strings.Repeat("CCCCCCC\n", 5), Deck: deck(36),
		}}},
	}
}

func boardNames() []string {
	var names []string
	for name := range levelBoards() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// deck returns a deck of cards with values from 1 to 9.
func deck(size int) string {
	var cards strings.Builder
	for i := range size {
		fmt.Fprintf(&cards, "c%d %d %d %d %d\n",
			i, 1+i*7%9, 1+(i*3+i/3)%9, 1+(i*8+i/5)%9, 1+(i*2+i/9*4)%9)
	}
	return cards.String()
}

// writeLevels plays each level of skill from the lowest one against the level below it and prints
// the differences in Elo, a row for each level and for their mean, and a column for each board.
func writeLevels(ctx context.Context, out io.Writer, boards []string, lowest, count int) error {
	for _, name := range boards {
		if _, ok := levelBoards()[name]; !ok {
			return fmt.Errorf("unknown board %q: use %s", name, strings.Join(boardNames(), ", "))
		}
	}
	fmt.Fprintf(out, "| level | %s |\n| --- |%s\n",
		strings.Join(boards, " | "), strings.Repeat(" --- |", len(boards)))
	sums, variances, steps := make([]float64, len(boards)), make([]float64, len(boards)), 0.0
	for level := max(lowest, 2); level <= skill.Highest; level++ {
		steps++
		row := fmt.Sprintf("| %d over %d |", level, level-1)
		for i, name := range boards {
			tally, _, err := levelBoards()[name].play(
				ctx, skill.Player{Level: level}, skill.Player{Level: level - 1}, count)
			if err != nil {
				return err
			}
			elo, margin := tally.Elo()
			row += eloCell(elo, margin)
			sums[i], variances[i] = sums[i]+elo, variances[i]+margin*margin
		}
		if _, err := fmt.Fprintln(out, row); err != nil {
			return err
		}
	}
	fmt.Fprint(out, "| mean |")
	for i, sum := range sums {
		fmt.Fprint(out, eloCell(sum/steps, math.Sqrt(variances[i])/steps))
	}
	_, err := fmt.Fprintln(out)
	return err
}

func eloCell(elo, margin float64) string { return fmt.Sprintf(" %+.0f ± %.0f |", elo, margin) }
