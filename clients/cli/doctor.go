package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// patience is how long the doctor waits for an answer.
const patience = 3 * time.Second

// finding is what one check of the doctor found.
type finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do about it
}

func newDoctor(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, addresses, servers and key, and say what to do",
		Args:  takes(0, 0),
		RunE:  p.do(func(ctx context.Context, _ []string) error { return p.doctor(ctx) }),
	}
}

// doctor checks all that can be wrong between the user and a game, and changes nothing. It fails if something is.
func (p *program) doctor(ctx context.Context) error {
	p.attempts = 1
	findings := []finding{{Check: "client", OK: true, Found: thisBuild().String()}, p.checkConfig()}
	if s, err := p.inForce(); err != nil {
		findings = append(findings, finding{Check: "settings", Found: explain(err), Do: "mend that, or give other flags"})
	} else {
		findings = append(findings, finding{Check: "context", OK: true, Found: s.context})
		findings = append(findings, p.checkServers(ctx, s)...)
	}
	ill := 0
	for _, f := range findings {
		if !f.OK {
			ill++
		}
	}
	err := values(p, findings, func(w io.Writer) { table(w, findingRows(findings)...) })
	if err == nil && ill > 0 {
		err = fmt.Errorf("%d of %d checks failed", ill, len(findings))
	}
	return err
}

func findingRows(findings []finding) []string {
	var rows []string
	for _, f := range findings {
		verdict := "ok"
		if !f.OK {
			verdict = "FAILED"
		}
		rows = append(rows, row(verdict, f.Check, f.Found))
		if f.Do != "" {
			rows = append(rows, row("", "", "-> "+f.Do))
		}
	}
	return rows
}

func (p *program) checkConfig() finding {
	f := finding{Check: "configuration"}
	path, err := p.configFile()
	if err != nil {
		f.Found, f.Do = oneLine(err.Error()), "set FLIPSIDE_CLIENT_CONFIG to a file, or FLIPSIDE_KEY to your key"
		return f
	}
	f.OK, f.Found = true, path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		f.Found += " (nothing saved yet)"
	case info.Mode().Perm()&0o077 != 0:
		f.OK, f.Found = false, path+" can be read by others, and it holds keys"
		f.Do = "chmod 600 " + path
	}
	return f
}

// checkServers checks the servers, and the key where there is one to ask.
func (p *program) checkServers(ctx context.Context, s *settings) []finding {
	game := service{name: "Game", address: s.address, timeout: patience, key: s.key}
	strategy := service{name: "Strategy", address: s.strategyAddress, timeout: patience}
	found := p.checkHealth(ctx, game, gamev1.GameService_ServiceDesc.ServiceName,
		"run flipsided, or say with --address where it listens for gRPC")
	findings := []finding{found}
	if found.OK {
		findings = append(findings, p.checkKey(ctx, s, game))
	}
	return append(findings, p.checkHealth(ctx, strategy, strategyv1.StrategyService_ServiceDesc.ServiceName,
		"run flipsided, or say with --strategy-address where its Strategy service listens"))
}

// checkHealth asks a server whether it offers a service in the version that this client speaks, and can work.
func (p *program) checkHealth(ctx context.Context, at service, api, remedy string) finding {
	f := finding{Check: at.name + " service", Do: remedy}
	conn, err := p.dial(at)
	if err != nil {
		f.Found = err.Error()
		return f
	}
	reply, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: api})
	switch refusal := status.Convert(err); {
	case err == nil && reply.GetStatus() == grpc_health_v1.HealthCheckResponse_SERVING:
		return finding{Check: f.Check, OK: true, Found: fmt.Sprintf("%s is serving %s", at.address, api)}
	case err == nil:
		f.Found, f.Do = fmt.Sprintf("%s says it is %s", at.address, reply.GetStatus()), "wait for it; its log says more"
	case refusal.Code() == codes.NotFound || refusal.Code() == codes.Unimplemented:
		f.Found = fmt.Sprintf("%s answers, but does not offer %s", at.address, api)
		f.Do = "give the address of another server, or a client of its version"
	default:
		f.Found = fmt.Sprintf("%s does not answer: %s", at.address, causeOf(oneLine(refusal.Message())))
	}
	return f
}

func (p *program) checkKey(ctx context.Context, s *settings, at service) finding {
	f := finding{Check: "key"}
	if s.key == "" {
		f.OK, f.Found = true, "none yet; one is made on first need"
		return f
	}
	conn, err := p.dial(at)
	if err != nil {
		f.Found = err.Error()
		return f
	}
	me, err := gamev1.NewPlayerServiceClient(conn).GetMe(ctx, &gamev1.GetMeRequest{})
	if err != nil {
		f.Found = fmt.Sprintf("that from %s is refused: %s", s.keyFrom, oneLine(status.Convert(err).Message()))
		f.Do = hintFor("INVALID_KEY")
		return f
	}
	f.OK = true
	player := me.GetPlayer()
	f.Found = fmt.Sprintf("that from %s is %s's (%s)", s.keyFrom, player.GetDisplayName(), player.GetId())
	return f
}
