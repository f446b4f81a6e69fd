//go:build linux

package main

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// product is a running daemon with a player for every caller.
type product struct {
	*process
	game    gamev1.GameServiceClient // for calls that are not measured
	network network                  // for calls that are measured
	keys    []string
	as      []context.Context // the context of each caller's calls
}

// startProduct starts the daemon on data; see [bench.startDaemon].
func (b *bench) startProduct(ctx context.Context, data string, more ...string) *product {
	p := &product{process: b.startDaemon(ctx, data, more...)}
	conn := must(grpc.NewClient("passthrough:///"+p.grpc,
		grpc.WithTransportCredentials(insecure.NewCredentials())))
	b.cleanup(func() { _ = conn.Close() })
	p.game, p.network = gamev1.NewGameServiceClient(conn), b.dial(p.grpc, connections)
	players := gamev1.NewPlayerServiceClient(conn)
	for range callers {
		key := must(players.CreatePlayer(ctx, &gamev1.CreatePlayerRequest{})).GetKey()
		p.keys = append(p.keys, key)
		p.as = append(p.as, metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+key))
	}
	return p
}

// newGame creates a game of 8x8 with the caller on both seats.
func (p *product) newGame(caller int) (string, error) {
	seat := &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
	created, err := p.game.CreateGame(p.as[caller], &gamev1.CreateGameRequest{
		Setup: &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
			Board: &rulesv1.ReversiSetup_Square{Square: &rulesv1.SquareBoard{Side: 8}},
		}}},
		Seats: []*gamev1.Seat{seat, seat},
	})
	return created.GetGame().GetId(), err
}

// player plays games of the script to the end, one after the other, one move per call.
type player struct {
	product *product
	caller  int
	script  []string
	game    string
	next    int
}

// play plays one move. After the end of a game it creates the next one first.
func (p *player) play() (err error) {
	if p.next %= len(p.script); p.next == 0 {
		if p.game, err = p.product.newGame(p.caller); err != nil {
			return err
		}
	}
	return p.move()
}

// move plays the next move of the game.
func (p *player) move() error {
	request, err := proto.Marshal(moveRequest(p.game, p.script[p.next]))
	if err != nil {
		return err
	}
	p.next++
	const method = gamev1.GameService_PlayMove_FullMethodName
	return p.product.network.call(p.product.as[p.caller], p.caller, method, request)
}

// moveRequest returns a move with a request id, as clients send it that may retry.
func moveRequest(game, notation string) *gamev1.PlayMoveRequest {
	return &gamev1.PlayMoveRequest{GameId: game, Notation: notation, RequestId: uuid.NewString()}
}

// script returns the moves of a whole game of 8x8. It is always the same game.
func script() []string {
	var moves []string
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // The same game each time.
	for g := newGame("", game.Seats{{Player: "ann"}, {Player: "bob"}}).Game; !g.State.Over(); {
		legal := g.Position.Legal()
		move := legal[random.IntN(len(legal))]
		moves = append(moves, g.Position.MoveNotation(move))
		g = must(g.Play(g.Seats.Of(g.Turn()).Player, move, 0, time.Now())).Game
	}
	return moves
}

// newGame creates a game of 8x8 without a server.
func newGame(id string, seats game.Seats) game.Decision {
	return must(game.Create(id, game.Created{
		Visibility: game.Public,
		Setup:      games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 8}},
		Seats:      seats,
	}, time.Now()))
}
