// Command results solves games and prints what is proved about them as a page. `make results` writes
// it to docs/results.md. The results do not depend on the machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

func main() {
	deals := flag.Int("deals", 10_000, "number of deals for each set of rules")
	log := flag.String("log", ".cache/results.log", "`file` with the solved deals, to continue a run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := write(ctx, os.Stdout, *log, *deals); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1) //nolint:gocritic // stop only restores the handling of signals.
	}
}

func write(ctx context.Context, out io.Writer, log string, deals int) error {
	fmt.Fprint(out, `# Results

Games that the searches of this project have solved: the score when both players play perfectly from
the first move to the end. `+"`go run ./services/strategy/results -deals N`"+` repeats it, for N deals.
`)
	if err := writeBoards(ctx, out); err != nil {
		return err
	}
	return writeDeals(ctx, out, log, deals)
}

// boards are the boards of Reversi that this program solves. Passing is forced on all of them: the
// searches do not consider a voluntary pass.
var boards = []struct {
	name  string
	setup reversi.Setup
}{
	{"square 4x4", reversi.Setup{Shape: reversi.Square, Size: 4}},
	{"square 6x6", reversi.Setup{Shape: reversi.Square, Size: 6}},
	{"hexagon of 2 rings", reversi.Setup{Shape: reversi.Hexagon, Size: 2}},
	{"hexagon of 3 rings", reversi.Setup{Shape: reversi.Hexagon, Size: 3}},
	{"hexagon of 4 rings", reversi.Setup{Shape: reversi.Hexagon, Size: 4}},
}

func writeBoards(ctx context.Context, out io.Writer) error {
	fmt.Fprint(out, `
## Reversi

The score is the difference in discs for Black, who plays first. A player passes if and only if they
cannot place a disc.

| board | score | nodes |
| --- | ---: | ---: |
`)
	for _, b := range boards {
		b.setup.PassRule = reversi.Forced
		solved, err := solve(ctx, games.Setup{Reversi: &b.setup})
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		fmt.Fprintf(out, "| %s | %+d | %d |\n", b.name, solved.Best().Score, solved.Nodes)
	}
	fmt.Fprint(out, `
The hexagon of five rings is out of reach. In two games between engines, the last 25 placements took
1.2 and 0.8 million nodes and the last 33 took 77 and 393 million: a factor of 1.7 and 2.2 for each
placement. The whole game has 66.
`)
	return nil
}

// solve searches a game from its start to the end.
func solve(ctx context.Context, setup games.Setup) (solved strategy.Analysis, err error) {
	_, start, err := setup.Resolve()
	if err != nil {
		return solved, err
	}
	for solved = range (engine.Search{}).Analyze(limits.NewMeter(ctx), start, 1) {
		if solved.Exact {
			break
		}
	}
	if !solved.Exact {
		return solved, fmt.Errorf("the search ended at depth %d: %w", solved.Depth, ctx.Err())
	}
	return solved, nil
}
