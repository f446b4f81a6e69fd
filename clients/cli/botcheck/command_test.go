package botcheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"github.com/flipside-games/flipside/clients/cli/botcheck"
	"github.com/flipside-games/flipside/clients/cli/commands"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

// run runs flipside and returns its exit code and its streams.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	env := map[string]string{"FLIPSIDE_CLIENT_CONFIG": filepath.Join(t.TempDir(), "config.json")}
	streams := commands.Streams{In: strings.NewReader(""), Out: &out, Err: &err}
	code = commands.Run(t.Context(), "1.0.0", args, streams, func(name string) string { return env[name] })
	return code, out.String(), err.String()
}

// The exit code is 0 if no fault is found, and 1 if the provider has a fault or does not run.
func TestCommand(t *testing.T) {
	t.Parallel()
	s := app.DefaultSettings()
	s.StrategyAddr, s.MetricsAddr = "127.0.0.1:0", ""
	flipside, err := app.Start(context.Background(), app.Strategy, s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flipside.Close() })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	broken := grpc.NewServer()
	strategyv1.RegisterStrategyServiceServer(broken, strategyv1.UnimplementedStrategyServiceServer{})
	go func() { _ = broken.Serve(listener) }()
	t.Cleanup(broken.Stop)
	for _, test := range []struct {
		name, address string
		code          int
		out, err      string
	}{
		{"Flipside", flipside.Addrs["strategy"], 0, "No faults found.", ""},
		{"without ChooseMove", listener.Addr().String(), 1, "Unimplemented", "the provider has faults: error"},
		{"not running", "127.0.0.1:1", 1, "", "no provider answers at 127.0.0.1:1: connection refused; start it"},
		{"not an address", "bot", 2, "", "use host:port"},
	} {
		code, out, err := run(t, "botcheck", test.address, "--deadline", "1m")
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(err, test.err) {
			t.Errorf("%s: exit code %d\n%s%s", test.name, code, out, err)
		}
	}
	if code, _, err := run(t, "botcheck", "127.0.0.1:1", "--deadline", "2h"); code != 2 || !strings.Contains(err, "100ms to 1m") {
		t.Errorf("a deadline of 2h: exit code %d: %s", code, err)
	}
	_, out, _ := run(t, "botcheck", listener.Addr().String(), "-o", "json")
	var report botcheck.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Findings) != 1 {
		t.Errorf("the JSON is %s: %v", out, err)
	}
}
