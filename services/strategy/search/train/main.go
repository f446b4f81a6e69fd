// Command train makes the weights of package search: first it has the engine play itself, then it fits the
// weights to how the games ended. Both are the same on every run for the same seed, and playing goes on where it was
// broken off, since it appends games to a file and each depends on nothing but its number.
//
// The weights in the repository were made, from weights set by hand, by
//
//	train play -board hex:5 -games 12000 -file hex5-0.games
//	train fit -board hex:5 -model hexagon5 -file hex5-0.games -weights ../weights/hexagon5.bin
//
// and so on with the weights just made.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// options are the flags; each command looks at those it needs.
type options struct {
	board, model, file, weights string
	games, nodes, random        int
	seed                        uint64
	epochs                      int
}

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(args []string, log io.Writer) error {
	commands := map[string]func(options, io.Writer) error{"play": play, "fit": fit}
	if len(args) == 0 || commands[args[0]] == nil {
		return fmt.Errorf("the commands are play and fit")
	}
	var o options
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.StringVar(&o.board, "board", "hex:5", "hex:<rings> or square:<side>")
	flags.StringVar(&o.file, "file", "games", "games to add to, or to learn from")
	flags.IntVar(&o.games, "games", 1000, "how many games the file is to hold")
	flags.IntVar(&o.nodes, "nodes", 2000, "positions to look at for a move")
	flags.IntVar(&o.random, "random", 24, "most placements at the start that are random")
	flags.Uint64Var(&o.seed, "seed", 1, "for the random numbers")
	flags.StringVar(&o.model, "model", "hexagon5", "weights to make")
	flags.StringVar(&o.weights, "weights", "weights.bin", "file for the weights")
	flags.IntVar(&o.epochs, "epochs", 30, "how often to go through the games")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	return commands[args[0]](o, log)
}

// start returns the start of the games on the board, with forced passes.
func (o options) start() (*reversi.Position, error) {
	setup := reversi.Setup{PassRule: reversi.Forced, Shape: reversi.Hexagon}
	if _, err := fmt.Sscanf(o.board, "hex:%d", &setup.Size); err != nil {
		setup.Shape = reversi.Square
		if _, err := fmt.Sscanf(o.board, "square:%d", &setup.Size); err != nil {
			return nil, fmt.Errorf("board %q is neither hex:<rings> nor square:<side>", o.board)
		}
	}
	_, p, err := setup.Resolve()
	return p, err
}
