package adapters_test

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/flipside-games/flipside/clients/cli/adapters"
	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// A robot of the Game service plays a whole game with an engine, in both protocols. An engine that
// cannot set up positions gets the moves of the game.
func TestARobotPlaysWithAnEngine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		engine   string
		protocol adapters.Protocol
		side     int32
	}{
		{"flipside", adapters.GTP, 8},
		{"without setup", adapters.GTP, 6},
		{"flipside", adapters.NBoard, 8},
	} {
		t.Run(test.engine+" "+string(test.protocol), func(t *testing.T) {
			t.Parallel()
			listener := listen(t)
			addresses := startServer(t, listener.Addr().String())
			provide(t, listener, adapters.ProviderOptions{
				Protocol: test.protocol, Depth: 1,
				Command: command(test.engine, string(test.protocol), "--strategy", "easy",
					"--strategy-address", addresses["strategy"]),
				Strategies: strategyv1.NewStrategyServiceClient(dial(t, addresses["strategy"])),
			})
			checkGame(t, addresses["game"], test.side)
		})
	}
}

// checkGame plays a game of the provider against a robot of the server, and checks that the provider
// chose its moves.
func checkGame(t *testing.T, address string, side int32) {
	t.Helper()
	conn := dial(t, address)
	created, err := gamev1.NewPlayerServiceClient(conn).CreatePlayer(t.Context(), &gamev1.CreatePlayerRequest{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+created.GetKey())
	games := gamev1.NewGameServiceClient(conn)
	easy := &strategyv1.Strategy{Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_EASY}}
	hard := &strategyv1.Strategy{Kind: &strategyv1.Strategy_Level{Level: strategyv1.Level_LEVEL_HARD}}
	game, err := games.CreateGame(ctx, &gamev1.CreateGameRequest{
		Setup: &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
			Board: &rulesv1.ReversiSetup_Square{Square: &rulesv1.SquareBoard{Side: side}},
		}}},
		Seats: []*gamev1.Seat{
			{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: hard}}},
			{Holder: &gamev1.Seat_Robot{Robot: &gamev1.Robot{Strategy: easy, Provider: "mine"}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := games.WatchGame(ctx, &gamev1.WatchGameRequest{GameId: game.GetGame().GetId()})
	for err == nil {
		var m *gamev1.WatchGameResponse
		m, err = stream.Recv()
		if s := m.GetEvent().GetMovePlayed().GetSubstitute(); s != nil {
			t.Fatalf("the server plays a simple move for the provider: %v", s)
		}
		if m.GetEvent().GetFinished() != nil {
			return
		}
	}
	t.Fatal(err)
}

// botcheck finds no faults of an engine that answers quickly.
func TestBotcheckFindsNoFaults(t *testing.T) {
	t.Parallel()
	address, client := strategies(t)
	for _, protocol := range []adapters.Protocol{adapters.GTP, adapters.NBoard} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			listener := listen(t)
			provide(t, listener, adapters.ProviderOptions{
				Protocol: protocol, Engines: 2, Depth: 1, Strategies: client,
				Command: command("flipside", string(protocol), "--strategy", "easy", "--strategy-address", address),
			})
			code, out, stderr := run(t, "", "botcheck", listener.Addr().String(), "--deadline", "30s")
			if code != 0 || !strings.Contains(out, "No faults found.") {
				t.Errorf("exit code %d\n%s%s", code, out, stderr)
			}
		})
	}
}

// A position that the protocol or the engine cannot take is an invalid argument, with the reason.
func TestUnsuitablePositions(t *testing.T) {
	t.Parallel()
	address, client := strategies(t)
	engines := map[string]strategyv1.StrategyServiceClient{}
	for _, e := range []struct {
		name     string
		protocol adapters.Protocol
	}{{"without setup", adapters.GTP}, {"flipside", adapters.NBoard}} {
		listener := listen(t)
		provide(t, listener, adapters.ProviderOptions{
			Protocol: e.protocol, Depth: 1, Strategies: client,
			Command: command(e.name, string(e.protocol), "--strategy", "easy", "--strategy-address", address),
		})
		engines[e.name] = strategyv1.NewStrategyServiceClient(dial(t, listener.Addr().String()))
	}
	for _, test := range []struct {
		engine, notation string
		code             codes.Code
		message          string
	}{
		{"without setup", "reversi/square:8 ________/________/XX__XOX_/_XXOOOO_/_XOXXO__/__OXXO__/_OOOX___/__O_____ O 0",
			codes.InvalidArgument, "the engine cannot set up a position: it has neither gogui-setup nor loadsgf"},
		{"without setup", "reversi/hex:2 ___/_XO_/_O_X_/_XO_/___ X 0", codes.InvalidArgument, "Reversi on squares only"},
		{"flipside", "reversi/square:4 ____/_OX_/_XO_/____ X 0", codes.InvalidArgument, "plays on 8x8, not on a square of side 4"},
		{"flipside", "nonsense", codes.InvalidArgument, "a notation starts with reversi/"},
		{"flipside", strings.NewReplacer("_", "X", " X 0", " - 0").Replace(usualStart), codes.FailedPrecondition, "the game is over"},
	} {
		_, err := choose(t, engines[test.engine], test.notation, waitTimeout)
		if status.Code(err) != test.code || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: %v\nwant %v: %s", test.notation, err, test.code, test.message)
		}
	}
}

// The provider answers health checks. Its end is also the end of its engines and of their children.
func TestEnginesEndWithTheProvider(t *testing.T) {
	t.Parallel()
	address, client := strategies(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	listener := listen(t)
	stop := provide(t, listener, adapters.ProviderOptions{
		Protocol: adapters.GTP, Strategies: client, Log: write,
		Command: command("with a child", "gtp", "--strategy-address", address),
	})
	checked, err := grpc_health_v1.NewHealthClient(dial(t, listener.Addr().String())).
		Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil || checked.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("the health is %v, %v", checked, err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	_ = read.SetReadDeadline(time.Now().Add(waitTimeout))
	if _, err := io.ReadAll(read); err != nil { // A child that runs holds the other end.
		t.Errorf("the engine or its child still runs: %v", err)
	}
	if conn, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		_ = conn.Close()
		t.Error("the provider still listens")
	}
}
