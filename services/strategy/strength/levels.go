package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/skill"
)

const levelsHead = `
## The levels of skill

Each level of the strategy skill against the level below it, in %d games each: the difference in
Elo with the half width of its 95 %% interval. Differences between neighbours need not add up. The
players make no pauses here.

The aim is 100 to 150 Elo a step, a range of 1,900 Elo or more. Eight by eight has it. The other two
games do not: from random moves, which no level plays, to level 20 there is less (the last row and
all steps). Level 20 is near the upper end: it searches two million nodes for a move there, about
half a second. In Three Trios it plays nearly perfectly (see the table for 0.1 s). On the hexagon
the step over level 19 takes twenty times the nodes. The levels share the range about evenly. In
Three Trios the deal decides many games.

This table alone, also for other boards (square6, cards5x7):

` + "    go run ./services/strategy/strength -levels square8,hexagon5,cards3x3 -games 400" + `

`

// levelGames is the number of games for each pair of levels on the page.
const levelGames = 400

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

// anyMove holds all moves equally good, so that a seed chooses a random one.
type anyMove struct{}

func (anyMove) Keep(
	_ *limits.Meter, _ rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	return candidates, nil
}

// writeLevels plays each level of skill from the lowest one against the level below it and prints
// the differences in Elo: a row for each level, for their mean and for level 1 against random
// moves, and a column for each board.
func writeLevels(ctx context.Context, out io.Writer, boards []string, lowest, count int) error {
	if lowest > skill.Highest {
		return fmt.Errorf("there is no level %d: -from is at most %d", lowest, skill.Highest)
	}
	for _, name := range boards {
		if _, ok := levelBoards()[name]; !ok {
			return fmt.Errorf("unknown board %q: use %s", name, strings.Join(boardNames(), ", "))
		}
	}
	fmt.Fprintf(out, "| level | %s |\n| --- |%s\n",
		strings.Join(boards, " | "), strings.Repeat(" --- |", len(boards)))
	sums, variances, steps := make([]float64, len(boards)), make([]float64, len(boards)), 0.0
	writeRow := func(players string, above, below strategy.Strategy) error {
		row := "| " + players + " |"
		for i, name := range boards {
			tally, _, err := levelBoards()[name].play(ctx, above, below, count)
			if err != nil {
				return err
			}
			elo, margin := tally.Elo()
			row += eloCell(elo, margin)
			sums[i], variances[i] = sums[i]+elo, variances[i]+margin*margin
		}
		_, err := fmt.Fprintln(out, row)
		return err
	}
	for level := max(lowest, 2); level <= skill.Highest; level++ {
		steps++
		players := fmt.Sprintf("%d over %d", level, level-1)
		err := writeRow(players, skill.Player{Level: level}, skill.Player{Level: level - 1})
		if err != nil {
			return err
		}
	}
	fmt.Fprint(out, "| mean |")
	for i, sum := range sums {
		fmt.Fprint(out, eloCell(sum/steps, math.Sqrt(variances[i])/steps))
	}
	fmt.Fprintln(out)
	return writeRow("1 over random moves", skill.Player{Level: 1}, anyMove{})
}

func eloCell(elo, margin float64) string { return fmt.Sprintf(" %+.0f ± %.0f |", elo, margin) }
