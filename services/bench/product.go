//go:build linux

package main

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// product is a daemon that runs, with a player for every caller.
type product struct {
	*process
	conn    *grpc.ClientConn // for what is not measured
	game    gamev1.GameServiceClient
	network network // for what is
	keys    []string
}

// startProduct starts the daemon on a file of data.
func (b *bench) startProduct(ctx context.Context, data string, more ...string) (*product, error) {
	daemon, err := b.startDaemon(ctx, data, more...)
	if err != nil {
		return nil, err
	}
	p := &product{process: daemon}
	p.conn, err = grpc.NewClient("passthrough:///"+daemon.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err == nil {
		p.game = gamev1.NewGameServiceClient(p.conn)
		p.network, err = dial(daemon.grpc, connections)
	}
	for players := gamev1.NewPlayerServiceClient(p.conn); err == nil && len(p.keys) < callers; {
		var created *gamev1.CreatePlayerResponse
		created, err = players.CreatePlayer(ctx, &gamev1.CreatePlayerRequest{})
		p.keys = append(p.keys, created.GetKey())
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *product) stop() {
	p.network.close()
	if p.conn != nil {
		_ = p.conn.Close()
	}
	p.process.stop()
}

// as returns the context of calls of a caller.
func (p *product) as(ctx context.Context, caller int) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+p.keys[caller%len(p.keys)])
}

// everybody returns the contexts of all callers.
func (p *product) everybody(ctx context.Context) []context.Context {
	var contexts []context.Context
	for i := range callers {
		contexts = append(contexts, p.as(ctx, i))
	}
	return contexts
}

// newGame creates a game of 8x8 with the caller on both sides.
func (p *product) newGame(as context.Context) (string, error) {
	seat := &gamev1.Seat{Holder: &gamev1.Seat_Caller_{Caller: &gamev1.Seat_Caller{}}}
	created, err := p.game.CreateGame(as, &gamev1.CreateGameRequest{
		Setup: &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: &rulesv1.ReversiSetup{
			Board: &rulesv1.ReversiSetup_Square{Square: &rulesv1.SquareBoard{Side: 8}},
		}}},
		Seats: []*gamev1.Seat{seat, seat},
	})
	return created.GetGame().GetId(), err
}

// midgame creates a game for every caller, and plays half of it.
func (p *product) midgame(as []context.Context) ([]string, error) {
	ids := make([]string, len(as))
	for i := range ids {
		var err error
		if ids[i], err = p.newGame(as[i]); err != nil {
			return nil, err
		}
		for _, move := range script()[:30] {
			if _, err := p.game.PlayMove(as[i], &gamev1.PlayMoveRequest{GameId: ids[i], Notation: move}); err != nil {
				return nil, err
			}
		}
	}
	return ids, nil
}

// player plays games of the script to the end, one after the other, one move a call.
type player struct {
	product *product
	caller  int
	script  []string
	game    string
	next    int
}

// play plays one move, of a new game where the last one is over.
func (p *player) play(as context.Context) (err error) {
	if p.next %= len(p.script); p.next == 0 {
		if p.game, err = p.product.newGame(as); err != nil {
			return err
		}
	}
	return p.move(as)
}

// moveIn asks for a move under a request id, as clients do that mean to try again.
func moveIn(game, notation string) *gamev1.PlayMoveRequest {
	return &gamev1.PlayMoveRequest{GameId: game, Notation: notation, RequestId: uuid.NewString()}
}

// move plays the next move.
func (p *player) move(as context.Context) error {
	request, err := proto.Marshal(moveIn(p.game, p.script[p.next]))
	if err != nil {
		return err
	}
	p.next++
	return p.product.network.call(as, p.caller, gamev1.GameService_PlayMove_FullMethodName, request)
}
