package app

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// Command returns the command line of the daemon.
func Command() *cobra.Command {
	settings := &Settings{}
	root := roleCommand(settings, All, "flipsided",
		"Serve board games and robots: Game, Strategy and gateway in one process")
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = Version
	settings.AddFlags(root.PersistentFlags())
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		return settings.Load(cmd.Flags(), os.Getenv)
	}
	root.AddCommand(
		roleCommand(settings, Game, "game", "Serve only the Game service"),
		roleCommand(settings, Strategy, "strategy", "Serve only the Strategy service"),
		roleCommand(settings, Gateway, "gateway",
			"Serve only REST and the web pages, for services in other processes"),
		migrateCommand(settings),
		healthcheckCommand(settings),
		configCommand(settings),
	)
	return root
}

func roleCommand(settings *Settings, role Role, use, short string) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, flush, err := newLogger(cmd.OutOrStdout(), *settings)
			if err != nil {
				return err
			}
			defer flush()
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
		Short: "Migrate the database to the schema of this version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			database := settings.database()
			before, latest, err := sqlstore.SchemaVersion(cmd.Context(), database)
			if err != nil {
				return err
			}
			if err := sqlstore.Migrate(cmd.Context(), database); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: migrated from schema version %d to %d\n",
				sqlstore.Describe(database), before, latest)
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
