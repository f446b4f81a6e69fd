package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// Main runs the command line of the daemon and returns its exit code: 0 for success, and 1 for an
// error, which it prints to stderr. A failed write to stdout is an error.
func Main(ctx context.Context, version string, args []string, stdout, stderr io.Writer) int {
	var out bytes.Buffer // the output of all commands but the roles, which log to stdout
	root := newCommand(version, stdout)
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if _, failed := out.WriteTo(stdout); err == nil && failed != nil {
		err = fmt.Errorf("cannot write to the standard output: %w", failed)
	}
	if err != nil {
		fmt.Fprintln(stderr, "flipsided:", err)
		return 1
	}
	return 0
}

func newCommand(version string, log io.Writer) *cobra.Command {
	settings := &Settings{Version: version}
	root := roleCommand(settings, log, All, "flipsided",
		"Serve board games and robots: Game, Strategy and gateway in one process")
	root.Args = nil // cobra rejects an unknown subcommand and suggests similar names
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = version
	root.SetVersionTemplate("flipsided {{.Version}}\n")
	settings.AddFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(settings.flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		return settings.Load(cmd.Flags(), os.Getenv)
	}
	root.AddCommand(
		roleCommand(settings, log, Game, "game", "Serve only the Game service"),
		roleCommand(settings, log, Strategy, "strategy", "Serve only the Strategy service"),
		roleCommand(settings, log, Gateway, "gateway",
			"Serve only REST and the web pages, for services in other processes"),
		migrateCommand(settings),
		healthcheckCommand(settings),
		configCommand(settings),
		versionCommand(),
	)
	checkHelp(root)
	return root
}

// checkHelp makes an unknown command after help an error: by default cobra exits with 0.
func checkHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, help := range root.Commands() {
		if help.Name() == "help" {
			help.Args = func(_ *cobra.Command, args []string) error {
				cmd, rest, err := root.Find(args)
				if err != nil {
					return err
				}
				return cmd.ValidateArgs(rest)
			}
		}
	}
}

// flagError explains the error of a flag whose value cannot be read.
func (s *Settings) flagError(_ *cobra.Command, err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	for _, r := range s.table() {
		if r.name == invalid.GetFlag().Name && r.advice() != "" {
			return fmt.Errorf("--%s: invalid value %q%s", r.name, invalid.GetValue(), r.advice())
		}
	}
	return err
}

func roleCommand(settings *Settings, out io.Writer, role Role, use, short string) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			log, flush, err := newLogger(out, *settings)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, flush()) }()
			// A write beyond ulimit -f then fails like one on a full disk.
			signal.Ignore(syscall.SIGXFSZ)
			limitMemory(log)
			ballast := make([]byte, ballastBytes)
			defer runtime.KeepAlive(ballast)
			return Run(cmd.Context(), role, *settings, log)
		},
	}
}

// ballastBytes is the size of a heap object that is never touched and so takes no resident memory.
// The garbage collector runs each time the heap has doubled. For the small heap of a daemon that
// means many times per second and a quarter of its work; with ballast it waits for at least as much
// garbage.
const ballastBytes = 32 << 20

func migrateCommand(settings *Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Migrate the databases to the schema of this version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, database := range settings.databases() {
				before, latest, err := sqlstore.SchemaVersion(cmd.Context(), database)
				if err == nil {
					err = sqlstore.Migrate(cmd.Context(), database)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", sqlstore.Describe(database), err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated from schema version %d to %d\n",
					sqlstore.Describe(database), before, latest)
			}
			return nil
		},
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version of this program",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintln(cmd.OutOrStdout(), "flipsided", cmd.Root().Version)
			return nil
		},
	}
}

func configCommand(settings *Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Show the value of every setting",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return settings.write(cmd.OutOrStdout())
		},
	}
}

// write prints the current settings without secrets.
func (s *Settings) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FLAG\tENVIRONMENT\tVALUE\tMEANING")
	for _, r := range s.table() {
		help := strings.ReplaceAll(r.help, "`", "")
		fmt.Fprintf(w, "--%s\t%s\t%s\t%s\n", r.name, r.env(), r.text(), help)
	}
	return w.Flush()
}
