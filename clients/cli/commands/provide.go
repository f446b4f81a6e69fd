package commands

import (
	"context"
	"fmt"
	"math"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/adapters"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
)

var engineProtocols = render.Enum[adapters.Protocol]{
	{Name: "gtp", Value: adapters.GTP},
	{Name: "nboard", Value: adapters.NBoard},
}

// provideFlags configure a provider.
type provideFlags struct {
	listen   string
	protocol adapters.Protocol
	engines  int
	time     time.Duration
	depth    int
}

func newProvide(p *program) *cobra.Command {
	f := &provideFlags{protocol: adapters.GTP, listen: "127.0.0.1:7000"}
	cmd := &cobra.Command{
		Use:   "provide [flags] -- COMMAND [ARG...]",
		Short: "Offer an engine that speaks GTP or the NBoard protocol as a strategy provider",
		Long: `Offer an engine for Reversi as a strategy provider. Start it as a command that speaks the Go
Text Protocol or the NBoard protocol on its standard input and output, and start it again when it
ends or is late. The rules come from the Strategy service. Engines of the NBoard protocol play on 8x8,
other engines on every square that they accept. Anyone who can connect can run searches.`,
		Example: `  flipside provide -- othello-engine -gtp
  flipside provide --protocol nboard --engines 4 --depth 20 -- ./engine
  flipsided --strategy-provider mine=127.0.0.1:7000`,
		Args: argsBetween(1, math.MaxInt),
		RunE: p.command(func(ctx context.Context, args []string) error {
			return p.provide(ctx, f, args)
		}),
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false) // the flags of the engine are arguments
	flags.Var(settings.Text(&f.listen), "listen", "`address` to serve on")
	flags.Var(settings.Choice(&f.protocol, engineProtocols), "protocol", "protocol of the engine")
	flags.IntVar(&f.engines, "engines", 1, "start `n` engines, for as many searches at once, 1 to 256")
	flags.DurationVar(&f.time, "time", 0,
		"think at most this long for each move (default: half of the time for the call)")
	flags.IntVar(&f.depth, "depth", 12,
		"search this many `plies` deep, for the NBoard protocol, 1 to 64")
	return cmd
}

func (p *program) provide(ctx context.Context, f *provideFlags, command []string) error {
	const maxEngines, maxDepth = 256, 64
	switch {
	case f.engines < 1 || f.engines > maxEngines:
		return settings.Usagef("--engines %d: use 1 to %d", f.engines, maxEngines)
	case f.depth < 1 || f.depth > maxDepth:
		return settings.Usagef("--depth %d: use 1 to %d", f.depth, maxDepth)
	case f.time < 0:
		return settings.Usagef("--time %v: use a time such as 2s", f.time)
	}
	strategies, err := p.strategies(ctx)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return fmt.Errorf("cannot serve on %s: %w", f.listen, err)
	}
	return adapters.Provide(ctx, listener, adapters.ProviderOptions{
		Protocol: f.protocol, Command: command, Engines: f.engines, Time: f.time, Depth: f.depth,
		Log: p.Err, Strategies: strategies, Explain: p.explain,
	}, func() { p.Note("Serving the engine at %s.", listener.Addr()) })
}
