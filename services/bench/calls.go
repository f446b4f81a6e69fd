package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"google.golang.org/protobuf/proto"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// startPlayed starts the product with a half-played game for every caller.
func (b *bench) startPlayed(ctx context.Context, more ...string) *product {
	p := b.startProduct(ctx, b.sqlite(), more...)
	for _, player := range p.players {
		for range len(script()) / 2 {
			check(player.play())
		}
	}
	return p
}

const getGame = gamev1.GameService_GetGame_FullMethodName

// getGames measures a method of a server with the requests of the players for their games.
func (b *bench) getGames(server *process, method string, players []*player) meter {
	return b.rate(server, func(caller int) error {
		request := &gamev1.GetGameRequest{GameId: players[caller].game}
		return server.call(players[caller].ctx, caller, method, request)
	})
}

// get compares GetGame with a server that answers from memory.
func (b *bench) get(ctx context.Context) []string {
	p, c := b.startPlayed(ctx), b.startCeiling(ctx)
	answer := must(p.game.GetGame(p.players[0].ctx, &gamev1.GetGameRequest{GameId: p.players[0].game}))
	check(c.call(ctx, 0, ceilingPublish, answer))
	return b.compare(row{
		what:    fmt.Sprintf("GetGame, %d callers, gRPC", callers),
		ceiling: fmt.Sprintf("bare grpc-go answering the same %d bytes", proto.Size(answer)),
		unit:    perSecond, reach: 0.9,
		figure: b.getGames(p.process, getGame, p.players), limit: b.getGames(c, ceilingGet, p.players),
	})
}

// logging compares GetGame with and without the request log.
func (b *bench) logging(ctx context.Context) []string {
	logged, silent := b.startPlayed(ctx), b.startPlayed(ctx, "--log-level", "warn")
	return b.compare(row{
		what: "GetGame, a line in the log for each call", ceiling: "the same without",
		unit:   perSecond,
		figure: b.getGames(logged.process, getGame, logged.players),
		limit:  b.getGames(silent.process, getGame, silent.players),
	})
}

// rest compares GetGame over HTTP with GetGame over gRPC, both of one process.
func (b *bench) rest(ctx context.Context) []string {
	p := b.startPlayed(ctx)
	var conns []*httpConn
	for _, player := range p.players {
		path := "/v1/games/" + player.game
		conns = append(conns, b.dialHTTP(ctx, p.http, path, player.authorization, "*/*"))
	}
	return b.compare(row{
		what: fmt.Sprintf("GetGame, %d callers, REST", callers), ceiling: "GetGame over gRPC",
		limit: b.getGames(p.process, getGame, p.players), unit: perSecond, reach: 0.6,
		figure: b.rate(p.process, func(caller int) error {
			body, err := conns[caller].get()
			if err != nil {
				return err
			}
			return body.Close()
		}),
	})
}

// playOnSQLite compares durable moves in SQLite with the least that a database must do for them.
func (b *bench) playOnSQLite(ctx context.Context) []string {
	const ceiling = "a bare loop of the same insert and update in group commits"
	return b.plays(ctx, b.sqlite(), "SQLite", ceiling, 0.6)
}

// playOnPostgres compares durable moves in PostgreSQL with one round trip per move to the same
// server.
func (b *bench) playOnPostgres(ctx context.Context) []string {
	server := b.startPostgres(ctx)
	if server == nil {
		return nil
	}
	const ceiling = "the same insert and update alone through pgx in one round trip"
	return b.plays(ctx, server.URL("postgres"), "PostgreSQL", ceiling, 0.85)
}

// startPostgres starts a PostgreSQL server in the system's folder for temporary files. It ends with
// the scope. Without an installed PostgreSQL, startPostgres returns nil.
func (b *bench) startPostgres(ctx context.Context) *pgtest.Server {
	server, err := pgtest.NewServer(ctx, "shared_buffers=256MB", "max_wal_size=4GB")
	if errors.Is(err, pgtest.ErrNotInstalled) {
		fmt.Fprintln(os.Stderr, "skipped:", err)
		return nil
	}
	check(err)
	b.cleanup(func() { _ = server.Close() })
	return server
}

// plays compares durable moves with a writer of the same rows: the rate of all callers and the
// latency of one. The latency is also compared with a ceiling server around the writer, since a
// call takes as long as a commit on a fast disk. reach is the bound for all callers.
func (b *bench) plays(ctx context.Context, database, name, ceiling string, reach float64) []string {
	p := b.startProduct(ctx, database)
	play, first := playing(p), p.players[0]
	check(first.create())
	request := first.move()
	answer := must(p.game.PlayMove(first.ctx, request))
	for range script()[first.next:] { // The writers copy the rows of this game.
		check(first.play())
	}
	writer := b.openWriter(ctx, database, "bare", first.game)
	served := b.startCeiling(ctx, database, first.game)
	check(served.call(ctx, 0, ceilingPublish, answer))
	single := fmt.Sprintf("PlayMove, one caller, durable, %s, median time", name)
	return b.compare(row{
		what:    fmt.Sprintf("PlayMove, %d games in parallel, durable, %s", callers, name),
		ceiling: ceiling, unit: perSecond, reach: reach,
		figure: b.rate(p.process, play), limit: b.rate(nil, writer),
	}, row{
		what: single, ceiling: "bare grpc-go making the same single commit",
		unit: microseconds, reach: 1.4,
		figure: b.latency(0, play), limit: b.latency(0, func(caller int) error {
			return served.call(first.ctx, caller, ceilingGet, request)
		}),
	}, row{
		what: single, ceiling: "the same single commit without a server", unit: microseconds,
		figure: b.latency(0, play), limit: b.latency(0, writer),
	})
}

// playing returns the call that plays the next move of a caller. The callers are divided among the
// processes.
func playing(processes ...*product) call {
	return func(caller int) error {
		return processes[caller%len(processes)].players[caller].play()
	}
}

// spread compares durable moves in two processes, and on two databases, with one process on one
// database.
func (b *bench) spread(ctx context.Context) []string {
	var urls []string
	for range 3 {
		server := b.startPostgres(ctx)
		if server == nil {
			return nil
		}
		urls = append(urls, server.URL("postgres"))
	}
	one, another := b.startProduct(ctx, urls[0]), b.startProduct(ctx, urls[0])
	onTwo := b.startProduct(ctx, urls[1], "--database-url", urls[2])
	compared := func(where string, processes ...*product) row {
		return row{
			what:    fmt.Sprintf("PlayMove, %d games in parallel, durable, %s", callers, where),
			ceiling: "one process on one PostgreSQL server", unit: perSecond,
			figure: b.rate(nil, playing(processes...)), limit: b.rate(nil, playing(one)),
		}
	}
	return b.compare(
		compared("two processes on one PostgreSQL server", one, another),
		compared("one process on two PostgreSQL servers", onTwo))
}
