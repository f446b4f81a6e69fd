package commands

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/adapters"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
)

func newGTP(p *program) *cobra.Command {
	return newBoardServer(p, adapters.ServeGTP, &cobra.Command{
		Use:   "gtp",
		Short: "Let a strategy play on a board that speaks the Go Text Protocol",
		Long: `Let a strategy play Reversi on a board that speaks the Go Text Protocol, version 2, on the
standard input and output. Row 1 is the top row. Black moves first. A clock of the board and the
limits of the flags both apply; without either, each move gets a second.`,
		Example: "  flipside gtp\n  flipside gtp --strategy alphabeta --depth 6",
	})
}

func newNBoard(p *program) *cobra.Command {
	return newBoardServer(p, adapters.ServeNBoard, &cobra.Command{
		Use:   "nboard",
		Short: "Let a strategy play on a board that speaks the NBoard protocol",
		Long: `Let a strategy play and analyze Othello on a board that speaks the NBoard protocol, version
2, on the standard input and output. The depth of the board and the limits of the flags both apply;
without either, each move gets a second. Hints need a strategy that searches.`,
		Example: "  flipside nboard\n  flipside nboard --time 5s --threads 4",
	})
}

// newBoardServer completes a command that serves a board with a strategy.
func newBoardServer(
	p *program,
	serve func(context.Context, io.Reader, io.Writer, adapters.Options) error,
	cmd *cobra.Command,
) *cobra.Command {
	var limits settings.Limits
	var strategy string
	limits.Register(cmd.Flags())
	cmd.Flags().StringVar(&strategy, "strategy", "engine",
		"`name` of the strategy that chooses the moves: "+render.Or(render.StrategyNames(render.Reversi)))
	cmd.Args = exactArgs(0)
	cmd.RunE = p.command(func(ctx context.Context, _ []string) error {
		chosen, err := limits.Strategy(strategy, render.Reversi)
		if err == nil {
			err = limits.Check()
		}
		if err != nil {
			return err
		}
		strategies, err := p.strategies(ctx)
		if err != nil {
			return err
		}
		return serve(ctx, p.in, p.Out, adapters.Options{
			Version: p.version, Strategies: strategies, Strategy: chosen, Explain: p.explain,
		})
	})
	return cmd
}
