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

// patience is how long a test waits for what should come soon, on a machine that is busy.
const patience = 30 * time.Second

// daemon is a server that runs, by the names of its addresses. Where it is many processes, those of Game and of Strategy lead
// to each by turns.
type daemon struct {
	addrs map[string]string
	data  string
	// metrics is where each process tells its metrics.
	metrics []string
	// oneGame is where a process of Game listens itself.
	oneGame string
}

// arguments makes a daemon listen where there is room and keep its games in a file, or in PostgreSQL if data is its URL.
func arguments(data string, more ...string) []string {
	const room = "127.0.0.1:0"
	if strings.HasPrefix(data, "postgres:") {
		more = append([]string{"--database-url", data, "--migrate"}, more...)
	} else {
		more = append([]string{"--data", data}, more...)
	}
	return append([]string{
		"--http-addr", room, "--game-addr", room, "--strategy-addr", room, "--metrics-addr", room,
		"--call-rate", "1000000", "--player-rate", "1000000",
	}, more...)
}

// start starts a daemon in this process. It is stopped when the test ends, and its store is looked through.
func start(t *testing.T, args ...string) *daemon {
	t.Helper()
	return startOn(t, filepath.Join(t.TempDir(), "games.db"), args...)
}

// startOn is start on a file or a URL of PostgreSQL.
func startOn(t *testing.T, data string, args ...string) *daemon {
	t.Helper()
	t.Cleanup(func() { verify(t, data) })
	addrs := startRole(t, app.All, arguments(data, args...)).Addrs
	return &daemon{addrs: addrs, data: data, metrics: []string{addrs["metrics"]}, oneGame: addrs["game"]}
}

// startRole starts a part of a server in this process, as if it were one of its own, until the test ends.
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

// starter starts a server that is stopped when the test ends; then its store is looked through.
type starter func(t *testing.T, args ...string) *daemon

// inEach makes a test on a server that is one process with a file, and on one that is many with PostgreSQL and NATS.
func inEach(t *testing.T, test func(t *testing.T, start starter)) {
	for name, start := range map[string]starter{"one process": start, "many processes": startApart} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start)
		})
	}
}

// verify replays every game in a store, and compares with what is stored.
func verify(t testing.TB, data string) {
	t.Helper()
	store, err := sqlstore.Open(context.Background(), data, sqlstore.Options{})
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

// binaries are the programs as their users have them, each built when it is first needed.
type binaries struct {
	mu     sync.Mutex
	folder string
}

var programs binaries

// path returns where a program is.
func (b *binaries) path(t testing.TB, name string) string {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.folder == "" {
		folder, err := os.MkdirTemp("", "flipside-") //nolint:usetesting // it outlasts the test that needs it first
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
	cmd *exec.Cmd
	// logged is what the daemon wrote; errors what it wrote to the standard error.
	logged *lines
	errors *bytes.Buffer
}

// run starts the real flipsided on a file.
func run(t testing.TB, data string, args ...string) *process {
	t.Helper()
	p := runRole(t, app.All, arguments(data, args...))
	p.data = data
	return p
}

// runRole starts the real flipsided as a part of a server.
func runRole(t testing.TB, role app.Role, args []string) *process {
	t.Helper()
	p := &process{logged: &lines{}, errors: &bytes.Buffer{}}
	if role != app.All {
		args = append([]string{string(role)}, args...)
	}
	p.cmd = exec.CommandContext(context.Background(), programs.path(t, "flipsided"), args...)
	p.cmd.Stderr = p.errors
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	listening := make(chan map[string]string, 1)
	go p.logged.read(out, listening)
	select {
	case p.addrs = <-listening:
		p.metrics = []string{p.addrs["metrics"]}
	case <-time.After(patience):
		t.Fatalf("the daemon does not listen: %s %s", p.logged, p.errors)
	}
	return p
}

// kill ends the process without a warning.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// stop asks the process to end, and returns its exit code and how long it took.
func (p *process) stop(t testing.TB) (code int, took time.Duration) {
	t.Helper()
	begin := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // The exit code says the same.
	return p.cmd.ProcessState.ExitCode(), time.Since(begin)
}

// lines keeps the log of a daemon.
type lines struct {
	mu  sync.Mutex
	all []string
}

// read reads the log to its end. It hands over the addresses that the daemon says it listens on.
func (l *lines) read(from io.Reader, listening chan<- map[string]string) {
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

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

// having returns the lines that have a text in them.
func (l *lines) having(text string) []string {
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
