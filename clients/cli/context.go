package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

func newContext(p *program) *cobra.Command {
	return group("context", "Save where servers are and who you are there",
		newContextList(p), newContextShow(p), newContextUse(p), newContextSet(p), newContextDelete(p))
}

// contextView is a context as it is shown: without its key, unless that is asked for.
type contextView struct {
	Name            string `json:"name"`
	Current         bool   `json:"current"`
	Address         string `json:"address"`
	StrategyAddress string `json:"strategyAddress"`
	HasKey          bool   `json:"hasKey"`
	Key             string `json:"key,omitempty"`
	security
}

func (c *config) view(name string) contextView {
	held := c.Contexts[name]
	return contextView{
		Name: name, Current: name == c.current(), Address: held.at(),
		StrategyAddress: firstOf(held.StrategyAddress, defaultStrategyAddress), HasKey: held.Key != "",
		security: held.security,
	}
}

func newContextList(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the saved contexts; a star marks the current one",
		Args:  takes(0, 0),
		RunE:  p.do(func(context.Context, []string) error { return p.listContexts() }),
	}
}

func (p *program) listContexts() error {
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	views, rows := []contextView{}, []string{row("", "CONTEXT", "GAME", "STRATEGY", "KEY")}
	for _, name := range c.names() {
		view := c.view(name)
		views = append(views, view)
		rows = append(rows, row(mark(view.Current, "*"), view.Name, view.Address, view.StrategyAddress,
			mark(view.HasKey, "saved")))
	}
	return values(p, views, func(w io.Writer) { table(w, rows...) })
}

func mark(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func newContextShow(p *program) *cobra.Command {
	var reveal bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show the addresses in force and where the key comes from",
		Args:  takes(0, 0),
		RunE:  p.do(func(context.Context, []string) error { return p.showContext(reveal) }),
	}
	cmd.Flags().BoolVar(&reveal, "reveal", false, "show the key itself too")
	return cmd
}

func (p *program) showContext(reveal bool) error {
	s, err := p.inForce()
	if err != nil {
		return err
	}
	saved, err := p.loadConfig()
	if err != nil {
		return err
	}
	view := contextView{
		Name: s.context, Current: s.context == saved.current(),
		Address: s.address, StrategyAddress: s.strategyAddress, HasKey: s.key != "",
		security: s.security,
	}
	key := "none yet; one is made on first need"
	if s.key != "" {
		key = "from " + s.keyFrom
	}
	if reveal && s.key != "" {
		view.Key, key = s.key, s.key
	}
	return p.value(view, func(w io.Writer) {
		table(w, row("context", view.Name), row("game", view.Address), row("strategy", view.StrategyAddress),
			row("tls", view.inWords()), row("key", key))
	})
}

func newContextUse(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "use NAME",
		Short: "Make a saved context the current one",
		Args:  takes(1, 1),
		RunE: p.do(func(_ context.Context, args []string) error {
			saved, err := p.saved(args[0])
			if err != nil {
				return err
			}
			if err := p.changeConfig(func(c *config) { c.Current = args[0] }); err != nil {
				return err
			}
			p.note("From now on the servers are those of context %q: %s.", args[0], saved.at())
			return nil
		}),
	}
}

func newContextSet(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME",
		Short: "Save --address, --strategy-address, --key and the flags of TLS under a name",
		Long: `Save --address, --strategy-address, --key, --tls, --ca, --client-cert and --client-key under a name. What is
not given stays as it is, but a key does not move to another address.`,
		Example: "  flipside context set club --address games.example:9090\n  flipside context use club",
		Args:    takes(1, 1),
		RunE:    p.do(func(_ context.Context, args []string) error { return p.setContext(args[0]) }),
	}
}

func (p *program) setContext(name string) error {
	f := p.flags
	secured, err := f.security.fromAnywhere()
	if err != nil {
		return err
	}
	return p.changeConfig(func(c *config) {
		held := c.Contexts[name]
		if f.address != "" && f.address != held.at() {
			held.Key = ""
		}
		held.Address = firstOf(f.address, held.at())
		held.StrategyAddress = firstOf(f.strategyAddress, held.StrategyAddress, defaultStrategyAddress)
		held.Key = firstOf(f.key, held.Key)
		held.security = secured.or(held.security)
		c.Contexts[name] = held
	})
}

func newContextDelete(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "delete NAME",
		Short: "Forget a context and its key",
		Args:  takes(1, 1),
		RunE: p.do(func(_ context.Context, args []string) error {
			if _, err := p.saved(args[0]); err != nil {
				return err
			}
			return p.changeConfig(func(c *config) {
				delete(c.Contexts, args[0])
				if c.Current == args[0] {
					c.Current = ""
				}
			})
		}),
	}
}

// saved returns a context, or the usage error that there is none of this name.
func (p *program) saved(name string) (servers, error) {
	c, err := p.loadConfig()
	if err != nil {
		return servers{}, err
	}
	held, ok := c.Contexts[name]
	if !ok {
		return servers{}, noContext(name, c)
	}
	return held, nil
}
