package faulttest

import (
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

// probe returns how a daemon answers a probe: the status and the first line, or what went wrong.
func (d *daemon) probe(t *testing.T, at, path string) string {
	t.Helper()
	rest := newREST(t, d.addrs[at])
	resp, err := rest.client.Get(rest.base + path)
	if err != nil {
		return "nothing answers"
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return resp.Status
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(body))
}

// TestADaemonLeavesInOrder takes the times at which each step of stopping is seen from outside.
func TestADaemonLeavesInOrder(t *testing.T) {
	t.Parallel()
	const delay, drain = 2 * time.Second, 3 * time.Second
	server := run(t, filepath.Join(t.TempDir(), "games.db"), "--shutdown-delay", delay.String(), "--drain-timeout", drain.String())
	ann := server.join(t)
	g := ann.create(t, hexagon(3), callers(), callers())
	watch := func() (told chan time.Time) {
		stream, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
		told = make(chan time.Time, 1)
		go func() {
			if end, err := lastOf(stream); err != nil || end.GetReason() != gamev1.EndReason_END_REASON_SHUTTING_DOWN {
				t.Errorf("the stream ended with %v, %v", end, err)
			}
			told <- time.Now()
		}()
		return told
	}
	before := watch()
	stuck := make(chan error, 1)
	go func() { stuck <- server.choose(t.Context(), t, time.Minute) }()
	server.awaitMetric(t, `flipside_calls_in_flight{service="strategy"} 1`)
	if got := server.probe(t, "metrics", "/readyz"); got != "ok" {
		t.Errorf("before: /readyz says %s", got)
	}

	asked := time.Now()
	exited := make(chan int, 1)
	if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = server.cmd.Wait() // The exit code says the same.
		exited <- server.cmd.ProcessState.ExitCode()
	}()
	for _, at := range []string{"http", "metrics"} {
		for server.probe(t, at, "/readyz") != "503 Service Unavailable" {
			if time.Since(asked) > delay {
				t.Fatalf("/readyz of %s says %s", at, server.probe(t, at, "/readyz"))
			}
		}
		if got := server.probe(t, at, "/livez"); got != "ok" {
			t.Errorf("while it leaves, /livez of %s says %s", at, got)
		}
	}
	ann.move(t, g.GetId()) // All is served until the delay is over, new streams too.
	during := watch()
	if past := time.Since(asked); past > delay {
		t.Fatalf("the machine is too slow for this test: %v", past)
	}
	for name, told := range map[string]chan time.Time{"opened before": before, "opened during the delay": during} {
		if at := (<-told).Sub(asked); at < delay || at > delay+drain {
			t.Errorf("the stream %s was told after %v", name, at)
		}
	}
	if err := <-stuck; status.Code(err) == codes.OK || time.Since(asked) < delay+drain/2 {
		t.Errorf("the call that takes a minute ended after %v with %v", time.Since(asked), err)
	}
	code := <-exited
	if took := time.Since(asked); code != 0 || took < delay+drain-time.Second || took > delay+drain+2*time.Second {
		t.Errorf("exit code %d after %v: %s", code, took, server.errors)
	}
	verify(t, server.data)
}

// TestARobotThinksOnInTheNextProcess has a lease that nobody would wait for.
func TestARobotThinksOnInTheNextProcess(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "games.db")
	patient := []string{"--robot-lease", "1h", "--robot-patience", "1h"}
	stopping := run(t, data, append(patient, "--strategy-provider", "mine="+provider(silent).serve(t))...)
	ann := stopping.join(t)
	g := ann.create(t, hexagon(3), robotOf("mine"), callers())
	stopping.awaitMetric(t, `flipside_robots_at_work 1`)
	if code, took := stopping.stop(t); code != 0 || took > 5*time.Second {
		t.Errorf("exit code %d after %v: %s", code, took, stopping.errors)
	}
	next := run(t, data, append(patient, "--strategy-provider", "mine="+provider(first).serve(t))...)
	ann = &player{id: ann.id, key: ann.key, via: overGRPC{dial(t, next.addrs["game"])}}
	for end := time.Now().Add(patience); ann.get(t, g.GetId()).GetVersion() == g.GetVersion(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the robot has not moved")
		}
	}
}

// TestHealthcheckAsksAnyRole runs the command as a container does.
func TestHealthcheckAsksAnyRole(t *testing.T) {
	t.Parallel()
	ask := func(addr string) string {
		out, err := exec.CommandContext(t.Context(), programs.path(t, "flipsided"), "healthcheck", "--metrics-addr", addr).CombinedOutput()
		if err != nil {
			return "failed: " + string(out)
		}
		return string(out)
	}
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	_, port, _ := strings.Cut(server.addrs["metrics"], ":")
	for _, addr := range []string{server.addrs["metrics"], ":" + port, "0.0.0.0:" + port} {
		if got := ask(addr); got != "ready\n" {
			t.Errorf("%s: %s", addr, got)
		}
	}
	server.stop(t)
	if got := ask(server.addrs["metrics"]); !strings.Contains(got, "nothing answers") {
		t.Errorf("after it has stopped: %s", got)
	}
}
