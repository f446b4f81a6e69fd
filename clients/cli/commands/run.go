// Package commands is the command line client `flipside`: one file for each command or group of
// commands. It is a thin client: the servers decide what is legal and draw the boards.
package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/flipside-games/flipside/clients/cli/board"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	flipside "github.com/flipside-games/flipside/clients/go"
)

// Exit codes. The code for an error of a server is exitStatus plus its gRPC code.
const (
	exitOther  = 1
	exitUsage  = 2
	exitStatus = 64
)

// Streams are the standard streams of a command. Data goes to Out and everything else to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run runs a command, named by args without the name of the program, and returns its exit code: 0
// for success, 2 for a usage error, 64 plus the gRPC code for an error of a server, and 1 for any
// other error. It reads environment variables with env and stops when ctx ends. A goroutine that
// reads one more line of In may remain. version is the version of the program.
func Run(
	ctx context.Context, version string, args []string, streams Streams, env func(string) string,
) int {
	p := newProgram(streams, env)
	p.version = version
	p.interactive = isTerminal(streams.In)
	return p.run(ctx, args)
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// program is one run of the client.
type program struct {
	render.Printer
	version     string
	out         *output // the writer of Printer
	in          io.Reader
	interactive bool // a user types at a terminal
	columns     int  // the width of help texts
	screen      screenFlags
	env         func(string) string
	flags       settings.Flags
	settings    *settings.Settings // nil until resolve
	dialer      settings.Dialer
	parsed      bool // the command line is valid
}

func newProgram(streams Streams, env func(string) string) *program {
	retry := flipside.Retry{Attempts: settings.DefaultAttempts}
	out := &output{Writer: streams.Out}
	return &program{
		Printer: render.Printer{Out: out, Err: &lockedWriter{Writer: streams.Err}},
		out:     out,
		in:      streams.In,
		columns: columns(streams.Out),
		env:     env,
		dialer:  settings.Dialer{Retry: retry},
	}
}

func (p *program) run(ctx context.Context, args []string) int {
	defer p.dialer.Close()
	ctx, p.out.end = context.WithCancel(ctx)
	defer p.out.end()
	root := p.root()
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		p.addCompletions(root)
	}
	root.SetIn(p.in)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	addShells(root)
	checkHelp(root)
	root.SetArgs(negativesLast(root, args))
	cmd, err := root.ExecuteContextC(ctx)
	if cmd.Name() == "help" {
		cmd, _, _ = root.Find(cmd.Flags().Args()) // The usage error names the help of this command.
	}
	if err != nil && !p.parsed {
		err = settings.Usagef("%s", render.OneLine(err.Error()))
	}
	return p.report(ctx, cmd, err)
}

// report prints an error in one line and returns the exit code.
func (p *program) report(ctx context.Context, cmd *cobra.Command, err error) int {
	switch failed := p.out.failed; {
	case errors.Is(failed, syscall.EPIPE): // the reader of a pipe has what it needs, as in `| head`
		return exitOther
	case failed != nil:
		p.Note("flipside: cannot write to the standard output: %s", render.Cause(failed.Error()))
		return exitOther
	case err == nil:
		return 0
	}
	if usage, ok := errors.AsType[*settings.UsageError](err); ok {
		p.Note("flipside: %s (see: %s --help)", usage.Message, cmd.CommandPath())
		return exitUsage
	}
	if ctx.Err() != nil {
		p.Note("flipside: interrupted")
		return exitOther
	}
	p.Note("flipside: %s", atFlag(cmd, err, p.explain(ctx, err)))
	if s, ok := render.Status(err); ok {
		return exitStatus + int(s.Code())
	}
	return exitOther
}

// atFlag starts the explanation of an error with what the user has set: the file of a grid or a
// deck that the server rejects, or the flag of an invalid field in place of the field.
func atFlag(cmd *cobra.Command, err error, text string) string {
	s, ok := render.Status(err)
	if !ok {
		return text
	}
	if flag := cmd.Flag(settings.FileFlag(render.Reason(s))); flag != nil && flag.Changed {
		return flag.Value.String() + ": " + text
	}
	field := render.InvalidField(s)
	if flag := cmd.Flag(settings.FieldFlag(field)); flag != nil && flag.Changed {
		return "--" + flag.Name + ": " + strings.TrimPrefix(text, field+": ")
	}
	return text
}

const rootHelp = `Play Reversi, on hexagons and squares, and Three Trios, against people and robots.

On a terminal, flipside alone opens the board with its menu.

Commands connect to a server on this machine: start it with flipsided. For another one, use
--address. The first command that needs a player creates one for you and saves its secret key.

Data goes to the standard output, everything else to the standard error. Exit codes:
  0   success
  1   an error that is not listed here
  2   an error in the command line
  64  plus the gRPC code, an error from the server: 67 invalid argument, 69 not found,
      71 not your seat, 73 against the rules, 74 the game has changed, 78 server not reachable,
      80 invalid key`

func (p *program) root() *cobra.Command {
	root := group("flipside", "Play Reversi and Three Trios against people and robots",
		newPlay(p), newGame(p), newTurns(p), newStrategy(p), newArena(p),
		newImport(p), newExport(p), newAnalyze(p), newBotcheck(p), newProvide(p),
		newGTP(p), newNBoard(p), newMCP(p),
		newPlayer(p), newWebhook(p), newContext(p), newDoctor(p), newVersion(p),
	)
	explainIDs(root)
	root.Long = rootHelp
	root.Example = `  flipside play hex human easy 3
  flipside game create square me open
  flipside turns`
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return settings.FlagError(err) })
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !p.fullScreen() {
			return cmd.Help()
		}
		p.parsed = true
		return p.showBoard(cmd.Context(), board.Options{})
	}
	root.Flags().BoolVar(&p.screen.ascii, "ascii", false, "draw the board without Unicode")
	root.Version = thisBuild(p.version).String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetUsageTemplate(
		strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ",
			fmt.Sprintf(".FlagUsagesWrapped %d ", p.columns)))
	root.PersistentFlags().VarP(settings.Choice(&p.Format, render.Formats), "output", "o",
		"output format")
	p.flags.Register(root.PersistentFlags())
	return root
}

// columns returns the width of help texts: that of the terminal, at most 100.
func columns(out io.Writer) int {
	const most = 100
	file, ok := out.(*os.File)
	if !ok {
		return most
	}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
		return min(width, most)
	}
	return most
}

// command makes a function the RunE of a command. Errors before it runs are usage errors. An
// argument that the usage line names ID may be a link to a game.
func (p *program) command(
	run func(ctx context.Context, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p.parsed = true
		args = slices.Clone(args)
		for i, name := range strings.Fields(cmd.Use)[1:] {
			if name == "ID" && i < len(args) {
				args[i] = board.FindGameID(args[i])
			}
		}
		return run(cmd.Context(), args)
	}
}

// exactArgs checks the number of arguments of a command.
func exactArgs(n int) cobra.PositionalArgs { return argsBetween(n, n) }

func argsBetween(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		return fmt.Errorf("wrong number of arguments (%d): use %s", len(args), cmd.UseLine())
	}
}

// group returns a command that only has subcommands.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   use,
		Short:                 short,
		Args:                  noArgs,
		RunE:                  showHelp,
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(commands...)
	return cmd
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// noArgs rejects an argument of a group: it is no subcommand.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("unknown command %q: %q has no subcommands", args[0], cmd.CommandPath())
	}
	return unknownCommand(cmd, args[0], render.Or(names))
}

// checkHelp rejects unknown commands after help as usage errors: by default cobra shows other help.
func checkHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, help := range root.Commands() {
		if help.Name() == "help" {
			help.Args = func(_ *cobra.Command, args []string) error {
				cmd, rest, err := root.Find(args)
				if err != nil || len(rest) == 0 {
					return err
				}
				return noArgs(cmd, rest)
			}
		}
	}
}

// unknownCommand returns the error for an unknown subcommand, with similar names or, if there are
// none, what is allowed.
func unknownCommand(cmd *cobra.Command, name, allowed string) error {
	cmd.SuggestionsMinimumDistance = 2
	advice := "use " + allowed
	if similar := cmd.SuggestionsFor(name); len(similar) > 0 {
		advice = "did you mean " + render.Or(similar) + "?"
	}
	return fmt.Errorf("unknown command %q for %q: %s", name, cmd.CommandPath(), advice)
}

var negativeNumber = regexp.MustCompile(`^-[0-9]`)

// negativesLast moves arguments that look like negative numbers, such as the cell -1,2, behind
// "--", so that they are not taken for flags. Values of flags stay in their place.
func negativesLast(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	var others, negatives []string
	for i, arg := range args {
		if arg == "--" {
			return append(append(append(others, "--"), negatives...), args[i+1:]...)
		}
		if negativeNumber.MatchString(arg) && (i == 0 || !takesValue(cmd, args[i-1])) {
			negatives = append(negatives, arg)
		} else {
			others = append(others, arg)
		}
	}
	if len(negatives) == 0 {
		return args
	}
	return append(append(others, "--"), negatives...)
}

// takesValue reports whether an argument is a flag whose value is the next argument.
func takesValue(cmd *cobra.Command, arg string) bool {
	name, long := strings.CutPrefix(arg, "--")
	if !long {
		return false
	}
	flag := cmd.Flag(name)
	return flag != nil && flag.NoOptDefVal == ""
}
