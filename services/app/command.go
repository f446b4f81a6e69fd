package app

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// Command returns the command line of the daemon.
func Command() *cobra.Command {
	settings := &Settings{}
	root := roleCommand(settings, All, "flipsided", "Serve board games with opponents: Game, Strategy and gateway in one process")
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = Version
	settings.AddFlags(root.PersistentFlags())
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		return settings.Load(cmd.Flags(), os.Getenv)
	}
	root.AddCommand(
		roleCommand(settings, Game, "game", "Serve the Game service alone"),
		roleCommand(settings, Strategy, "strategy", "Serve the Strategy service alone"),
		roleCommand(settings, Gateway, "gateway", "Serve REST and web pages alone, for services elsewhere"),
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
			log, finish, err := newLogger(cmd.OutOrStdout(), *settings)
			if err != nil {
				return err
			}
			defer finish()
			room := make([]byte, headroom)
			defer runtime.KeepAlive(room)
			return Run(cmd.Context(), role, *settings, log)
		},
	}
}

// headroom is how many bytes are reserved and never touched, so that they take addresses but no memory. The collector of
// garbage runs whenever the heap has doubled, which for the small heap of a daemon is many times a second and a quarter of
// its work. With headroom it waits for at least so much garbage.
const headroom = 32 << 20

func migrateCommand(settings *Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the store up to the schema of this version, and stop",
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
			fmt.Fprintf(cmd.OutOrStdout(), "%s: the schema was at version %d and is at %d\n", sqlstore.Describe(database), before, latest)
			return nil
		},
	}
}

func configCommand(settings *Settings) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Show every setting with its value and how to set it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return settings.write(cmd.OutOrStdout())
		},
	}
}

// write prints the settings in force. Secrets are not shown.
func (s *Settings) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FLAG\tENVIRONMENT\tVALUE\tMEANING")
	for _, r := range s.table() {
		fmt.Fprintf(w, "--%s\t%s\t%s\t%s\n", r.name, r.env(), r.text(), strings.ReplaceAll(r.help, "`", ""))
	}
	return w.Flush()
}

// text is the value in force as it is shown.
func (r row) text() string {
	switch p := r.value.(type) {
	case *[]string:
		if r.secret && len(*p) > 0 {
			return "(secret)"
		}
		return strings.Join(*p, ",")
	case *string:
		if r.secret && *p != "" {
			return "(secret)"
		}
		return *p
	case *bool:
		return fmt.Sprint(*p)
	case *int:
		return fmt.Sprint(*p)
	case *float64:
		return fmt.Sprint(*p)
	case *time.Duration:
		return p.String()
	}
	return ""
}
