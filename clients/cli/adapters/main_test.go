package adapters_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/flipside-games/flipside/clients/cli/adapters"
	"github.com/flipside-games/flipside/clients/cli/commands"
	"github.com/flipside-games/flipside/clients/cli/render"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

// engineVariable makes the test program an engine: its value names one of the engines.
const engineVariable = "FLIPSIDE_TEST_ENGINE"

func TestMain(m *testing.M) {
	if name := os.Getenv(engineVariable); name != "" {
		os.Exit(runEngine(name, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// runEngine runs an engine until the end of its input and returns its exit code.
func runEngine(name string, args []string) int {
	streams := commands.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	switch name {
	case "flipside":
	case "without setup":
		streams.Out = withoutSetup{}
	case "with a child":
		child := exec.Command("sleep", "3600")
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
	default:
		return runBroken(name)
	}
	return commands.Run(context.Background(), "1.0.0", args, streams, os.Getenv)
}

// withoutSetup writes to the standard output, without the names of commands that set up positions.
type withoutSetup struct{}

func (withoutSetup) Write(text []byte) (int, error) {
	var kept [][]byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("gogui-")) {
			kept = append(kept, line)
		}
	}
	if _, err := os.Stdout.Write(bytes.Join(kept, nil)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// command returns the command of an engine.
func command(name string, args ...string) []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return append([]string{"env", engineVariable + "=" + name, self}, args...)
}

// waitTimeout is the time within which a test expects an event, on a busy machine.
const waitTimeout = time.Minute

// listen returns a listener on a free port.
func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// startServer starts a server with the strategy provider mine until the test ends, and returns its
// addresses.
func startServer(t *testing.T, provider string) map[string]string {
	t.Helper()
	const free = "127.0.0.1:0"
	s := app.DefaultSettings()
	s.HTTPAddr, s.MetricsAddr, s.GameAddr, s.StrategyAddr = free, "", free, free
	s.CallRate = 1e6
	s.Data = filepath.Join(t.TempDir(), "flipside.db")
	s.Providers = []string{"mine=" + provider}
	running, err := app.Start(context.Background(), app.All, s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	return running.Addrs
}

func dial(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// strategies returns the Strategy service of all tests.
func strategies(t *testing.T) (address string, client strategyv1.StrategyServiceClient) {
	t.Helper()
	address, err := strategiesOnce()
	if err != nil {
		t.Fatal(err)
	}
	return address, strategyv1.NewStrategyServiceClient(dial(t, address))
}

// strategiesOnce starts a Strategy service, which runs until the end of all tests.
var strategiesOnce = sync.OnceValues(func() (address string, err error) {
	s := app.DefaultSettings()
	s.MetricsAddr, s.StrategyAddr, s.CallRate = "", "127.0.0.1:0", 1e6
	running, err := app.Start(context.Background(), app.Strategy, s, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	return running.Addrs["strategy"], nil
})

func explain(_ context.Context, err error) string { return render.Explain(err) }

// provide offers an engine until the test ends or stop is called.
func provide(t *testing.T, listener net.Listener, o adapters.ProviderOptions) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	o.Engines, o.Explain = max(o.Engines, 1), explain
	if o.Log == nil {
		o.Log = io.Discard
	}
	started, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- adapters.Provide(ctx, listener, o, func() { close(started) }) }()
	stopped := false
	stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(waitTimeout):
			return fmt.Errorf("the provider does not end within %v", waitTimeout)
		}
	}
	select {
	case <-started:
	case err := <-ended:
		cancel()
		t.Fatalf("the provider ended: %v", err)
	case <-time.After(waitTimeout):
		cancel()
		t.Fatalf("the provider does not start within %v", waitTimeout)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return stop
}

// run runs flipside and returns its exit code and its streams.
func run(t *testing.T, in string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	env := map[string]string{"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json")}
	streams := commands.Streams{In: strings.NewReader(in), Out: &out, Err: &err}
	code = commands.Run(t.Context(), "1.0.0", args, streams, func(name string) string { return env[name] })
	return code, out.String(), err.String()
}
