// Command strength plays matches between all strategies and prints the results as a page. `make
// strength` writes it to docs/strength.md. The limits are depths and nodes, so that the tables do
// not depend on the machine; only those of the engine with a time limit do (timed.go, regret.go).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/catalogue"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

// player is a strategy with its name in the table.
type player struct {
	name     string
	strategy strategy.Strategy
}

// tournament is a game with its players, the weakest first.
type tournament struct {
	name    string
	setup   games.Setup
	opening int
	players []player
}

func tournaments() []tournament {
	onReversi := []player{
		level("easy", catalogue.Easy),
		level("medium", catalogue.Medium),
		level("hard", catalogue.Hard),
		level("expert", catalogue.Expert),
		{"alphaBeta 2", alphabeta.Search{Limits: limits.Limits{Depth: 2}}},
		{"alphaBeta 4", alphabeta.Search{Limits: limits.Limits{Depth: 4}}},
		{"engine 1k", engine.Search{Limits: limits.Limits{Nodes: 1_000}}},
		{"engine 10k", engine.Search{Limits: limits.Limits{Nodes: 10_000}}},
		{"engine 100k", engine.Search{Limits: limits.Limits{Nodes: 100_000}}},
	}
	withCards := []player{
		{"mostFlips", trios.MostFlips{}},
		{"corners", trios.Corners{}},
		{"leastExposed", trios.LeastExposed{}},
		{"smallestReply", trios.SmallestReply{}},
		{"alphaBeta 3", alphabeta.Search{Limits: limits.Limits{Depth: 3}}},
		{"engine 1k", engine.Search{Limits: limits.Limits{Nodes: 1_000}}},
		{"engine 10k", engine.Search{Limits: limits.Limits{Nodes: 10_000}}},
		{"engine 100k", engine.Search{Limits: limits.Limits{Nodes: 100_000}}},
	}
	hexagon := games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon}}
	square := games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square}}
	cards := games.Setup{ThreeTrios: &threetrios.Setup{}}
	return []tournament{
		{"Reversi on the hexagon of five rings", hexagon, 4, onReversi},
		{"Reversi on eight by eight", square, 4, onReversi},
		{"Three Trios on three by three", cards, 0, withCards},
	}
}

// level returns the player of a level of Reversi.
func level(name string, l catalogue.Level) player { return player{name, l.In(rules.Reversi)} }

func main() {
	count := flag.Int("games", 100, "number of games for each pair of strategies")
	var regretOnly durations
	flag.Var(&regretOnly, "regret", "print only the regret at these time limits, such as 30ms,0.3s")
	levelsOnly := flag.String("levels", "",
		"print only the levels of skill on these boards: "+strings.Join(boardNames(), ", "))
	lowest := flag.Int("from", 2, "the first level of -levels")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case regretOnly != nil:
		err = writeRegret(ctx, os.Stdout, regretOnly)
	case *levelsOnly != "":
		err = writeLevels(ctx, os.Stdout, strings.Split(*levelsOnly, ","), *lowest, *count)
	default:
		err = write(ctx, os.Stdout, *count)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "strength:", err)
		os.Exit(1) //nolint:gocritic // stop only restores the signal
	}
}

const head = `# Strength

All strategies against each other, in %d games each. Games are played in pairs with the
same start and swapped seats: after four random plies in Reversi, with a new deal in Three
Trios. A cell shows the share of points, in percent, of the strategy on the left against
the one above, with the half width of the 95 %% interval. The number after alphaBeta is the
depth in plies, the number after engine the limit of nodes for a move. ` + "`make strength`" + `
makes this page in about two hours on two processors.
`

func write(ctx context.Context, out io.Writer, count int) error {
	fmt.Fprintf(out, head, count)
	for _, t := range tournaments() {
		if err := t.write(ctx, out, count); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, levelsHead, levelGames)
	if err := writeLevels(ctx, out, levelColumns, 2, levelGames); err != nil {
		return err
	}
	if err := writeTimed(ctx, out, count); err != nil {
		return err
	}
	return writeRegret(ctx, out, regretTimes)
}

// write plays all matches of a tournament and prints its table.
func (t tournament) write(ctx context.Context, out io.Writer, count int) error {
	n := len(t.players)
	cells := make([][]string, n)
	points := make([]float64, n)
	for i := range cells {
		cells[i] = slices.Repeat([]string{""}, n)
	}
	for i := range n {
		for j := range i {
			tally, _, err := t.play(ctx, t.players[i].strategy, t.players[j].strategy, count)
			if err != nil {
				return err
			}
			score, margin := tally.Score()
			cells[i][j], cells[j][i] = cell(score, margin), cell(1-score, margin)
			points[i] += score
			points[j] += 1 - score
			fmt.Fprintf(os.Stderr, "%s: %s against %s: %s\n",
				t.name, t.players[i].name, t.players[j].name, cells[i][j])
		}
	}
	fmt.Fprintf(out, "\n## %s\n\n| | all |", t.name)
	for _, p := range t.players {
		fmt.Fprintf(out, " %s |", p.name)
	}
	fmt.Fprintf(out, "\n|%s\n", strings.Repeat(" --- |", n+2))
	for i, p := range t.players {
		fmt.Fprintf(out, "| **%s** | %.0f | %s |\n",
			p.name, 100*points[i]/float64(n-1), strings.Join(cells[i], " | "))
	}
	return nil
}

func cell(score, margin float64) string { return fmt.Sprintf("%.0f ± %.0f", 100*score, 100*margin) }

// play plays a match and returns its result and its games.
func (t tournament) play(
	ctx context.Context, a, b strategy.Strategy, count int,
) (tally arena.Tally, played []arena.Game, err error) {
	tally, err = arena.Play(ctx, arena.Match{
		Setup: t.setup, First: arena.Strategy(a), Second: arena.Strategy(b),
		Games: count, Seed: 1, OpeningPlies: t.opening, Parallel: runtime.GOMAXPROCS(0),
	}, func(g arena.Game, _ arena.Tally) error {
		played = append(played, g)
		return nil
	})
	return tally, played, err
}
