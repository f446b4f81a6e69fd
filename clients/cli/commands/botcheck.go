package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/botcheck"
	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
)

func newBotcheck(p *program) *cobra.Command {
	var deadline time.Duration
	var robotOptions string
	cmd := &cobra.Command{
		Use:   "botcheck ADDRESS",
		Short: "Find faults of a strategy provider",
		Long: `Find faults of a strategy provider: illegal, late, empty and mixed-up answers, and errors. Send
it positions of all kinds of boards, within a minute. For each fault, show the request, the
answer and the contract. A server is not needed. Exit code 1 means that faults were found.`,
		Example: "  flipside botcheck 127.0.0.1:7000\n  flipside botcheck 127.0.0.1:7000 -o json",
		Args:    exactArgs(1),
		RunE: p.command(func(ctx context.Context, args []string) error {
			if deadline < 100*time.Millisecond || deadline > time.Minute {
				return settings.Usagef("--deadline %v: use 100ms to 1m", deadline)
			}
			options, err := settings.RobotOptions("options", robotOptions)
			if err != nil {
				return err
			}
			return p.checkBot(ctx, args[0], botcheck.Options{Deadline: deadline, RobotOptions: options})
		}),
	}
	cmd.Flags().DurationVar(&deadline, "deadline", 2*time.Second, "time for each answer, 100ms to 1m")
	cmd.Flags().Var(settings.Text(&robotOptions), "options",
		"options of the robots as a `JSON` object, which each request has")
	return cmd
}

// checkBot prints the report on a provider. Faults are an error.
func (p *program) checkBot(ctx context.Context, address string, o botcheck.Options) error {
	s, err := p.resolve()
	if err != nil {
		return err
	}
	p.dialer.Retry.Attempts = 1
	o.Now = time.Now
	o.Dial = func() (*grpc.ClientConn, error) {
		return p.dialer.Dial(settings.Service{Name: "Strategy", Address: address}, s.TLS)
	}
	report, err := botcheck.Run(ctx, o)
	if unreachable, ok := errors.AsType[*botcheck.UnreachableError](err); ok {
		return fmt.Errorf("no provider answers at %s: %s; start it, or check the address",
			address, render.Cause(statusMessage(unreachable.Err)))
	}
	if err != nil {
		return err
	}
	if err := p.Print(report, report.Text()); err != nil {
		return err
	}
	var faults []string
	for _, finding := range report.Findings {
		faults = append(faults, finding.Fault)
	}
	if len(faults) > 0 {
		return fmt.Errorf("the provider has faults: %s", strings.Join(faults, ", "))
	}
	return nil
}
