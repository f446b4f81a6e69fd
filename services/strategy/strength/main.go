// Command strength plays every strategy against every other and prints what came of it as a page: docs/strength.md is
// made by `make strength`. Strategies are limited by depth and nodes, so that the tables depend on no machine; only what
// the engine does in a tenth of a second (timed.go) does.
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

// player is a strategy with the name it has in the table.
type player struct {
	name     string
	strategy strategy.Strategy
}

// event is a board and who plays on it, the weakest first.
type event struct {
	name    string
	setup   games.Setup
	opening int
	players []player
}

func events() []event {
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
	return []event{
		{"Reversi on the hexagon of five rings", games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon}}, 4, onReversi},
		{"Reversi on eight by eight", games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square}}, 4, onReversi},
		{"Three Trios on three by three", games.Setup{ThreeTrios: &threetrios.Setup{}}, 0, withCards},
	}
}

// level is one of the levels of Reversi.
func level(name string, l catalogue.Level) player { return player{name, l.In(rules.Reversi)} }

func main() {
	count := flag.Int("games", 100, "how many games each pair of strategies plays")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := write(ctx, os.Stdout, *count); err != nil {
		fmt.Fprintln(os.Stderr, "strength:", err)
		os.Exit(1) //nolint:gocritic // what is deferred is only the signal
	}
}

const head = `# Strength

Every strategy against every other, in %d games each: pairs that begin alike, with the seats swapped, after four random
plies in Reversi and with a new deal in Three Trios. A cell is the share of points of the strategy on the left against the one
above, in percent, with half the width of the 95 %% interval. A number behind alphaBeta is its depth in plies, one behind
engine how many positions it may visit for a move. This page is made by ` + "`make strength`" + ` in some twenty
minutes on two processors.
`

func write(ctx context.Context, out io.Writer, count int) error {
	fmt.Fprintf(out, head, count)
	for _, e := range events() {
		if err := e.write(ctx, out, count); err != nil {
			return err
		}
	}
	return writeTimed(ctx, out, count)
}

// write plays all matches of an event and prints its table.
func (e event) write(ctx context.Context, out io.Writer, count int) error {
	n := len(e.players)
	cells := make([][]string, n)
	points := make([]float64, n)
	for i := range cells {
		cells[i] = slices.Repeat([]string{""}, n)
	}
	for i := range n {
		for j := range i {
			tally, err := e.play(ctx, e.players[i], e.players[j], count)
			if err != nil {
				return err
			}
			score, margin := tally.Score()
			cells[i][j], cells[j][i] = cell(score, margin), cell(1-score, margin)
			points[i] += score
			points[j] += 1 - score
			fmt.Fprintf(os.Stderr, "%s: %s against %s: %s\n", e.name, e.players[i].name, e.players[j].name, cells[i][j])
		}
	}
	fmt.Fprintf(out, "\n## %s\n\n| | all |", e.name)
	for _, p := range e.players {
		fmt.Fprintf(out, " %s |", p.name)
	}
	fmt.Fprintf(out, "\n|%s\n", strings.Repeat(" --- |", n+2))
	for i, p := range e.players {
		fmt.Fprintf(out, "| **%s** | %.0f | %s |\n", p.name, 100*points[i]/float64(n-1), strings.Join(cells[i], " | "))
	}
	return nil
}

func cell(score, margin float64) string { return fmt.Sprintf("%.0f ± %.0f", 100*score, 100*margin) }

func (e event) play(ctx context.Context, a, b player, count int) (arena.Tally, error) {
	return arena.Play(ctx, arena.Match{
		Setup: e.setup, First: a.strategy, Second: b.strategy,
		Games: count, Seed: 1, OpeningPlies: e.opening, Parallel: runtime.GOMAXPROCS(0),
	}, func(arena.Game, arena.Tally) error { return nil })
}
