package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/mcptools"
)

func newMCP(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Let a language model play, as a server of the Model Context Protocol",
		Long: `Let a language model play. Serve the Model Context Protocol on the standard input and output:
the tools create, join and play games as your player. Add this command, with its flags, to the
configuration of a client for language models.`,
		Example: "  flipside mcp\n  flipside mcp --address games.example:9090 --tls",
		Args:    exactArgs(0),
		RunE: p.command(func(ctx context.Context, _ []string) error {
			if p.interactive {
				p.Note("Waiting for a client of the Model Context Protocol on the standard input.")
			}
			return mcptools.Serve(ctx, p.in, p.Out, mcptools.Options{
				Version: p.version, Connect: p.connectTools, Explain: p.explain,
			})
		}),
	}
}

// connectTools connects the tools to the servers. A failed attempt leaves no connection open.
func (p *program) connectTools(ctx context.Context) (*mcptools.Services, error) {
	server, err := p.connect(ctx)
	if err != nil {
		p.dialer.Close()
		return nil, err
	}
	return &mcptools.Services{
		Games: server.Games, Strategies: server.Strategies, Player: server.Player,
	}, nil
}
