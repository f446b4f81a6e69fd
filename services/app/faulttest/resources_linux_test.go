package faulttest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// The limit of the file size makes writes fail as on a full disk, and needs no privileges.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	server := run(t, filepath.Join(t.TempDir(), "games.db"))
	ann := server.join(t)
	g := ann.create(t, hexagon(3), callerSeat(), callerSeat())
	limit := func(bytes uint64) {
		t.Helper()
		err := unix.Prlimit(server.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	healthcheck := func() error {
		return exec.CommandContext(t.Context(), programs.path(t, "flipsided"), "healthcheck",
			"--metrics-addr", server.addrs["metrics"]).Run()
	}
	for i := 1; i <= 2; i++ {
		limit(1)
		server.awaitReady(t, http.StatusServiceUnavailable)
		for range 20 {
			in := &gamev1.ResignRequest{GameId: g.GetId(), Side: rulesv1.Side_SIDE_FIRST}
			err := ann.via.call(t.Context(), ann.key, "Resign", in, &gamev1.ResignResponse{})
			checkError(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
		}
		if healthcheck() == nil {
			t.Error("healthcheck succeeds on a full disk")
		}
		if got := ann.get(t, g.GetId()); got.GetVersion() != g.GetVersion() {
			t.Errorf("the game is at version %d, want %d", got.GetVersion(), g.GetVersion())
		}
		limit(unix.RLIM_INFINITY)
		server.awaitReady(t, http.StatusOK)
		if err := healthcheck(); err != nil {
			t.Errorf("healthcheck: %v", err)
		}
		g = ann.move(t, g.GetId())
		for text, want := range map[string]int{`"the store is unavailable"`: i, `"the store is available again"`: i, `"ERROR"`: i} {
			if lines := server.log.containing(text); len(lines) != want {
				t.Errorf("after failure %d, the log has %d lines with %s, want %d: %s", i, len(lines), text, want, lines)
			}
		}
	}
	server.checkStop(t, 5*time.Second)
	verify(t, server.data)
}

// In the test, the streams of one key take all connections that few open files leave room for.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "games.db")
	server := launch(t, "sh", append([]string{
		"-c", `ulimit -n 256 && exec "$@"`, "sh", programs.path(t, "flipsided"),
	}, arguments(data)...)...)
	server.awaitListening(t)
	if lines := server.log.containing("limit of open files is too low"); len(lines) != 1 {
		t.Errorf("the log has %s", lines)
	}
	ann := server.join(t)
	g := ann.create(t, hexagon(6), callerSeat(), callerSeat())
	watch, err := ann.games().WatchGame(ann.ctx(t.Context()), &gamev1.WatchGameRequest{GameId: g.GetId()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil { // A connection with a call is not replaced.
		t.Fatal(err)
	}
	for range 300 {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.addrs["http"])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "GET /v1/games/%s:watch HTTP/1.1\r\nHost: flipside\r\nAuthorization: Bearer %s\r\n\r\n", g.GetId(), ann.key)
	}
	for range 20 { // The database opens files, too.
		g = ann.move(t, g.GetId())
	}
	for path, want := range map[string]string{"/livez": "ok", "/readyz": "ok"} {
		if got := server.probe(t, "metrics", path); got != want {
			t.Errorf("%s returns %s, want %s", path, got, want)
		}
	}
	if open := metric(t, server.addrs["metrics"], "process_open_fds"); open < 100 || open > 250 {
		t.Errorf("the process has %v open files", open)
	}
}

// The default budgets follow the memory limit, so that searches do not end the process.
func TestSearchesStayBelowTheMemoryLimit(t *testing.T) {
	t.Parallel()
	const limit = 256 << 20
	data := filepath.Join(t.TempDir(), "games.db")
	server := launch(t, "env", append([]string{
		"GOMEMLIMIT=" + strconv.Itoa(limit), programs.path(t, "flipsided"),
	}, arguments(data)...)...)
	server.awaitListening(t)
	if got := metric(t, server.addrs["metrics"], "flipside_search_memory_limit_bytes"); got != limit/4 {
		t.Errorf("the memory budget of searches is %v, want %d", got, limit/4)
	}
	client := strategyv1.NewStrategyServiceClient(dial(t, server.addrs["strategy"]))
	searched := make(chan error)
	for i := range 6 {
		go func() {
			_, err := client.ChooseMove(t.Context(), &strategyv1.ChooseMoveRequest{
				Position: &rulesv1.Position{Notation: openBoard},
				Strategy: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{Engine: &strategyv1.Engine{
					MaxTime: durationpb.New(time.Duration(2+i%3) * time.Second),
				}}},
			})
			searched <- err
		}()
	}
	for range 6 {
		if err := <-searched; err != nil {
			t.Error(err)
		}
	}
	if peak := peakMemory(t, server.cmd.Process.Pid); peak > limit {
		t.Errorf("the process used %d MiB, more than its limit of %d MiB", peak>>20, limit>>20)
	}
}

// peakMemory returns the largest resident memory of a process so far, in bytes.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak %d KB", kilobytes)
	return kilobytes << 10
}
