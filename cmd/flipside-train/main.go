// Command flipside-train makes the weights of the 8x8 engine from nothing, by self-play, and measures them.
//
//	flipside-train                                       train, or go on training
//	flipside-train match A B                             play two files of weights against each other
//	flipside-train measure WEIGHTS GENERATION            compare searches of different depth, for the selective cuts
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"strconv"

	"github.com/flipside-games/flipside/services/strategy/othello/train"
)

func main() {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, log, os.Args[1:])
	cancel()
	if err != nil {
		log.Error("ended early", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, log *slog.Logger, arguments []string) error {
	flags := flag.NewFlagSet("flipside-train", flag.ContinueOnError)
	s := train.Settings{Log: log}
	flags.StringVar(&s.Folder, "folder", ".cache/train", "keeps games and weights of each generation, to go on from")
	flags.Uint64Var(&s.Seed, "seed", 1, "decides all chance")
	flags.IntVar(&s.Threads, "threads", 2, "how many play and learn at once")
	flags.IntVar(&s.Window, "window", 2, "how many of the latest generations each learns from")
	out := flags.String("out", "services/strategy/othello/weights.bin", "the file of weights to write")
	depth := flags.Int("depth", 4, "how far the players of a match look")
	number := flags.Int("n", 100, "pairs of games of a match, or boards to measure on")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	switch rest := flags.Args(); {
	case len(rest) == 0:
		return save(ctx, s, *out)
	case len(rest) == 3 && rest[0] == "match":
		return train.MatchFiles(ctx, [2]string{rest[1], rest[2]}, *depth, *number, os.Stdout)
	case len(rest) == 3 && rest[0] == "measure":
		generation, err := strconv.Atoi(rest[2])
		if err != nil {
			return err
		}
		return train.MeasureFile(ctx, rest[1], s, generation, *number, os.Stdout)
	default:
		flags.Usage()
		return errors.New("unknown words")
	}
}

// save trains and writes the weights once they are whole.
func save(ctx context.Context, s train.Settings, path string) error {
	var weights bytes.Buffer
	if err := train.Run(ctx, train.Plan, s, &weights); err != nil {
		return err
	}
	return os.WriteFile(path, weights.Bytes(), 0o600)
}
