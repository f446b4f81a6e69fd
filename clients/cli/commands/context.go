package commands

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
)

func newContext(p *program) *cobra.Command {
	return group("context", "Save the addresses of servers, and your keys, under names",
		newContextList(p), newContextShow(p), newContextUse(p), newContextSet(p), newContextDelete(p))
}

// contextView is a context as it is printed. Its key is "" unless the user asks for it.
type contextView struct {
	Name            string `json:"name"`
	Current         bool   `json:"current"`
	Address         string `json:"address"`
	StrategyAddress string `json:"strategyAddress"`
	HasKey          bool   `json:"hasKey"`
	Key             string `json:"key,omitempty"`
	settings.TLS
}

func newContextList(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the saved contexts; a star marks the current one",
		Args:  exactArgs(0),
		RunE:  p.command(p.listContexts),
	}
}

func (p *program) listContexts(context.Context, []string) error {
	config, err := settings.LoadConfig(p.env)
	if err != nil {
		return err
	}
	views, rows := []contextView{}, []string{render.Row("", "CONTEXT", "GAME", "STRATEGY", "KEY")}
	for _, name := range config.Names() {
		c := config.Contexts[name]
		view := contextView{
			Name: name, Current: name == config.CurrentName(), Address: c.GameAddress(),
			StrategyAddress: cmp.Or(c.StrategyAddress, settings.DefaultStrategyAddress),
			HasKey:          c.Key != "", TLS: c.TLS,
		}
		star, key := "", ""
		if view.Current {
			star = "*"
		}
		if view.HasKey {
			key = "saved"
		}
		views = append(views, view)
		rows = append(rows, render.Row(star, view.Name, view.Address, view.StrategyAddress, key))
	}
	return render.PrintList(&p.Printer, views, views, render.Table(rows...))
}

func newContextShow(p *program) *cobra.Command {
	var reveal bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show the addresses that commands use and where the key comes from",
		Args:  exactArgs(0),
		RunE:  p.command(func(context.Context, []string) error { return p.showContext(reveal) }),
	}
	cmd.Flags().BoolVar(&reveal, "reveal", false, "show the key itself")
	return cmd
}

const noKeyYet = "none yet; one is created when a command needs it"

func (p *program) showContext(reveal bool) error {
	s, err := p.resolve()
	if err != nil {
		return err
	}
	config, err := settings.LoadConfig(p.env)
	if err != nil {
		return err
	}
	view := contextView{
		Name: s.Context, Current: s.Context == config.CurrentName(),
		Address: s.Address, StrategyAddress: s.StrategyAddress, HasKey: s.Key != "", TLS: s.TLS,
	}
	key := noKeyYet
	switch {
	case s.Key != "" && reveal:
		view.Key, key = s.Key, s.Key
	case s.Key != "":
		key = "from " + s.KeySource
	}
	return p.Print(view, render.Table(
		render.Row("context", view.Name), render.Row("game", view.Address),
		render.Row("strategy", view.StrategyAddress), render.Row("tls", s.TLS.String()),
		render.Row("key", key)))
}

func newContextUse(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "use NAME",
		Short: "Make a saved context the current one",
		Args:  exactArgs(1),
		RunE: p.command(func(_ context.Context, args []string) error {
			c, err := p.savedContext(args[0])
			if err != nil {
				return err
			}
			err = settings.UpdateConfig(p.env, func(config *settings.Config) { config.Current = args[0] })
			if err == nil {
				p.Note("Commands now use context %q: %s.", args[0], c.GameAddress())
			}
			return err
		}),
	}
}

func newContextSet(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME",
		Short: "Create or change a context from --address, --strategy-address, --key and the TLS flags",
		Long: `Create or change a context from --address, --strategy-address, --key, --tls, --ca,
--client-cert and --client-key. Without a flag, its value stays. A new --address removes the key.`,
		Example: "  flipside context set club --address games.example:9090\n  flipside context use club",
		Args:    exactArgs(1),
		RunE:    p.command(p.setContext),
	}
}

func (p *program) setContext(_ context.Context, args []string) error {
	if args[0] == "" {
		return settings.Usagef("the name of a context is empty: give one, such as club")
	}
	for _, to := range []settings.Service{
		{Name: "Game", Address: cmp.Or(p.flags.Address, settings.DefaultAddress)},
		{Name: "Strategy", Address: cmp.Or(p.flags.StrategyAddress, settings.DefaultStrategyAddress)},
	} {
		if err := to.CheckAddress(); err != nil {
			return err
		}
	}
	tls, err := p.flags.TLS.Absolute()
	if err != nil {
		return err
	}
	return settings.UpdateConfig(p.env, func(config *settings.Config) {
		c := config.Contexts[args[0]]
		if p.flags.Address != "" && p.flags.Address != c.GameAddress() {
			c.Key = ""
		}
		c.Address = cmp.Or(p.flags.Address, c.GameAddress())
		c.StrategyAddress = cmp.Or(
			p.flags.StrategyAddress, c.StrategyAddress, settings.DefaultStrategyAddress)
		c.Key = cmp.Or(p.flags.Key, c.Key)
		c.TLS = tls.Or(c.TLS)
		config.Contexts[args[0]] = c
	})
}

func newContextDelete(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a context and its key",
		Args:  exactArgs(1),
		RunE: p.command(func(_ context.Context, args []string) error {
			if _, err := p.savedContext(args[0]); err != nil {
				return err
			}
			return settings.UpdateConfig(p.env, func(config *settings.Config) {
				delete(config.Contexts, args[0])
				if config.Current == args[0] {
					config.Current = ""
				}
			})
		}),
	}
}

func (p *program) savedContext(name string) (settings.Context, error) {
	config, err := settings.LoadConfig(p.env)
	if err != nil {
		return settings.Context{}, err
	}
	return config.Context(name)
}
