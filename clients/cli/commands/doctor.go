package commands

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/render"
	"github.com/flipside-games/flipside/clients/cli/settings"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// doctorTimeout limits each call of the doctor.
const doctorTimeout = 3 * time.Second

// finding is the result of one check.
type finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // how to repair it
}

func newDoctor(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the config file, the servers and your key, and show what to repair",
		Args:  exactArgs(0),
		RunE:  p.command(p.doctor),
	}
}

// doctor checks everything that commands need and changes nothing. A failed check is an error.
func (p *program) doctor(ctx context.Context, _ []string) error {
	p.dialer.Retry.Attempts = 1
	findings := []finding{
		{Check: "client", OK: true, Found: thisBuild(p.version).String()}, p.checkConfig(),
	}
	if s, err := p.resolve(); err != nil {
		findings = append(findings,
			finding{Check: "settings", Found: render.Explain(err), Do: "correct it, or use other flags"})
	} else {
		findings = append(findings, finding{Check: "context", OK: true, Found: s.Context})
		findings = append(findings, p.checkServers(ctx, s)...)
	}
	failed := 0
	var rows []string
	for _, f := range findings {
		verdict := "ok"
		if !f.OK {
			verdict = "FAILED"
			failed++
		}
		rows = append(rows, render.Row(verdict, f.Check, f.Found))
		if f.Do != "" {
			rows = append(rows, render.Row("", "", "-> "+f.Do))
		}
	}
	err := render.PrintList(&p.Printer, findings, findings, render.Table(rows...))
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d checks failed", failed, len(findings))
	}
	return err
}

func (p *program) checkConfig() finding {
	f := finding{Check: "configuration"}
	path, err := settings.ConfigFile(p.env)
	if err != nil {
		f.Found = render.OneLine(err.Error())
		f.Do = "set FLIPSIDE_CLIENT_CONFIG to a path, or FLIPSIDE_KEY to your key"
		return f
	}
	f.OK, f.Found = true, path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		f.Found += " (nothing saved yet)"
	case info.Mode().Perm()&0o077 != 0:
		f.OK, f.Found = false, path+" contains keys, and other users can read it"
		f.Do = "chmod 600 " + path
	}
	return f
}

// checkServers checks both servers, and the key if the Game service can verify it.
func (p *program) checkServers(ctx context.Context, s *settings.Settings) []finding {
	game := gameService(s)
	game.Timeout = doctorTimeout
	api := gamev1.GameService_ServiceDesc.ServiceName
	findings := []finding{p.checkHealth(ctx, game, api, "--address")}
	if findings[0].OK {
		findings = append(findings, p.checkKey(ctx, s, game))
	}
	strategy := settings.Service{Name: "Strategy", Address: s.StrategyAddress, Timeout: doctorTimeout}
	api = strategyv1.StrategyService_ServiceDesc.ServiceName
	return append(findings, p.checkHealth(ctx, strategy, api, "--strategy-address"))
}

// checkHealth checks that a server offers a service in the version of this client and is serving.
func (p *program) checkHealth(
	ctx context.Context, service settings.Service, api, flag string,
) finding {
	f := finding{Check: service.Name + " service"}
	f.Do = fmt.Sprintf("start flipsided, or pass the gRPC address of its %s service with %s",
		service.Name, flag)
	conn, err := p.dialer.Dial(service, p.settings.TLS)
	if err != nil {
		f.Found = err.Error()
		return f
	}
	request := &grpc_health_v1.HealthCheckRequest{Service: api}
	reply, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, request)
	switch code := status.Code(err); {
	case err == nil && reply.GetStatus() == grpc_health_v1.HealthCheckResponse_SERVING:
		f.OK, f.Found, f.Do = true, fmt.Sprintf("%s is serving %s", service.Address, api), ""
	case err == nil:
		f.Found = fmt.Sprintf("%s is %s", service.Address, reply.GetStatus())
		f.Do = "wait until it is ready; its log has details"
	case code == codes.NotFound || code == codes.Unimplemented:
		f.Found = fmt.Sprintf("%s answers, but does not offer %s", service.Address, api)
		f.Do = "use the address of another server, or a client of the server's version"
	default:
		cause, advice := p.settings.TLS.Diagnose(ctx, service.Address)
		f.Found = fmt.Sprintf("%s does not answer: %s",
			service.Address, cmp.Or(cause, render.Cause(statusMessage(err))))
		f.Do = cmp.Or(advice, f.Do)
	}
	return f
}

func (p *program) checkKey(
	ctx context.Context, s *settings.Settings, service settings.Service,
) finding {
	f := finding{Check: "key"}
	if s.Key == "" {
		f.OK, f.Found = true, noKeyYet
		return f
	}
	conn, err := p.dialer.Dial(service, s.TLS)
	if err != nil {
		f.Found = err.Error()
		return f
	}
	me, err := gamev1.NewPlayerServiceClient(conn).GetMe(ctx, &gamev1.GetMeRequest{})
	if err != nil {
		f.Found = fmt.Sprintf("the key from %s is rejected: %s", s.KeySource, statusMessage(err))
		f.Do = render.Hint(render.InvalidKey)
		return f
	}
	f.OK = true
	f.Found = fmt.Sprintf("the key from %s belongs to %s (%s)",
		s.KeySource, me.GetPlayer().GetDisplayName(), me.GetPlayer().GetId())
	return f
}

func statusMessage(err error) string { return render.OneLine(status.Convert(err).Message()) }
