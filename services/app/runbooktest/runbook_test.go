package runbooktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/certs"
	"github.com/flipside-games/flipside/services/internal/certs/certstest"
	"github.com/flipside-games/flipside/services/internal/freeaddr"
)

// The blocks of commands on the page, by a text in each.
const (
	oneProcess  = "./flipsided --data"
	withTLS     = "FLIPSIDE_TLS_CERT"
	compose     = "docker compose"
	manyOnOne   = "nats-server"
	kubernetes  = "kubectl"
	sqliteCopy  = "PRAGMA integrity_check"
	dockerCopy  = "docker run"
	sqliteBack  = "rm -f"
	postgresNew = "pg_restore"
	oneRequest  = "THE-ID"
)

// waitTimeout is the time within which a test expects an event, on a busy machine.
const waitTimeout = 30 * time.Second

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")

// block returns the block of commands that contains a text.
func block(t *testing.T, text string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range shellBlock.FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(found[1], text) {
			return found[1]
		}
	}
	t.Fatalf("docs/operations.md has no commands with %q", text)
	return ""
}

// Every block either runs in a test of this package or needs Docker or Kubernetes.
func TestEveryBlockHasATest(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlock.FindAllStringSubmatch(string(page), -1)
	tested := map[string]bool{}
	for _, text := range []string{
		oneProcess, withTLS, compose, manyOnOne, kubernetes, sqliteCopy, dockerCopy, sqliteBack, postgresNew, oneRequest,
	} {
		tested[block(t, text)] = true
	}
	for _, found := range blocks {
		if !tested[found[1]] {
			t.Errorf("no test runs these commands of docs/operations.md:\n%s", found[1])
		}
	}
}

// machine is a folder with the programs and the paths that the page names.
type machine struct {
	t      *testing.T
	folder string
	env    []string
	names  *strings.Replacer // of paths, hosts and ports on the page
	http   string            // address of REST
	output string            // the file for the output of commands
	stdin  []io.Closer
}

// newMachine builds the program and reserves ports. names are further texts and their replacements.
func newMachine(t *testing.T, names ...string) *machine {
	t.Helper()
	m := &machine{t: t, folder: t.TempDir(), http: freeaddr.New(t), output: "flipside.log"}
	m.names = strings.NewReplacer(append([]string{
		"/var/lib/flipside", m.folder + "/data", "/backup", m.folder + "/backup", "/etc/flipside", m.folder + "/etc",
	}, names...)...)
	for _, name := range []string{"data", "backup", "etc"} {
		if err := os.Mkdir(filepath.Join(m.folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.build("flipsided", "../../../cmd/flipsided")
	strategy := freeaddr.New(t)
	m.env = append(os.Environ(), "PATH="+m.folder+":"+os.Getenv("PATH"),
		"FLIPSIDE_HTTP_ADDR="+m.http, "FLIPSIDE_GAME_ADDR="+freeaddr.New(t), "FLIPSIDE_METRICS_ADDR="+freeaddr.New(t),
		"FLIPSIDE_STRATEGY_ADDR="+strategy, "FLIPSIDE_STRATEGY_TARGET="+strategy)
	t.Cleanup(m.stop)
	return m
}

func (m *machine) build(name, pkg string) {
	m.t.Helper()
	build := exec.CommandContext(m.t.Context(), "go", "build", "-o", filepath.Join(m.folder, name), pkg)
	if out, err := build.CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
}

// need skips the test if a program is missing. CI requires all of them.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("FLIPSIDE_REQUIRE_TOOLS") == "1" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed", name)
	}
}

// prelude ends the processes of a block, also those in the background, when the test closes the
// pipe or ends.
const prelude = "set -euo pipefail\n(read -r _ <&3 || true; kill -TERM 0) &\nexec 3<&-\n"

// run runs commands until all that are not in the background have ended.
func (m *machine) run(commands string) {
	m.t.Helper()
	if err := m.try(m.names.Replace(commands)); err != nil {
		log, _ := os.ReadFile(filepath.Join(m.folder, m.output))
		m.t.Fatalf("%s: %v\n%s", commands, err, log)
	}
}

func (m *machine) try(script string) error {
	ctx, cancel := context.WithTimeout(m.t.Context(), 2*waitTimeout)
	defer cancel()
	log, err := os.OpenFile(filepath.Join(m.folder, m.output), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer reader.Close()
	m.stdin = append(m.stdin, writer)
	cmd := exec.CommandContext(ctx, "bash", "-c", prelude+script)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.folder, m.env, log, log
	cmd.ExtraFiles = []*os.File{reader}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd.Run()
}

// runUntilReady runs commands with a health check, which fails until the daemon is ready.
func (m *machine) runUntilReady(commands string) {
	m.t.Helper()
	start, check := commands, ""
	if i := strings.LastIndex(commands, "&\n"); i >= 0 {
		start, check = commands[:i+2], commands[i+2:]
	}
	exports := regexp.MustCompile(`(?m)^export .*\n`).FindAllString(start, -1)
	m.run(start)
	check = m.names.Replace(strings.Join(exports, "") + check)
	for end := time.Now().Add(waitTimeout); m.try(check) != nil; <-time.After(200 * time.Millisecond) {
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(m.folder, m.output))
			m.t.Fatalf("not ready: %s", log)
		}
	}
}

// stop ends all background processes and waits until REST is closed.
func (m *machine) stop() {
	for _, pipe := range m.stdin {
		_ = pipe.Close()
	}
	m.stdin = nil
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); <-time.After(50 * time.Millisecond) {
		if pids, err := exec.Command("pgrep", "-f", m.folder+"/").Output(); err != nil || len(bytes.TrimSpace(pids)) == 0 {
			return
		}
	}
}

// call calls the REST API and returns the response.
func (m *machine) call(method, path, key, body string) (reply map[string]any) {
	m.t.Helper()
	req, err := http.NewRequestWithContext(m.t.Context(), method, "http://"+m.http+path, strings.NewReader(body))
	if err != nil {
		m.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Request-Id", "runbook")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		m.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || resp.StatusCode != http.StatusOK {
		m.t.Fatalf("%s %s: %s %v %v", method, path, resp.Status, reply, err)
	}
	return reply
}

// newGame creates a player and a game of theirs alone, and returns their key and the path of the game.
func (m *machine) newGame() (key, path string) {
	m.t.Helper()
	key = fmt.Sprint(m.call(http.MethodPost, "/v1/players", "", `{}`)["key"])
	created := m.call(http.MethodPost, "/v1/games", key,
		`{"setup":{"reversi":{"square":{"side":8}}},"seats":[{"caller":{}},{"caller":{}}]}`)
	return key, "/v1/games/" + fmt.Sprint(created["game"].(map[string]any)["id"])
}

func (m *machine) move(key, path, notation string) {
	m.t.Helper()
	m.call(http.MethodPost, path+"/moves", key, `{"notation":"`+notation+`"}`)
}

// version returns the version of a game.
func (m *machine) version(key, path string) any {
	m.t.Helper()
	return m.call(http.MethodGet, path, key, "")["game"].(map[string]any)["version"]
}

func withoutLines(commands string, prefixes ...string) string {
	var kept []string
lines:
	for line := range strings.Lines(commands) {
		for _, prefix := range prefixes {
			if strings.HasPrefix(line, prefix) {
				continue lines
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "")
}

func TestOneProcessBacksUpAndRestores(t *testing.T) {
	need(t, "bash", "pgrep", "sqlite3")
	m := newMachine(t, "THE-ID", "runbook")
	start := withoutLines(block(t, oneProcess), "CGO_ENABLED=0 go build") // newMachine has built it.
	m.runUntilReady(start)
	key, path := m.newGame()
	m.move(key, path, "d3")
	m.run(block(t, sqliteCopy))
	m.move(key, path, "c3")
	if got := m.version(key, path); got != 4.0 {
		t.Errorf("the game has version %v, want 4", got)
	}
	<-time.After(time.Second) // The daemon buffers its log.
	m.output = "lines.log"
	m.run(block(t, oneRequest))
	m.output = "flipside.log"
	m.stop()
	m.run(block(t, sqliteBack))
	m.runUntilReady(start)
	if got := m.version(key, path); got != 3.0 {
		t.Errorf("after the restore, the game has version %v, want 3", got)
	}
	m.move(key, path, "c3")
}

func TestHealthcheckWithTLS(t *testing.T) {
	need(t, "bash", "pgrep")
	m := newMachine(t)
	certstest.NewAuthority(t, "ours").Write(t, certs.Files{
		Cert: m.folder + "/etc/server.pem", Key: m.folder + "/etc/server.key", CA: m.folder + "/etc/ca.pem",
	}, "server")
	m.runUntilReady(block(t, withTLS))
}

func TestComposeSecrets(t *testing.T) {
	need(t, "bash", "openssl", "pgrep")
	m := newMachine(t)
	m.run(withoutLines(block(t, compose), "docker ")) // There is no Docker here.
	for _, name := range []string{"database-url", "nats-url", "nats-config"} {
		if text, err := os.ReadFile(filepath.Join(m.folder, "secrets", name)); err != nil || len(text) < 50 {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
}

func TestManyProcessesOnOneMachine(t *testing.T) {
	need(t, "bash", "pgrep", "createuser", "createdb", "pg_dump", "pg_restore")
	_, port, _ := net.SplitHostPort(freeaddr.New(t))
	t.Setenv("PGPORT", port)
	server, err := pgtest.NewServer(t.Context(), "fsync=off", "listen_addresses=127.0.0.1", "port="+port)
	if errors.Is(err, pgtest.ErrNotInstalled) && os.Getenv("FLIPSIDE_REQUIRE_POSTGRES") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	becomeAdministrator(t, server.URL("postgres"))
	t.Setenv("PGHOST", "127.0.0.1")
	t.Setenv("PGUSER", "postgres")
	t.Setenv("NATS_PASSWORD", "secret")

	names := []string{"db.example", "127.0.0.1"}
	for _, fixed := range []string{"127.0.0.1:9090", "127.0.0.1:9190", "127.0.0.1:9192", "127.0.0.1:9292", "127.0.0.1:9392"} {
		names = append(names, fixed, freeaddr.New(t))
	}
	_, nats, _ := net.SplitHostPort(freeaddr.New(t))
	m := newMachine(t, append(names, "4222", nats)...)
	m.build("nats-server", "github.com/nats-io/nats-server/v2")
	m.runUntilReady(block(t, manyOnOne) + "flipsided healthcheck\n")
	key, path := m.newGame()
	m.move(key, path, "d3")

	m.env = append(m.env, "FLIPSIDE_DATABASE_URL=postgres://flipside@127.0.0.1/flipside")
	m.run(block(t, postgresNew))
	m.move(key, path, "c3")
	m.stop()
	m.env = append(m.env, "FLIPSIDE_DATABASE_URL=postgres://flipside@127.0.0.1/restored")
	m.runUntilReady("flipsided &\nflipsided healthcheck\n")
	if got := m.version(key, path); got != 3.0 {
		t.Errorf("in the restored database, the game has version %v, want 3", got)
	}
}

// becomeAdministrator renames the superuser of a new server, since the page creates one of its name.
func becomeAdministrator(t *testing.T, url string) {
	t.Helper()
	for _, step := range []struct{ user, statement string }{
		{"flipside", "CREATE ROLE postgres SUPERUSER LOGIN"},
		{"postgres", "ALTER ROLE flipside RENAME TO former"},
	} {
		config, err := pgx.ParseConfig(url)
		if err != nil {
			t.Fatal(err)
		}
		config.User = step.user
		conn, err := pgx.ConnectConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), step.statement); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
