//go:build linux

package main

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
)

const getGameMethod = gamev1.GameService_GetGame_FullMethodName

// reading is a product with a game half played for every caller, and the requests that get them.
type reading struct {
	*product
	as       []context.Context
	ids      []string
	requests [][]byte
}

func (b *bench) startReading(ctx context.Context, data string, more ...string) (*reading, error) {
	p, err := b.startProduct(ctx, data, more...)
	if err != nil {
		return nil, err
	}
	r := &reading{product: p, as: p.everybody(ctx)}
	if r.ids, err = p.midgame(r.as); err != nil {
		p.stop()
		return nil, err
	}
	for _, id := range r.ids {
		request, err := proto.Marshal(&gamev1.GetGameRequest{GameId: id})
		if err != nil {
			return nil, err
		}
		r.requests = append(r.requests, request)
	}
	return r, nil
}

// getGames is how many games a second the callers get, each his own.
func (b *bench) getGames(r *reading) meter {
	return func(ctx context.Context) (sample, error) {
		return b.rate(ctx, r.process, func(_ context.Context, caller int) error {
			return r.network.call(r.as[caller], caller, getGameMethod, r.requests[caller])
		})
	}
}

// getGame compares GetGame with a server that knows the answer.
func (b *bench) getGame(ctx context.Context) ([]row, error) {
	product, err := b.startReading(ctx, "get.db")
	if err != nil {
		return nil, err
	}
	defer product.stop()
	bare, err := b.startBare(ctx)
	if err != nil {
		return nil, err
	}
	defer bare.stop()
	echo, err := dial(bare.grpc, connections)
	if err != nil {
		return nil, err
	}
	defer echo.close()
	game, err := product.game.GetGame(product.as[0], &gamev1.GetGameRequest{GameId: product.ids[0]})
	if err != nil {
		return nil, err
	}
	answer, err := proto.Marshal(game)
	if err != nil {
		return nil, err
	}
	if err := echo.call(ctx, 0, bareSet, answer); err != nil {
		return nil, err
	}
	c, err := b.compare(ctx, b.getGames(product), func(ctx context.Context) (sample, error) {
		return b.rate(ctx, bare, func(_ context.Context, caller int) error {
			return echo.call(product.as[caller], caller, bareGet, product.requests[caller])
		})
	})
	return []row{{
		what:    fmt.Sprintf("GetGame, %d callers, gRPC", callers),
		ceiling: fmt.Sprintf("bare grpc-go answering the same %d bytes", len(answer)),
		figures: c, unit: perSecond, reach: atLeast(0.7),
	}}, err
}

// logging compares GetGame with its line in the log and without.
func (b *bench) logging(ctx context.Context) ([]row, error) {
	loud, err := b.startReading(ctx, "loud.db")
	if err != nil {
		return nil, err
	}
	defer loud.stop()
	quiet, err := b.startReading(ctx, "quiet.db", "--log-level", "warn")
	if err != nil {
		return nil, err
	}
	defer quiet.stop()
	c, err := b.compare(ctx, b.getGames(loud), b.getGames(quiet))
	return []row{{
		what: "GetGame, a line in the log for each call", ceiling: "the same without", figures: c, unit: perSecond,
	}}, err
}

// rest compares GetGame over HTTP with GetGame over gRPC, both of one process.
func (b *bench) rest(ctx context.Context) ([]row, error) {
	product, err := b.startReading(ctx, "rest.db")
	if err != nil {
		return nil, err
	}
	defer product.stop()
	var lines []*web
	for caller := range callers {
		line, err := dialWeb(ctx, product.http, "/v1/games/"+product.ids[caller], product.keys[caller])
		if err != nil {
			return nil, err
		}
		defer line.conn.Close()
		lines = append(lines, line)
	}
	c, err := b.compare(ctx, func(ctx context.Context) (sample, error) {
		return b.rate(ctx, product.process, func(_ context.Context, caller int) error { return lines[caller].call() })
	}, b.getGames(product))
	return []row{{
		what:    fmt.Sprintf("GetGame, %d callers, REST", callers),
		ceiling: "GetGame over gRPC", figures: c, unit: perSecond, reach: atLeast(0.35),
	}}, err
}

// playing is a product with a player for every caller, the first of whom has played a whole game.
type playing struct {
	*product
	as      []context.Context
	players []*player
}

func (b *bench) startPlaying(ctx context.Context, data string) (*playing, error) {
	product, err := b.startProduct(ctx, data)
	if err != nil {
		return nil, err
	}
	p := &playing{product: product, as: product.everybody(ctx)}
	for i := range callers {
		p.players = append(p.players, &player{product: product, caller: i, script: script()})
	}
	for range p.players[0].script {
		if err := p.play(0); err != nil {
			p.stop()
			return nil, err
		}
	}
	return p, nil
}

func (p *playing) play(caller int) error { return p.players[caller].play(p.as[caller]) }

// exchange is what the first move of a caller and its answer are on the way.
func (p *playing) exchange(caller int) (request, answer []byte, err error) {
	game, err := p.newGame(p.as[caller])
	if err != nil {
		return nil, nil, err
	}
	move := moveIn(game, script()[0])
	played, err := p.game.PlayMove(p.as[caller], move)
	if err != nil {
		return nil, nil, err
	}
	if request, err = proto.Marshal(move); err == nil {
		answer, err = proto.Marshal(played)
	}
	return request, answer, err
}

// ofAll is how many calls a second all callers make, and ofOne how long one takes when only one caller calls.
func (b *bench) ofAll(server *process, call func(context.Context, int) error) meter {
	return func(ctx context.Context) (sample, error) { return b.rate(ctx, server, call) }
}

func (b *bench) ofOne(call func(context.Context, int) error) meter {
	return func(ctx context.Context) (sample, error) {
		return b.latency(ctx, 0, func(ctx context.Context) error { return call(ctx, 0) })
	}
}

// playMove compares moves that are durable in SQLite with what a database must do for them.
func (b *bench) playMove(ctx context.Context) ([]row, error) {
	return b.plays(ctx, "play.db", "SQLite", "a bare loop of the same insert and update in group commits", atMost(1.5))
}

// plays compares moves that are durable in a database with nothing but the writing of them: how many a second all callers
// make, and how long one takes when only one caller plays. That one is compared with a server that does nothing but write it,
// too, since what a call takes besides is no less than a commit where disks are fast; reach is what that is to come to.
func (b *bench) plays(ctx context.Context, data, name, ceiling string, reach *reach) ([]row, error) {
	product, err := b.startPlaying(ctx, data)
	if err != nil {
		return nil, err
	}
	defer product.stop()
	database, played := b.database(data), product.players[0].game
	alone, err := openWriter(ctx, database, "bare", played)
	if err != nil {
		return nil, err
	}
	defer alone.close()
	server, err := b.startBare(ctx, database, played)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	served, err := dial(server.grpc, 1)
	if err != nil {
		return nil, err
	}
	defer served.close()
	request, answer, err := product.exchange(1)
	if err != nil {
		return nil, err
	}
	if err := served.call(ctx, 0, bareSet, answer); err != nil {
		return nil, err
	}

	play := func(_ context.Context, caller int) error { return product.play(caller) }
	many, err := b.compare(ctx, b.ofAll(product.process, play), b.ofAll(nil, alone.write))
	if err != nil {
		return nil, err
	}
	one, err := b.compare(ctx, b.ofOne(play), b.ofOne(func(_ context.Context, caller int) error {
		return served.call(product.as[caller], caller, bareWrite, request)
	}))
	if err != nil {
		return nil, err
	}
	bare, err := b.compare(ctx, b.ofOne(play), b.ofOne(alone.write))
	single := fmt.Sprintf("PlayMove, one caller, durable, %s, median time", name)
	return []row{{
		what: fmt.Sprintf("PlayMove, %d games in parallel, durable, %s", callers, name), ceiling: ceiling,
		figures: many, unit: perSecond, reach: atLeast(0.6),
	}, {
		what: single, ceiling: "bare grpc-go making the same single commit", figures: one, unit: microseconds, reach: reach,
	}, {
		what: single, ceiling: "the same single commit without a server", figures: bare, unit: microseconds,
	}}, err
}
