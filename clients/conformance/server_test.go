package conformance

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/game/natsfeed/natstest"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// serverVariable makes the test program run flipsided instead of tests.
const serverVariable = "FLIPSIDE_CONFORMANCE_SERVER"

// waitTimeout is the time within which a server starts, on a busy machine.
const waitTimeout = time.Minute

// process is one process of flipsided, which keeps its addresses when it restarts.
type process struct {
	role  string // "" for all roles
	args  []string
	addrs map[string]string
	cmd   *exec.Cmd
}

// addrNames are the names of the addresses in flags and in the log.
var addrNames = []string{"http", "game", "strategy", "metrics"}

// start starts the process and waits until it serves.
func (p *process) start(ctx context.Context) error {
	args := slices.Clone(p.args)
	if p.role != "" {
		args = slices.Insert(args, 0, p.role)
	}
	for _, name := range addrNames {
		args = append(args, "--"+name+"-addr", cmp.Or(p.addrs[name], "127.0.0.1:0"))
	}
	p.cmd = exec.CommandContext(context.Background(), os.Args[0], args...)
	p.cmd.Env = append(os.Environ(), serverVariable+"=1")
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(out)
	var addrs map[string]string
	for addrs == nil {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("flipsided %v does not listen: %w", args, err)
		}
		addrs = listening(line)
	}
	if p.addrs == nil {
		p.addrs = addrs
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return p.awaitReady(ctx)
}

// listening returns the addresses in the line of the log that has them, else nil.
func listening(line []byte) map[string]string {
	var fields map[string]any
	if json.Unmarshal(line, &fields) != nil || fields["msg"] != "listening" {
		return nil
	}
	addrs := map[string]string{}
	for _, name := range addrNames {
		addrs[name], _ = fields[name].(string)
	}
	return addrs
}

// awaitReady waits until the readiness probe succeeds.
func (p *process) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	probe := "http://" + p.addrs["metrics"] + "/readyz"
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, probe, nil)
		if err != nil {
			return err
		}
		reply, err := new(http.Client).Do(request)
		if err == nil {
			reply.Body.Close()
			if reply.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("flipsided %s is not ready: %w", p.role, ctx.Err())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// startUntilEnd starts the process until the test ends.
func (p *process) startUntilEnd(t *testing.T) {
	t.Helper()
	if err := p.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end(os.Kill) })
}

// end ends the process by a signal.
func (p *process) end(signal os.Signal) {
	_ = p.cmd.Process.Signal(signal)
	_ = p.cmd.Wait()
}

// server is a server of one process or several.
type server struct {
	games   []*process // with the Game service, which a fault ends
	gateway *process

	mu    sync.Mutex
	calls int // of next
}

// settings are the flags of every server: short heartbeats make silence short, one invitation is
// soon too many.
var settings = []string{
	"--heartbeat-interval", "500ms", "--max-invitations", "1",
	"--call-rate", "1000000", "--player-rate", "1000000",
}

// startOne starts a server of one process on SQLite until the test ends.
func startOne(t *testing.T) *server {
	t.Helper()
	data := filepath.Join(t.TempDir(), "games.db")
	p := &process{args: append([]string{"--data", data}, settings...)}
	p.startUntilEnd(t)
	return &server{games: []*process{p}, gateway: p}
}

// startScaled starts a server of four processes until the test ends: one of Strategy, two of Game on
// PostgreSQL and NATS, and a gateway.
func startScaled(t *testing.T) *server {
	t.Helper()
	database := pgtest.Database(t)
	if err := sqlstore.Migrate(t.Context(), database); err != nil {
		t.Fatal(err)
	}
	nats := natstest.Start(t, nil)
	strategy := &process{role: "strategy", args: settings}
	strategy.startUntilEnd(t)
	shared := append([]string{
		"--database-url", database, "--nats-url", nats.URL(),
		"--strategy-target", strategy.addrs["strategy"],
	}, settings...)
	games := []*process{{role: "game", args: shared}, {role: "game", args: shared}}
	for _, p := range games {
		p.startUntilEnd(t)
	}
	gateway := &process{role: "gateway", args: append([]string{
		"--game-target", games[0].addrs["game"] + "," + games[1].addrs["game"],
		"--strategy-target", strategy.addrs["strategy"],
	}, settings...)}
	gateway.startUntilEnd(t)
	return &server{games: games, gateway: gateway}
}

// restart ends the processes with a signal, one after the other, and starts each again.
func (s *server) restart(ctx context.Context, signal os.Signal) error {
	for _, p := range s.games {
		p.end(signal)
		if err := p.start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// http returns the address of REST.
func (s *server) http() string { return s.gateway.addrs["http"] }

// game returns the address of a process of Game, each time of the next one.
func (s *server) game() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return s.games[s.calls%len(s.games)].addrs["game"]
}
