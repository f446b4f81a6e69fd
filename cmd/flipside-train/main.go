// Command flipside-train makes the weights of the 8x8 engine from nothing, by self-play.
package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/signal"

	"github.com/flipside-games/flipside/services/strategy/othello/train"
)

func main() {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	s := train.Settings{Log: log}
	flag.StringVar(&s.Folder, "folder", ".cache/train", "keeps games and weights of each generation, to go on from")
	flag.Uint64Var(&s.Seed, "seed", 1, "decides all chance")
	flag.IntVar(&s.Threads, "threads", 2, "how many play and learn at once")
	flag.IntVar(&s.Window, "window", 3, "how many of the latest generations each learns from")
	out := flag.String("out", "services/strategy/othello/weights.bin", "the file of weights to write")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	if err := run(ctx, s, *out); err != nil {
		log.Error("training ended early", "error", err)
		os.Exit(1) //nolint:gocritic // Nothing is left to clean up.
	}
}

func run(ctx context.Context, s train.Settings, path string) error {
	file, err := os.Create(path) //nolint:gosec // The user names the file.
	if err != nil {
		return err
	}
	defer file.Close()
	if err := train.Run(ctx, train.Plan, s, file); err != nil {
		return err
	}
	return file.Close()
}
