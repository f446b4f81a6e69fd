package app

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
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

// connected returns a connection to a target, as processes have to each other.
func connected(t *testing.T, target string) grpc.ClientConnInterface {
	t.Helper()
	a := &App{log: quiet}
	conn, err := a.connect(nil, target, tls.VersionTLS13)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return conn
}

// strategyAt starts Strategy in a process of its own, so to speak.
func strategyAt(t *testing.T, addr string) *App {
	t.Helper()
	a, err := Start(t.Context(), Strategy, Settings{StrategyAddr: addr, DrainTimeout: 5 * time.Second}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// TestProcessesBehindANameShareTheCallsAndStandInForEachOther calls two processes of Strategy by one name, while one of them
// stops and starts again.
func TestProcessesBehindANameShareTheCallsAndStandInForEachOther(t *testing.T) {
	const port = "9091"
	hosts := dnstest.Hosts(t, 2)
	strategyAt(t, hosts[0].String()+":"+port)
	second := strategyAt(t, hosts[1].String()+":"+port)
	target := dnstest.Serve(t, port, hosts...)
	client := strategyv1.NewStrategyServiceClient(connected(t, target))
	// ask makes calls, of which none may fail, until enough of those in a row were answered by one of so many processes.
	ask := func(processes int) {
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
	ask(2)
	second.Close()
	ask(1)
	strategyAt(t, hosts[1].String()+":"+port)
	ask(2)
}

// away is a service that fails some times, and then answers. It counts the calls, and keeps the deadline of the last one.
type away struct {
	fails int32
	with  error
	calls atomic.Int32
	until atomic.Pointer[time.Time]
}

// serve serves every method there is until the test ends, and returns the address.
func (a *away) serve(t *testing.T) string {
	t.Helper()
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		if until, ok := stream.Context().Deadline(); ok {
			a.until.Store(&until)
		}
		if err := stream.RecvMsg(&gamev1.GetGameRequest{}); err != nil {
			return err
		}
		if a.calls.Add(1) <= a.fails {
			return a.with
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

func TestCallsAreSentAgainWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	const game, player, strategy = "/flipside.game.v1.GameService/", "/flipside.game.v1.PlayerService/", "/flipside.strategy.v1.StrategyService/"
	broken := status.Error(codes.Unavailable, "the connection broke")
	said := serve.Status(fault.New(fault.StoreUnavailable, "the store cannot be reached")).Err()
	for _, test := range []struct {
		name   string
		method string
		in     proto.Message
		fails  int32
		with   error
		calls  int32
		code   codes.Code
	}{
		{"a call that computes", strategy + "ChooseMove", &strategyv1.ChooseMoveRequest{}, 2, broken, 3, codes.OK},
		{"a call that reads", game + "GetGame", &gamev1.GetGameRequest{}, 2, broken, 3, codes.OK},
		{"a call that reads who calls", player + "GetMe", &gamev1.GetMeRequest{}, 2, broken, 3, codes.OK},
		{"a call that reads from another process whose store is there", game + "GetGame", &gamev1.GetGameRequest{}, 2, said, 3, codes.OK},
		{"but not for ever", game + "GetGame", &gamev1.GetGameRequest{}, 99, broken, 4, codes.Unavailable},
		{"but not what was answered", game + "GetGame", &gamev1.GetGameRequest{}, 1, status.Error(codes.NotFound, "no"), 1, codes.NotFound},
		{"a change with a request id", game + "PlayMove", &gamev1.PlayMoveRequest{RequestId: "x"}, 2, broken, 3, codes.OK},
		{"but not for ever, either", game + "PlayMove", &gamev1.PlayMoveRequest{RequestId: "x"}, 99, broken, 6, codes.Unavailable},
		{"but not what the service said itself", game + "PlayMove", &gamev1.PlayMoveRequest{RequestId: "x"}, 1, said, 1, codes.Unavailable},
		{"and no change without one", game + "PlayMove", &gamev1.PlayMoveRequest{}, 1, broken, 1, codes.Unavailable},
		{"nor a new player", player + "CreatePlayer", &gamev1.CreatePlayerRequest{}, 1, broken, 1, codes.Unavailable},
		{"nor a new key", player + "RotateKey", &gamev1.RotateKeyRequest{}, 1, broken, 1, codes.Unavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			service := &away{fails: test.fails, with: test.with}
			conn := connected(t, service.serve(t))
			err := conn.Invoke(t.Context(), test.method, test.in, &gamev1.GetGameResponse{})
			if status.Code(err) != test.code || service.calls.Load() != test.calls {
				t.Errorf("after %d calls: %v, want %v after %d", service.calls.Load(), err, test.code, test.calls)
			}
		})
	}
}

func TestDeadlinesArePassedOn(t *testing.T) {
	service := &away{}
	conn := connected(t, service.serve(t))
	ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
	defer cancel()
	want, _ := ctx.Deadline()
	if err := conn.Invoke(ctx, "/flipside.game.v1.GameService/GetGame", &gamev1.GetGameRequest{}, &gamev1.GetGameResponse{}); err != nil {
		t.Fatal(err)
	}
	if got := service.until.Load(); got == nil || got.Sub(want).Abs() > time.Second {
		t.Errorf("the deadline is %v, want %v", got, want)
	}
}
