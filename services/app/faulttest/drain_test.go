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

// probe returns the body of a successful probe, and otherwise the status or an error.
func (d *daemon) probe(t *testing.T, at, path string) string {
	t.Helper()
	rest := newREST(t, d.addrs[at])
	resp, err := rest.client.Get(rest.base + path)
	if err != nil {
		return "no response"
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

// The test measures the phases of the shutdown from outside.
func TestPhasesOfTheShutdown(t *testing.T) {
	t.Parallel()
	const delay, drain = 2 * time.Second, 3 * time.Second
	server := run(t, filepath.Join(t.TempDir(), "games.db"), "--shutdown-delay", delay.String(), "--drain-timeout", drain.String())
	ann := server.join(t)
	g := ann.create(t, hexagon(3), callerSeat(), callerSeat())
	watch := func() (ended chan time.Time) {
		stream, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
		ended = make(chan time.Time, 1)
		go func() {
			if end, err := lastOf(stream); err != nil || end.GetReason() != gamev1.EndReason_END_REASON_SHUTTING_DOWN {
				t.Errorf("the stream ended with %v, %v", end, err)
			}
			ended <- time.Now()
		}()
		return ended
	}
	before := watch()
	longCall := make(chan error, 1)
	go func() { longCall <- server.choose(t.Context(), t, time.Minute) }()
	server.awaitMetric(t, `flipside_calls_in_flight{service="strategy"} 1`)
	if got := server.probe(t, "metrics", "/readyz"); got != "ok" {
		t.Errorf("before the shutdown, /readyz returns %s", got)
	}

	signaled := time.Now()
	exited := make(chan int, 1)
	if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = server.cmd.Wait() // The test checks the exit code.
		exited <- server.cmd.ProcessState.ExitCode()
	}()
	for _, at := range []string{"http", "metrics"} {
		for server.probe(t, at, "/readyz") != "503 Service Unavailable" {
			if time.Since(signaled) > delay {
				t.Fatalf("/readyz of %s returns %s", at, server.probe(t, at, "/readyz"))
			}
		}
		if got := server.probe(t, at, "/livez"); got != "ok" {
			t.Errorf("during the delay, /livez of %s returns %s", at, got)
		}
	}
	ann.move(t, g.GetId()) // The daemon serves calls and new streams during the delay.
	during := watch()
	if elapsed := time.Since(signaled); elapsed > delay {
		t.Fatalf("the machine is too slow for this test: %v", elapsed)
	}
	for name, ended := range map[string]chan time.Time{"before the shutdown": before, "during the delay": during} {
		if at := (<-ended).Sub(signaled); at < delay || at > delay+drain {
			t.Errorf("the stream from %s ended after %v", name, at)
		}
	}
	if err := <-longCall; status.Code(err) == codes.OK || time.Since(signaled) < delay+drain/2 {
		t.Errorf("the call of one minute ended after %v with %v", time.Since(signaled), err)
	}
	code := <-exited
	if took := time.Since(signaled); code != 0 || took < delay+drain-time.Second || took > delay+drain+2*time.Second {
		t.Errorf("exit code %d after %v: %s", code, took, server.stderr)
	}
	verify(t, server.data)
}

// The next process plays the robot's turn long before the lease expires.
func TestAStoppingDaemonReturnsRobotsTurns(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "games.db")
	longLease := []string{"--robot-lease", "1h", "--robot-grace-period", "1h"}
	stopping := run(t, data, append(longLease, "--strategy-provider", "mine="+provider(neverAnswer).serve(t))...)
	ann := stopping.join(t)
	g := ann.create(t, hexagon(3), robotSeat("mine"), callerSeat())
	stopping.awaitMetric(t, `flipside_robots_at_work 1`)
	stopping.checkStop(t, 5*time.Second)
	const dead = "127.0.0.1:1" // A provider can have several addresses.
	next := run(t, data, append(longLease, "--strategy-provider", "mine="+dead+","+provider(firstMove).serve(t))...)
	ann = &player{id: ann.id, key: ann.key, via: overGRPC{dial(t, next.addrs["game"])}}
	for end := time.Now().Add(waitTimeout); ann.get(t, g.GetId()).GetVersion() == g.GetVersion(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the robot has not moved")
		}
	}
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	check := func(addr string) string {
		out, err := exec.CommandContext(t.Context(), programs.path(t, "flipsided"), "healthcheck", "--metrics-addr", addr).CombinedOutput()
		if err != nil {
			return "failed: " + string(out)
		}
		return string(out)
	}
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	_, port, _ := strings.Cut(server.addrs["metrics"], ":")
	for _, addr := range []string{server.addrs["metrics"], ":" + port, "0.0.0.0:" + port} {
		if got := check(addr); got != "ready\n" {
			t.Errorf("%s: %s", addr, got)
		}
	}
	server.stop(t)
	if got := check(server.addrs["metrics"]); !strings.Contains(got, "no response") {
		t.Errorf("after the shutdown: %s", got)
	}
}
