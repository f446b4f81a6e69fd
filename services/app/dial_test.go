package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/dnstest"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/serve"
)

var quiet = slog.New(slog.DiscardHandler)

// dialTarget returns a connection to a target with the options between processes.
func dialTarget(t *testing.T, target string) grpc.ClientConnInterface {
	t.Helper()
	a := &App{log: quiet}
	conn, err := a.connect(nil, "game-target", target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return conn
}

// startStrategyAt starts a Strategy process.
func startStrategyAt(t *testing.T, addr string) *App {
	t.Helper()
	s := testSettings(t)
	s.StrategyAddr, s.DrainTimeout = addr, 5*time.Second
	a, _ := startDaemon(t, Strategy, s)
	return a
}

// The test calls two Strategy processes by one name, while one of them stops and starts again.
func TestCallsAreBalancedAndFailOver(t *testing.T) {
	t.Run("DNS", func(t *testing.T) {
		hosts := dnstest.Hosts(t, 2)
		testBalancing(t, hosts, dnstest.Serve(t, strategyPort, hosts...))
	})
	for _, prefix := range []string{"", "ipv4:"} {
		t.Run(prefix+"list", func(t *testing.T) {
			hosts := dnstest.Hosts(t, 2)
			testBalancing(t, hosts, fmt.Sprintf("%s%v:%s,%v:%s", prefix, hosts[0], strategyPort, hosts[1], strategyPort))
		})
	}
}

const strategyPort = "9091"

func testBalancing(t *testing.T, hosts []netip.Addr, target string) {
	startStrategyAt(t, hosts[0].String()+":"+strategyPort)
	second := startStrategyAt(t, hosts[1].String()+":"+strategyPort)
	client := strategyv1.NewStrategyServiceClient(dialTarget(t, target))
	// callUntilBalanced makes calls until the expected number of processes share them. No call may
	// fail.
	callUntilBalanced := func(processes int) {
		t.Helper()
		const enough = 20
		seen := map[string]int{}
		for end := time.Now().Add(20 * time.Second); ; {
			var at peer.Peer
			if _, err := client.ListStrategies(t.Context(), &strategyv1.ListStrategiesRequest{}, grpc.Peer(&at)); err != nil {
				t.Fatalf("with %d processes: %v", processes, err)
			}
			if seen[at.Addr.String()]++; len(seen) > processes {
				seen = map[string]int{}
			}
			most, least := 0, enough
			for _, n := range seen {
				most, least = max(most, n), min(least, n)
			}
			if len(seen) == processes && least == enough && most <= 2*enough {
				return
			}
			if most > 10*enough {
				seen = map[string]int{}
			}
			if time.Now().After(end) {
				t.Fatalf("with %d processes the calls went to %v", processes, seen)
			}
		}
	}
	callUntilBalanced(2)
	second.Close()
	callUntilBalanced(1)
	startStrategyAt(t, hosts[1].String()+":"+strategyPort)
	callUntilBalanced(2)
}

func TestUnreadableTargetsStopTheStart(t *testing.T) {
	for _, target := range []string{
		"", "game", "game:", ":9090", "game:port", "game:0", "game:70000", "a:1,", ",a:1", "a:1, b:2", "a:1;b:2",
		"ipv4:", "ipv4:1.2.3.4", "http://game:9090", "dns:///", "dns:///game", "dns:///a:1,b:2", "xds:///game:1",
	} {
		for setting, change := range map[string]func(*Settings){
			"game-target":         func(s *Settings) { s.GameTarget = target },
			"strategy-target":     func(s *Settings) { s.StrategyTarget = target },
			"strategy-provider x": func(s *Settings) { s.Providers = []string{"x=" + target} },
		} {
			s, role := testSettings(t), Gateway
			if change(&s); s.Providers != nil {
				role = Game
			}
			if target == "" && role == Game {
				continue // An entry without a target is no pair.
			}
			a, err := Start(t.Context(), role, s, quiet)
			if err == nil {
				a.Close()
				t.Errorf("--%s %q: no error", setting, target)
				continue
			}
			if text := err.Error(); !strings.HasPrefix(text, "--"+setting+": ") || !strings.Contains(text, "use host:port") {
				t.Errorf("--%s %q: error %q", setting, target, text)
			}
		}
	}
}

func TestTargets(t *testing.T) {
	for text, want := range map[string]string{
		"game:9090":                "dns:///game:9090",
		"[::1]:9090":               "dns:///[::1]:9090",
		"ipv6:[::1]:1,[::2]:2":     "list:///[::1]:1",
		"a:1,b:2":                  "list:///a:1",
		"dns:///game:9090":         "dns:///game:9090",
		"dns:game:9090":            "dns:game:9090",
		"dns://8.8.8.8/game:9090":  "dns://8.8.8.8/game:9090",
		"passthrough:///game:9090": "passthrough:///game:9090",
		"unix:/run/game.sock":      "unix:/run/game.sock",
	} {
		if got, _, err := resolveTarget(text); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
}

// flaky is a service that fails a number of times before it succeeds. It counts the calls and
// records the deadline of the last one.
type flaky struct {
	failures int32
	err      error
	calls    atomic.Int32
	deadline atomic.Pointer[time.Time]
}

// serve serves every method until the test ends, and returns the address.
func (f *flaky) serve(t *testing.T) string {
	t.Helper()
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		if deadline, ok := stream.Context().Deadline(); ok {
			f.deadline.Store(&deadline)
		}
		if err := stream.RecvMsg(&gamev1.GetGameRequest{}); err != nil {
			return err
		}
		if f.calls.Add(1) <= f.failures {
			return f.err
		}
		return stream.SendMsg(&gamev1.GetGameResponse{})
	}))
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(lis)
	t.Cleanup(server.Stop)
	return lis.Addr().String()
}

func TestSafeCallsAreRetried(t *testing.T) {
	t.Parallel()
	const game, player, strategy = "/flipside.game.v1.GameService/", "/flipside.game.v1.PlayerService/", "/flipside.strategy.v1.StrategyService/"
	broken := status.Error(codes.Unavailable, "the connection broke")
	withReason := serve.Status(fault.New(fault.StoreUnavailable, "the store cannot be reached")).Err()
	for _, test := range []struct {
		name      string
		method    string
		in        proto.Message
		failures  int32
		err       error
		wantCalls int32
		wantCode  codes.Code
	}{
		{"a call that computes", strategy + "ChooseMove", &strategyv1.ChooseMoveRequest{}, 2, broken, 3, codes.OK},
		{"a call that reads", game + "GetGame", &gamev1.GetGameRequest{}, 2, broken, 3, codes.OK},
		{"a call that reads the player", player + "GetMe", &gamev1.GetMeRequest{}, 2, broken, 3, codes.OK},
		{"a call that reads, without a store", game + "GetGame", &gamev1.GetGameRequest{}, 2, withReason, 3, codes.OK},
		{"a limited number of times", game + "GetGame", &gamev1.GetGameRequest{}, 99, broken, 4, codes.Unavailable},
		{"not after an answer", game + "GetGame", &gamev1.GetGameRequest{}, 1, status.Error(codes.NotFound, "no"), 1, codes.NotFound},
		{"a change with a request id", game + "PlayMove", &gamev1.PlayMoveRequest{RequestId: "x"}, 2, broken, 3, codes.OK},
		{"a change, a limited number of times", game + "PlayMove", &gamev1.PlayMoveRequest{RequestId: "x"}, 99, broken, 6, codes.Unavailable},
		{"not a change after an error with a reason", game + "PlayMove", &gamev1.PlayMoveRequest{RequestId: "x"}, 1, withReason, 1, codes.Unavailable},
		{"not a change without a request id", game + "PlayMove", &gamev1.PlayMoveRequest{}, 1, broken, 1, codes.Unavailable},
		{"not a new player", player + "CreatePlayer", &gamev1.CreatePlayerRequest{}, 1, broken, 1, codes.Unavailable},
		{"not a new key", player + "RotateKey", &gamev1.RotateKeyRequest{}, 1, broken, 1, codes.Unavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			service := &flaky{failures: test.failures, err: test.err}
			conn := dialTarget(t, service.serve(t))
			err := conn.Invoke(t.Context(), test.method, test.in, &gamev1.GetGameResponse{})
			if status.Code(err) != test.wantCode || service.calls.Load() != test.wantCalls {
				t.Errorf("%v after %d calls, want %v after %d", err, service.calls.Load(), test.wantCode, test.wantCalls)
			}
		})
	}
}

func TestDeadlinesPropagate(t *testing.T) {
	service := &flaky{}
	conn := dialTarget(t, service.serve(t))
	ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
	defer cancel()
	want, _ := ctx.Deadline()
	if err := conn.Invoke(ctx, "/flipside.game.v1.GameService/GetGame", &gamev1.GetGameRequest{}, &gamev1.GetGameResponse{}); err != nil {
		t.Fatal(err)
	}
	if got := service.deadline.Load(); got == nil || got.Sub(want).Abs() > time.Second {
		t.Errorf("the deadline is %v, want %v", got, want)
	}
}
