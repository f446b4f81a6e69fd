package faulttest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/app"
	"github.com/flipside-games/flipside/services/game/sqlstore"
)

func TestMain(m *testing.M) {
	code := m.Run()
	programs.remove()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// waitTimeout is the time within which a test expects an event, on a busy machine.
const waitTimeout = 30 * time.Second

// daemon is a running server, in one process or several.
type daemon struct {
	addrs     map[string]string // of http, game and strategy
	data      string            // an SQLite file or a URL of PostgreSQL
	metrics   []string          // addresses of the metrics of all processes
	firstGame string            // address of a Game process, without a proxy
}

// arguments returns the arguments of a daemon on free ports. data is an SQLite file or a URL of
// PostgreSQL.
func arguments(data string, more ...string) []string {
	const free = "127.0.0.1:0"
	if strings.HasPrefix(data, "postgres:") {
		more = append([]string{"--database-url", data, "--migrate"}, more...)
	} else {
		more = append([]string{"--data", data}, more...)
	}
	return append([]string{
		"--http-addr", free, "--game-addr", free, "--strategy-addr", free, "--metrics-addr", free,
		"--call-rate", "1000000", "--player-rate", "1000000",
	}, more...)
}

// start starts a daemon within the test process until the test ends, and then verifies its store.
func start(t *testing.T, args ...string) *daemon {
	t.Helper()
	return startOn(t, filepath.Join(t.TempDir(), "games.db"), args...)
}

// startOn is like start, on an SQLite file or a URL of PostgreSQL.
func startOn(t *testing.T, data string, args ...string) *daemon {
	t.Helper()
	t.Cleanup(func() { verify(t, data) })
	addrs := startRole(t, app.All, arguments(data, args...)).Addrs
	return &daemon{addrs: addrs, data: data, metrics: []string{addrs["metrics"]}, firstGame: addrs["game"]}
}

// startRole starts a role within the test process until the test ends.
func startRole(t testing.TB, role app.Role, args []string) *app.App {
	t.Helper()
	var settings app.Settings
	flags := pflag.NewFlagSet("flipsided", pflag.ContinueOnError)
	settings.AddFlags(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	running, err := app.Start(context.Background(), role, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Close)
	return running
}

// starter starts a server until the test ends, and then verifies its store.
type starter func(t *testing.T, args ...string) *daemon

// inEach runs a test on one process with SQLite, and on a cluster with NATS and two databases of
// PostgreSQL.
func inEach(t *testing.T, test func(t *testing.T, start starter)) {
	t.Parallel()
	for name, start := range map[string]starter{"one process": start, "cluster": startCluster} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start)
		})
	}
}

// verify replays every game in a store and compares the results with the stored games.
func verify(t testing.TB, data string) {
	t.Helper()
	verifyShard(t, data, sqlstore.Shard{})
}

// verifyShard is verify for one of several databases.
func verifyShard(t testing.TB, data string, shard sqlstore.Shard) {
	t.Helper()
	store, err := sqlstore.Open(context.Background(), data, sqlstore.Options{Shard: shard})
	if err != nil {
		t.Error(err)
		return
	}
	for problem, err := range store.Verify(context.Background()) {
		if err != nil {
			t.Error(err)
			break
		}
		t.Errorf("game %s: %s", problem.GameID, problem.Text)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// binaries builds the programs on first use.
type binaries struct {
	mu     sync.Mutex
	folder string
}

var programs binaries

// path returns the path of a program.
func (b *binaries) path(t testing.TB, name string) string {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.folder == "" {
		folder, err := os.MkdirTemp("", "flipside-") //nolint:usetesting // All tests share the folder.
		if err != nil {
			t.Fatal(err)
		}
		b.folder = folder
	}
	path := filepath.Join(b.folder, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	build := exec.CommandContext(context.Background(), "go", "build", "-o", path, "../../../cmd/"+name)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

func (b *binaries) remove() { _ = os.RemoveAll(b.folder) }

// process is a daemon in a process of its own.
type process struct {
	daemon
	cmd    *exec.Cmd
	log    *logLines
	stderr *bytes.Buffer
	// listening gets the addresses when the process listens.
	listening chan map[string]string
}

// run starts the program flipsided on an SQLite file.
func run(t testing.TB, data string, args ...string) *process {
	t.Helper()
	p := runRole(t, app.All, arguments(data, args...))
	p.data = data
	return p
}

// runRole starts the program flipsided with a role.
func runRole(t testing.TB, role app.Role, args []string) *process {
	t.Helper()
	if role != app.All {
		args = append([]string{string(role)}, args...)
	}
	p := launch(t, programs.path(t, "flipsided"), args...)
	p.awaitListening(t)
	return p
}

// launch starts a command that runs flipsided, and does not wait until it listens.
func launch(t testing.TB, command string, args ...string) *process {
	t.Helper()
	p := &process{log: &logLines{}, stderr: &bytes.Buffer{}, listening: make(chan map[string]string, 1)}
	p.cmd = exec.CommandContext(context.Background(), command, args...)
	p.cmd.Stderr = p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	go p.log.read(out, p.listening)
	return p
}

// awaitListening waits until the process listens.
func (p *process) awaitListening(t testing.TB) {
	t.Helper()
	select {
	case p.addrs = <-p.listening:
		p.metrics = []string{p.addrs["metrics"]}
	case <-time.After(waitTimeout):
		t.Fatalf("the daemon does not listen: %s %s", p.log, p.stderr)
	}
}

// kill kills the process.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// stop sends SIGTERM, and returns the exit code and the duration of the shutdown.
func (p *process) stop(t testing.TB) (code int, took time.Duration) {
	t.Helper()
	begin := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // The caller checks the exit code.
	return p.cmd.ProcessState.ExitCode(), time.Since(begin)
}

// checkStop stops the process and checks its exit code and the duration of the shutdown.
func (p *process) checkStop(t testing.TB, limit time.Duration) {
	t.Helper()
	if code, took := p.stop(t); code != 0 || took > limit {
		t.Errorf("exit code %d after %v, want 0 within %v: %s", code, took, limit, p.stderr)
	}
}

// logLines is the log of a daemon.
type logLines struct {
	mu  sync.Mutex
	all []string
}

// read reads the log to its end. It sends the addresses of the line "listening".
func (l *logLines) read(from io.Reader, listening chan<- map[string]string) {
	for scanner := bufio.NewScanner(from); scanner.Scan(); {
		l.mu.Lock()
		l.all = append(l.all, scanner.Text())
		l.mu.Unlock()
		var line map[string]any
		if json.Unmarshal(scanner.Bytes(), &line) != nil || line["msg"] != "listening" {
			continue
		}
		addrs := map[string]string{}
		for name, value := range line {
			addrs[name] = fmt.Sprint(value)
		}
		listening <- addrs
	}
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

// containing returns the lines that contain a text.
func (l *logLines) containing(text string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for _, line := range l.all {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}
