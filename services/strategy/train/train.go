// Package train makes the weights of the Reversi engines: of package othello (model othello) and of
// package search (all other models). An engine plays games against itself, and
// its weights are fitted to the final scores. The package also plays matches between weights and
// measures the errors that selective cuts depend on. All results depend on the flags alone, not on
// the number of threads.
//
// The weights of the model othello are the result of one command, which keeps the games and weights
// of each generation in a folder and continues an interrupted run:
//
//	flipside-train -out services/strategy/othello/weights.bin
//
// A second command then corrects the constants, on two thousand of the last games:
//
//	flipside-train level -weights weights.bin -out services/strategy/othello/weights.bin GAMES
//
// The weights of package search took an hour of one core, and the last generation of hexagon5 another
// two:
//
//	flipside-train play -model hexagon5 -seed 1 -games 10500 0.games
//	flipside-train fit -model hexagon5 -out services/strategy/search/weights/hexagon5.bin 0.games
//	flipside-train play -model hexagon5 -seed 2 -nodes 3000 -games 4000 1.games
//	flipside-train fit -model hexagon5 -out …/hexagon5.bin 0.games 1.games
//	flipside-train play -model hexagon5 -seed 3 -games 8000 2.games
//	flipside-train fit -model hexagon5 -out …/hexagon5.bin 0.games 1.games 2.games
//	flipside-train play -model hexagon5 -seed 21 -nodes 3000 -exact 13 -random 30 -games 17000 3.games
//	flipside-train fit -model hexagon5 -out …/hexagon5.bin 3.games
//	flipside-train play -model hexagon5 -seed 22 -nodes 3000 -exact 13 -random 16 -mistakes 12 \
//	  -games 7000 4.games
//	flipside-train fit -model hexagon5 -out …/hexagon5.bin 3.games 4.games
//	flipside-train play -model hexagon5 -seed 23 -nodes 2000 -exact 12 -random 16 -mistakes 12 \
//	  -games 4000 6.games
//	flipside-train fit -model hexagon5 -out …/hexagon5.bin 3.games 4.games 6.games
//	flipside-train play -model hexagon5 -seed 61 -nodes 1000 -exact 12 -random 16 -mistakes 12 \
//	  -games 225000 8.games
//	flipside-train fit -model hexagon5 -out …/hexagon5.bin 8.games
//	flipside-train fit -model hexagon -board hex:5 -out …/hexagon.bin 0.games 1.games 2.games
//	flipside-train play -model square -board square:10 -seed 4 -nodes 1000 -random 20 -games 600 \
//	  10.games
//	flipside-train fit -model square -board square:10 -out …/square.bin 10.games
//	flipside-train play -model square6 -seed 31 -nodes 2000 -exact 14 -random 14 -mistakes 12 \
//	  -games 4000 11.games
//	flipside-train fit -model square6 -out …/square6.bin 11.games
//	flipside-train play -model square6 -seed 32 -nodes 3000 -exact 16 -random 14 -mistakes 12 \
//	  -games 8000 12.games
//	flipside-train fit -model square6 -out …/square6.bin 11.games 12.games
//	flipside-train play -model square10 -seed 31 -nodes 1000 -exact 12 -mistakes 16 -games 2000 \
//	  13.games
//	flipside-train fit -model square10 -out …/square10.bin 13.games
//	flipside-train play -model square10 -seed 32 -nodes 2000 -exact 13 -mistakes 16 -games 4000 \
//	  14.games
//	flipside-train fit -model square10 -out …/square10.bin 13.games 14.games
//	flipside-train play -model square10 -seed 33 -nodes 2000 -exact 14 -mistakes 16 -games 4290 \
//	  15.games
//	flipside-train play -model square10 -seed 34 -nodes 2000 -exact 14 -mistakes 16 -games 1734 \
//	  16.games
//	flipside-train fit -model square10 -out …/square10.bin 14.games 15.games 16.games
//
// Those of other boards took three generations each, in two hours of one core. The first games were
// played with the general weights of the shape; the last two generations are in the fit:
//
//	flipside-train play -model hexagon -board hex:4 -seed 41 -nodes 2000 -exact 14 -random 16 \
//	  -mistakes 14 -games 4000 20.games
//	flipside-train fit -model hexagon4 -out …/hexagon4.bin 20.games
//	flipside-train play -model hexagon4 -seed 51 -nodes 3000 -exact 16 -random 14 -mistakes 12 \
//	  -games 8000 21.games
//	flipside-train fit -model hexagon4 -out …/hexagon4.bin 20.games 21.games
//	flipside-train play -model hexagon4 -seed 52 -nodes 3000 -exact 18 -random 14 -mistakes 12 \
//	  -games 8000 22.games
//	flipside-train fit -model hexagon4 -out …/hexagon4.bin 21.games 22.games
//
// and with these values:
//
//	board      generation  seed  nodes  exact  random  mistakes  games
//	hex:6      1           41    1500   13     20      16        4000
//	hex:6      2           51    2000   13     20      14        5000
//	hex:6      3           52    2500   14     20      14        6000
//	hex:7      1           41    1000   12     20      16        3000
//	hex:7      2           51    1500   13     24      16        4000
//	hex:7      3           52    2000   14     24      16        4000
//	square:12  1           41     700   11     20      16        2000
//	square:12  2           51    1000   12     24      16        3000
//	square:12  3           52    1500   13     24      16        2000
//
// The games of the first generation, and those on squares, were played with weights set by hand:
// three quarters of a disc for each mobile cell, a fifth against each disc at the frontier, five
// discs for a safe cell, half a disc for the rim, and as much or twice as much against the cells
// beside. With 2,000 nodes per move on five rings, each generation won against the one before: 65,
// 67 and 57 of 100 games. The first three learned the final scores of their games, the others the
// scores of the searches; the sixth one scores 60 % (+10 discs, 400 games) against the third. The
// seventh one, with ten times the games and with the patterns of ten cells, scores 58 ± 2 % (+7
// discs, 1,000 games) against the sixth; with the patterns of the sixth, 68,000 of its games gained
// nothing (49.9 ± 2.1 %). At equal time, 30 ms for a move, it scores 56 ± 3 % (200 games). An eighth
// one, from these games and 110,000 of its own, scored 51.4 ± 1.3 % (2,000 games) with 2,000 nodes
// and 48 ± 3 % (300 games) with 20,000 nodes, and is not used. The first games on 6x6 and 10x10 were
// played with the weights of the model square. Against these, the weights of each board score 68 %
// (+11 discs, 200 games with 3,000 nodes) on 6x6 and 97 % (+44 discs, 60 games with 2,000 nodes) on
// 10x10. On 6x6 the second generation scores 58 % against the first; on 10x10 the second one scores
// 81 % and the third one 82 % against the one before. On hexagons, with 10 ms for a move (5 ms on
// four rings), the weights of each board score 54 % (+4.2 discs, 200 games) on four rings, 62 % (+18
// discs, 60 games) on six and 85 % (+47 discs, 40 games) on seven against those of the model
// hexagon. On 12x12, with 10 ms, they score 74 % (+27 discs, 60 games) against those of the model
// square.
//
// The deviations for selective cuts come from these commands, in a few minutes of one core:
//
//	flipside-train play -model hexagon5 -seed 11 -nodes 1000 -games 300 5.games
//	flipside-train error -model hexagon5 -depth 7 5.games
//	flipside-train play -model hexagon -seed 11 -nodes 1000 -games 100 7.games
//	flipside-train error -model hexagon -depth 7 7.games
//	flipside-train play -model square -seed 11 -nodes 1000 -games 100 17.games
//	flipside-train error -model square -depth 5 17.games
//	flipside-train play -model square6 -seed 11 -nodes 1000 -games 300 18.games
//	flipside-train error -model square6 -depth 7 18.games
//	flipside-train play -model square10 -seed 11 -nodes 1000 -games 100 19.games
//	flipside-train error -model square10 -depth 6 19.games
//	flipside-train play -model hexagon4 -seed 11 -nodes 1000 -games 300 23.games
//	flipside-train error -model hexagon4 -depth 7 23.games
//	flipside-train play -model hexagon6 -seed 11 -nodes 1000 -games 100 24.games
//	flipside-train error -model hexagon6 -depth 6 24.games
//	flipside-train play -model hexagon7 -seed 11 -nodes 1000 -games 100 25.games
//	flipside-train error -model hexagon7 -depth 6 25.games
//	flipside-train play -model square12 -seed 11 -nodes 1000 -games 60 26.games
//	flipside-train error -model square12 -depth 5 26.games
//	flipside-train error -model othello -depth 9 -exact 20 .cache/train/generation6.txt
package train

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// options are the flags. Each command uses some of them.
type options struct {
	model, board, folder, out, weights string

	games, nodes, depth, exact, random, mistakes int
	epochs, window, generation                   int
	threads                                      int
	seed                                         uint64
}

func (o *options) declare(flags *flag.FlagSet) {
	flags.StringVar(&o.model, "model", "othello",
		"weights: othello, hexagon4 to hexagon7, square6, square10, square12, hexagon or square")
	flags.StringVar(&o.board, "board", "", "hex:<rings> or square:<side>; default: by model")
	flags.StringVar(&o.folder, "folder", ".cache/train", "files of the generations of a run")
	flags.StringVar(&o.weights, "weights", "", "weights to play with; by default the embedded ones")
	flags.StringVar(&o.out, "out", "weights.bin", "file for the new weights")
	flags.IntVar(&o.games, "games", 1000, "number of games to play")
	flags.IntVar(&o.nodes, "nodes", 2000, "node limit per move")
	flags.IntVar(&o.depth, "depth", 0, "depth limit per move, or greatest depth to measure")
	flags.IntVar(&o.exact, "exact", 0, "number of empty cells from which to solve the game")
	flags.IntVar(&o.random, "random", 24, "maximum of random moves at the start of a game")
	flags.IntVar(&o.mistakes, "mistakes", 0, "one of this many moves is random instead; 0 for none")
	flags.IntVar(&o.epochs, "epochs", 12, "number of passes over the games")
	flags.IntVar(&o.window, "window", 3, "number of generations whose games a run learns from")
	flags.IntVar(&o.threads, "threads", 2, "number of threads")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of all random numbers")
}

// Main runs the command with these arguments. It writes results to out and progress to log.
func Main(ctx context.Context, args []string, out, log io.Writer) error {
	command := "run"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	var o options
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(log)
	o.declare(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	t, err := newTrainer(o, log)
	if err != nil {
		return err
	}
	switch files := flags.Args(); {
	case command == "run" && len(files) == 0:
		return t.run(ctx, plan)
	case command == "play" && len(files) == 1:
		return t.play(ctx, files[0])
	case command == "fit" && len(files) > 0:
		return t.fit(files)
	case command == "level" && len(files) == 1:
		return t.level(ctx, files[0])
	case command == "error" && len(files) == 1:
		return t.measure(ctx, files[0], out)
	case command == "match" && len(files) == 2:
		return t.match(ctx, [2]string(files), out)
	}
	return errors.New("use one of: run, play FILE, fit FILE…, level FILE, error FILE, match WEIGHTS WEIGHTS")
}

// trainer runs a command for one model.
type trainer struct {
	options
	log    io.Writer
	engine engine
	start  *reversi.Position
	setup  reversi.Setup
	// initial is the content of the file of weights to play with, nil for the embedded ones.
	initial []byte
}

// defaultBoards are the boards of the models.
var defaultBoards = map[string]string{
	"othello": "square:8", "square6": "square:6", "square10": "square:10", "square12": "square:12",
	"hexagon4": "hex:4", "hexagon5": "hex:5", "hexagon6": "hex:6", "hexagon7": "hex:7",
	"hexagon": "hex:7", "square": "square:12",
}

func newTrainer(o options, log io.Writer) (t *trainer, err error) {
	if o.board == "" {
		o.board = defaultBoards[o.model]
	}
	isOthello := o.model == "othello"
	t = &trainer{options: o, log: log}
	t.setup = reversi.Setup{
		PassRule: reversi.Forced, Shape: reversi.Hexagon, EmptiesToWinner: &isOthello,
	}
	if _, err := fmt.Sscanf(o.board, "hex:%d", &t.setup.Size); err != nil {
		t.setup.Shape = reversi.Square
		if _, err := fmt.Sscanf(o.board, "square:%d", &t.setup.Size); err != nil {
			return nil, fmt.Errorf("unknown board %q: use hex:<rings> or square:<side>", o.board)
		}
	}
	if t.setup, t.start, err = t.setup.Resolve(); err != nil {
		return nil, err
	}
	if o.weights != "" {
		if t.initial, err = os.ReadFile(o.weights); err != nil {
			return nil, err
		}
	}
	if isOthello {
		t.engine, err = newOthelloEngine(t.start)
	} else {
		t.engine, err = newBoardEngine(o.model, t.start)
	}
	return t, err
}
