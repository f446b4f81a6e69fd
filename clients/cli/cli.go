// Package cli is the command line client `flipside`: it turns arguments and lines into calls, and answers into
// text or JSON. It is thin: what is legal, who won and how a board looks is for the servers to say, so no rules are
// linked. It leaves out the full-screen board.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"google.golang.org/grpc"
)

// Streams are what a command reads from and writes to. Data goes to Out and everything else to Err, so that the one
// can be piped while the other is read.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run runs the command that args name (without the name of the program) and returns its exit code: 0 when all is
// well, 2 for a usage error, 64 + the gRPC code when a server refused, and 1 for everything else. It looks up the
// product's environment variables with env, and ends early when ctx does. Reading In may outlast it by one line.
func Run(ctx context.Context, args []string, streams Streams, env func(string) string) int {
	streams.Err = &shared{Writer: streams.Err}
	p := &program{Streams: streams, env: env, pause: pause, interactive: isTerminal(streams.In)}
	return p.run(ctx, args)
}

func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// shared is a writer for several goroutines.
type shared struct {
	mu sync.Mutex
	io.Writer
}

func (w *shared) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Writer.Write(text)
}

// program is one run of the client.
type program struct {
	Streams
	env   func(string) string
	pause func(context.Context, time.Duration) error

	flags       globalFlags
	settings    *settings // once they are needed
	conns       []*grpc.ClientConn
	interactive bool // whether there is somebody at a keyboard
	attempts    int  // how often a call is tried, 0 for the usual number
	started     bool // whether the command line was understood
}

type globalFlags struct {
	output                        format
	address, strategyAddress, key string
	context                       string
	security                      security
}

func (p *program) run(ctx context.Context, args []string) int {
	defer p.close()
	root := p.root()
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetArgs(negativesLast(root, args))
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !p.started {
		err = &usageError{message: oneLine(err.Error()), command: cmd.CommandPath()}
	}
	return p.report(ctx, err)
}

func (p *program) close() {
	for _, conn := range p.conns {
		_ = conn.Close()
	}
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "flipside",
		Short:         "Play Reversi and Three Trios against people and robots",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	p.registerGlobals(root)
	root.AddCommand(
		newPlay(p), newGame(p), newTurns(p), newStrategy(p), newArena(p), newPlayer(p), newContext(p), newDoctor(p), newVersion(p),
	)
	return root
}

const rootHelp = `Play Reversi, on hexagons and squares, and Three Trios against people and robots.

Data goes to the standard output, everything else to the standard error.
Exit codes: 0 fine, 1 other, 2 usage, 64 + the gRPC code of a refusal (67 malformed, 69 not found,
71 not your seat, 73 against the rules, 74 moved on meanwhile, 78 not reachable, 80 bad key).`

func (p *program) registerGlobals(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.VarP(newChoice(&p.flags.output, formats), "output", "o", "how to print data")
	flags.StringVar(&p.flags.address, "address", "",
		"`host:port` of the Game service (FLIPSIDE_ADDRESS; default "+defaultAddress+")")
	flags.StringVar(&p.flags.strategyAddress, "strategy-address", "",
		"`host:port` of the Strategy service (FLIPSIDE_STRATEGY_ADDRESS; default "+defaultStrategyAddress+")")
	flags.StringVar(&p.flags.key, "key", "",
		"the player's `key` (FLIPSIDE_KEY, or a file with it, FLIPSIDE_KEY_FILE; default: the saved one)")
	flags.StringVar(&p.flags.context, "context", "",
		"the `name` of a saved context; stands above the environment")
	flags.BoolVar(&p.flags.security.TLS, "tls", false, "call the services over TLS (FLIPSIDE_TLS)")
	flags.StringVar(&p.flags.security.CA, "ca", "",
		"PEM `file` of the authorities of the services' certificates (FLIPSIDE_CA; default: those of the system); implies --tls")
	flags.StringVar(&p.flags.security.ClientCert, "client-cert", "",
		"PEM `file` of the certificate to show to the services (FLIPSIDE_CLIENT_CERT); implies --tls")
	flags.StringVar(&p.flags.security.ClientKey, "client-key", "",
		"PEM `file` of the key of --client-cert (FLIPSIDE_CLIENT_KEY; default: in the same file)")
}

// do makes a function the run of a command. Errors before it are about the command line.
func (p *program) do(run func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p.started = true
		err := run(cmd.Context(), args)
		if usage, ok := err.(*usageError); ok { //nolint:errorlint // a usage error is never wrapped
			usage.command = cmd.CommandPath()
		}
		return err
	}
}

// takes says how many arguments a command takes at least and at most.
func takes(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		return fmt.Errorf("wrong number of arguments (%d): it goes %s", len(args), cmd.UseLine())
	}
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}
