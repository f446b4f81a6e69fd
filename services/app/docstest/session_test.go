package docstest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/freeaddr"
	"github.com/flipside-games/flipside/services/internal/tokens/tokenstest"
)

// waitTimeout is the time within which commands end and print their output, on a busy machine.
const waitTimeout = 2 * time.Minute

// session is the folder, the variables and the processes of one page.
type session struct {
	folder string
	env    []string
	names  *strings.Replacer // of addresses and programs on the page
	// listening has the process that listens on the port of the server or of the receiver, by the
	// pattern of its commands.
	listening map[*regexp.Regexp]*process
	started   []*process
}

// linked are the folders of the repository that pages name.
var linked = []string{"clients", "docs", "gen"}

// newSession returns the session of a page until the test ends.
func newSession(t *testing.T) *session {
	t.Helper()
	s := &session{folder: t.TempDir(), listening: map[*regexp.Regexp]*process{}}
	repository, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range linked {
		if err := os.Symlink(filepath.Join(repository, name), filepath.Join(s.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	bin := programs(t)
	names := []string{
		"go run ./cmd/flipsided", "flipsided", "go run ./cmd/flipside", "flipside",
		"go run first-game/", "go -C " + repository + " run " + s.folder + "/first-game/",
		"go build -o receiver/ receiver/",
		"go -C " + repository + " build -o " + s.folder + "/receiver/ " + s.folder + "/receiver/",
	}
	addrs := map[string]string{}
	for _, port := range []string{"8080", "9090", "9091", "9092", "8000"} {
		addrs[port] = freeaddr.New(t)
		names = append(names, "localhost:"+port, addrs[port], "127.0.0.1:"+port, addrs[port])
	}
	_, receiver, _ := strings.Cut(addrs["8000"], ":")
	names = append(names, `("", 8000)`, `("", `+receiver+`)`, `":8000"`, `":`+receiver+`"`,
		"listen(8000)", "listen("+receiver+")")
	issuer := tokenstest.New(t)
	names = append(names, "https://login.example", issuer.URL)
	token := issuer.Token(t, issuer.Claims("games", "17", map[string]any{"name": "Ann"}))
	s.names = strings.NewReplacer(names...)
	s.env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"),
		"FLIPSIDE_HTTP_ADDR="+addrs["8080"], "FLIPSIDE_GAME_ADDR="+addrs["9090"],
		"FLIPSIDE_STRATEGY_ADDR="+addrs["9091"], "FLIPSIDE_METRICS_ADDR="+addrs["9092"],
		"FLIPSIDE_ADDRESS="+addrs["9090"], "FLIPSIDE_STRATEGY_ADDRESS="+addrs["9091"],
		"TOKEN="+token, "FLIPSIDE_CLIENT_CONFIG="+filepath.Join(s.folder, "client.json"))
	t.Cleanup(func() {
		for _, p := range s.started {
			p.stop()
		}
	})
	return s
}

// programs returns a folder with the programs flipsided and flipside, which are this test program.
func programs(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"flipsided", "flipside"} {
		script := fmt.Sprintf("#!/bin/sh\n%s=%s exec %q \"$@\"\n", programVariable, name, os.Args[0])
		if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := exec.LookPath("grpcurl"); err != nil && buf() != "" {
		script := strings.ReplaceAll(grpcurlByBuf, "BUF", buf())
		if err := os.WriteFile(filepath.Join(folder, "grpcurl"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// grpcurlByBuf makes the calls of grpcurl with buf, which `make lint` has installed.
const grpcurlByBuf = `#!/bin/bash
set -eu
options=()
while [[ $1 == -* ]]; do
  case $1 in
  -plaintext) shift ;;
  *) options+=("$1" "$2"); shift 2 ;;
  esac
done
exec BUF curl --reflect --protocol grpc --http2-prior-knowledge "${options[@]}" "http://$1/$2"
`

// buf returns the path of buf in this repository, or "".
func buf() string {
	found, err := filepath.Glob(filepath.Join(top, ".cache", "bin", "buf-*"))
	if err != nil || len(found) == 0 {
		return ""
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		return ""
	}
	return path
}

var (
	// serves matches commands that start a server.
	serves = regexp.MustCompile(`go run ./cmd/flipsided`)
	// receives matches commands that start a receiver of webhooks.
	receives = regexp.MustCompile(`SECRET=`)
	// continues matches commands that run until they are stopped.
	continues = regexp.MustCompile(`curl (.* )?-s?N|/Watch(Game|Turns)|flipside play`)
)

// run writes the file of a block, or runs its commands and compares their output. Commands that
// do not end go on until the session ends, and servers and receivers until the next one starts.
func (s *session) run(t *testing.T, b block, output string) {
	t.Helper()
	content := s.names.Replace(b.content)
	if b.file != "" {
		path := filepath.Join(s.folder, b.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	var listens *regexp.Regexp
	switch {
	case serves.MatchString(b.content):
		listens, output = serves, "…\"msg\":\"listening\"…\n"
	case receives.MatchString(b.content):
		listens = receives
	}
	if listens != nil && s.listening[listens] != nil {
		s.listening[listens].stop()
	}
	p := s.start(t, content)
	if listens != nil {
		s.listening[listens] = p
	}
	if listens != nil || continues.MatchString(b.content) {
		p.awaitOutput(t, s.names.Replace(output))
		return
	}
	select {
	case <-p.done:
	case <-time.After(waitTimeout):
		t.Fatalf("line %d: still running after %v:\n%s\n%s", b.line, waitTimeout, content, p.text())
	}
	if p.err != nil {
		t.Fatalf("line %d: %v:\n%s\n%s", b.line, p.err, content, p.text())
	}
	if missing := missingLine(p.text(), s.names.Replace(output)); missing != "" {
		t.Errorf("line %d: the output lacks the line %q:\n%s", b.line, missing, p.text())
	}
}

// prelude and postlude pass variables and functions from one block to the next.
const (
	prelude  = "set -eauo pipefail\n[ ! -e .variables ] || . ./.variables\n"
	postlude = "{ export -p; declare -f; } > .variables\n"
)

// process is the shell that runs a block, with its child processes.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error // after done

	mu     sync.Mutex
	output bytes.Buffer
}

func (s *session) start(t *testing.T, commands string) *process {
	t.Helper()
	p := &process{done: make(chan struct{})}
	p.cmd = exec.CommandContext(context.Background(), "bash", "-c", prelude+commands+postlude)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = s.folder, s.env, p, p
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.started = append(s.started, p)
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p
}

// Write stores output.
func (p *process) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.Write(text)
}

func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.String()
}

// stop ends the process and its children, and waits for them.
func (p *process) stop() {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		_ = syscall.Kill(-p.cmd.Process.Pid, signal)
		select {
		case <-p.done:
			return
		case <-time.After(waitTimeout / 4):
		}
	}
}

// awaitOutput waits until the process has printed all lines; without lines, until it prints.
func (p *process) awaitOutput(t *testing.T, lines string) {
	t.Helper()
	if lines == "" {
		lines = "…\n"
	}
	for end := time.Now().Add(waitTimeout); ; <-time.After(20 * time.Millisecond) {
		ended, text := p.ended(), p.text()
		missing := missingLine(text, lines)
		if missing == "" {
			return
		}
		if time.Now().After(end) || ended {
			t.Fatalf("the output lacks the line %q:\n%s", missing, text)
		}
	}
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// missingLine returns the first of the lines that the output lacks, or "". They occur in this order.
// Blanks do not count: the JSON of protobuf has some in one build of the server and none in another.
func missingLine(output, lines string) string {
	output = strings.ReplaceAll(output, " ", "")
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\n")
		pattern := regexp.QuoteMeta(strings.ReplaceAll(line, " ", ""))
		pattern = strings.ReplaceAll(pattern, "…", ".*")
		at := regexp.MustCompile(`(?m)^` + pattern + `$\n?`).FindStringIndex(output)
		if at == nil {
			return line
		}
		output = output[at[1]:]
	}
	return ""
}
