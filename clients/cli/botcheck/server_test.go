package botcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/app"
)

var update = flag.Bool("update", false, "write positions.json")

// provider is a strategy provider with a function in place of a strategy.
type provider struct {
	strategyv1.UnimplementedStrategyServiceServer
	choose func(context.Context, *strategyv1.ChooseMoveRequest) (*strategyv1.ChooseMoveResponse, error)
}

func (p provider) ChooseMove(
	ctx context.Context, request *strategyv1.ChooseMoveRequest,
) (*strategyv1.ChooseMoveResponse, error) {
	return p.choose(ctx, request)
}

// serve starts a provider until the test ends and returns its address.
func (p provider) serve(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	strategyv1.RegisterStrategyServiceServer(server, p)
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// server is a server of Flipside.
type server struct {
	games    gamev1.GameServiceClient
	strategy string // the address
	ctx      context.Context
}

// startServer starts a server until the test ends, with a player.
func startServer(t *testing.T, change func(*app.Settings)) *server {
	t.Helper()
	const free = "127.0.0.1:0"
	s := app.DefaultSettings()
	s.HTTPAddr, s.MetricsAddr, s.GameAddr, s.StrategyAddr = free, "", free, free
	s.CallRate = 1e6
	s.Data = filepath.Join(t.TempDir(), "flipside.db")
	change(&s)
	running, err := app.Start(context.Background(), app.All, s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	conn, err := dial(running.Addrs["game"])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	created, err := gamev1.NewPlayerServiceClient(conn).CreatePlayer(t.Context(), &gamev1.CreatePlayerRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return &server{
		games: gamev1.NewGameServiceClient(conn), strategy: running.Addrs["strategy"],
		ctx: metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+created.GetKey()),
	}
}

func dial(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
}

// fromJSON decodes a message.
func fromJSON[M proto.Message](t *testing.T, m M, document string) M {
	t.Helper()
	if err := protojson.Unmarshal([]byte(document), m); err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return m
}

// recipe makes a position: it starts a game and plays a number of moves.
type recipe struct {
	board Board
	name  string
	setup string // in JSON of the API
	moves int
}

var recipes = []recipe{
	{Square, "square of side 8, start", `{"reversi":{"square":{}}}`, 0},
	{Square, "square of side 8, after 21 moves", `{"reversi":{"square":{}}}`, 21},
	{Square, "square of side 8, after 50 moves", `{"reversi":{"square":{}}}`, 50},
	{Square, "square of side 8, pass is the only legal move", `{"reversi":{"startFrom":
		"reversi/square:8 OX______/________/________/________/________/________/________/________ X 0"}}`, 0},
	{Square, "square of side 8, voluntary passes, at least 2 flips",
		`{"reversi":{"square":{},"passRule":"PASS_RULE_VOLUNTARY","minFlips":2}}`, 0},
	{Square, "square of side 4, start", `{"reversi":{"square":{"side":4}}}`, 0},
	{Square, "square of side 16, after 9 moves", `{"reversi":{"square":{"side":16}}}`, 9},
	{Hexagon, "hexagon of 5 rings, start", `{"reversi":{"hexagon":{}}}`, 0},
	{Hexagon, "hexagon of 5 rings, after 31 moves", `{"reversi":{"hexagon":{}}}`, 31},
	{Hexagon, "hexagon of 2 rings, pass is the only legal move",
		`{"reversi":{"startFrom":"reversi/hex:2 XXX/XXXX/XXXXX/XXXX/X__ O 0"}}`, 0},
	{Hexagon, "hexagon of 12 rings, start", `{"reversi":{"hexagon":{"rings":12}}}`, 0},
	{Cards, "3 by 3 cells, start", `{"threeTrios":{}}`, 0},
	{Cards, "3 by 3 cells, after 3 moves", `{"threeTrios":{}}`, 3},
	{Cards, "3 by 3 cells, last move", `{"threeTrios":{}}`, 8},
	{Cards, "grid with holes, rules same and plus, after 2 moves",
		`{"threeTrios":{"grid":"3 4\nCCXC\nXCCX\nCCCC\n","rules":["RULE_SAME","RULE_PLUS"]}}`, 2},
}

// The file has the positions of the recipes, with the drawings and the legal moves of the server.
func TestPositionsAreThoseOfTheServer(t *testing.T) {
	t.Parallel()
	s := startServer(t, func(*app.Settings) {})
	lines := [][]byte{}
	for _, r := range recipes {
		line, err := json.Marshal(s.position(t, r))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	want := "[\n" + string(bytes.Join(lines, []byte(",\n"))) + "\n]\n"
	if *update {
		if err := os.WriteFile("positions.json", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, string(positionsFile)); diff != "" {
		t.Errorf("positions.json differs, -update writes it (-want +got):\n%s", diff)
	}
}

// position plays the moves of a recipe.
func (s *server) position(t *testing.T, r recipe) Position {
	t.Helper()
	created, err := s.games.CreateGame(s.ctx, &gamev1.CreateGameRequest{
		Setup: fromJSON(t, &rulesv1.Setup{}, r.setup),
		Seats: fromJSON(t, &gamev1.CreateGameRequest{}, `{"seats":[{"caller":{}},{"caller":{}}]}`).GetSeats(),
	})
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	game := created.GetGame()
	for i := range r.moves {
		moves := s.legal(t, game.GetId())
		if len(moves) > 1 && moves[len(moves)-1].Notation == "pass" {
			moves = moves[:len(moves)-1]
		}
		played, err := s.games.PlayMove(s.ctx, &gamev1.PlayMoveRequest{
			GameId: game.GetId(), Notation: moves[(7*i+3)%len(moves)].Notation,
		})
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		game = played.GetGame()
	}
	drawing, err := s.games.RenderGame(s.ctx, &gamev1.RenderGameRequest{
		GameId: game.GetId(), Format: gamev1.Format_FORMAT_TEXT, Labels: true,
	})
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	return Position{
		Name: r.name, Board: r.board, Notation: game.GetPosition().GetNotation(),
		Side: game.GetTurn().GetSide(), Drawing: string(drawing.GetData()), Legal: s.legal(t, game.GetId()),
	}
}

func (s *server) legal(t *testing.T, id string) []legal {
	t.Helper()
	list, err := s.games.ListLegalMoves(s.ctx, &gamev1.ListLegalMovesRequest{GameId: id, PageSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var moves []legal
	for _, m := range list.GetMoves() {
		moves = append(moves, legal{m.GetNotation(), m.GetMove()})
	}
	return moves
}
