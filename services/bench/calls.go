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

// reader is a product with a half-played game for every caller, and the requests to get these
// games.
type reader struct {
	*product
	requests []*gamev1.GetGameRequest
}

func (b *bench) startReader(ctx context.Context, data string, more ...string) *reader {
	r := &reader{product: b.startProduct(ctx, b.file(data), more...)}
	for caller := range callers {
		player := r.newPlayer(caller)
		for range 30 {
			check(player.play())
		}
		r.requests = append(r.requests, &gamev1.GetGameRequest{GameId: player.game})
	}
	return r
}

// getGames measures GetGame of each caller's game.
func (b *bench) getGames(r *reader) meter {
	return b.rate(r.process, func(caller int) error {
		const method = gamev1.GameService_GetGame_FullMethodName
		return r.call(r.as[caller], caller, method, r.requests[caller])
	})
}

// getGame compares GetGame with a server that answers from memory.
func (b *bench) getGame(ctx context.Context) []string {
	r := b.startReader(ctx, "get.db")
	c := b.startCeiling(ctx)
	answer := must(r.game.GetGame(r.as[0], r.requests[0]))
	check(c.call(ctx, 0, ceilingPublish, answer))
	return b.compare(row{
		what:    fmt.Sprintf("GetGame, %d callers, gRPC", callers),
		ceiling: fmt.Sprintf("bare grpc-go answering the same %d bytes", proto.Size(answer)),
		unit:    perSecond, reach: 0.9,
		figure: b.getGames(r), limit: b.rate(c, func(caller int) error {
			return c.call(r.as[caller], caller, ceilingGet, r.requests[caller])
		}),
	})
}

// logging compares GetGame with and without the request log.
func (b *bench) logging(ctx context.Context) []string {
	logged := b.startReader(ctx, "logged.db")
	silent := b.startReader(ctx, "silent.db", "--log-level", "warn")
	return b.compare(row{
		what: "GetGame, a line in the log for each call", ceiling: "the same without",
		figure: b.getGames(logged), limit: b.getGames(silent), unit: perSecond,
	})
}

// rest compares GetGame over HTTP with GetGame over gRPC, both of one process.
func (b *bench) rest(ctx context.Context) []string {
	r := b.startReader(ctx, "rest.db")
	var conns []*httpConn
	for caller := range callers {
		path := "/v1/games/" + r.requests[caller].GetGameId()
		conns = append(conns, b.dialHTTP(ctx, r.http, path, authorization(r.keys[caller])))
	}
	return b.compare(row{
		what: fmt.Sprintf("GetGame, %d callers, REST", callers), ceiling: "GetGame over gRPC",
		limit: b.getGames(r), unit: perSecond, reach: 0.6,
		figure: b.rate(r.process, func(caller int) error {
			body, err := conns[caller].get()
			if err != nil {
				return err
			}
			return body.Close()
		}),
	})
}

// authorization returns the header with a key.
func authorization(key string) string { return "Authorization: Bearer " + key + "\r\n" }

// playOnSQLite compares durable moves in SQLite with the least that a database must do for them.
func (b *bench) playOnSQLite(ctx context.Context) []string {
	const ceiling = "a bare loop of the same insert and update in group commits"
	return b.plays(ctx, b.file("play.db"), "SQLite", ceiling, 0.6)
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
func (b *bench) plays(ctx context.Context, data, name, ceiling string, reach float64) []string {
	p := b.startProduct(ctx, data)
	play, player := playing(p), p.newPlayer(0)
	request := player.request()
	answer := must(p.game.PlayMove(p.as[0], request))
	player.next++
	for range script()[player.next:] { // The writers copy the rows of this game.
		check(player.play())
	}
	writer := b.openWriter(ctx, data, "bare", player.game)
	served := b.startCeiling(ctx, data, player.game)
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
			return served.call(p.as[caller], caller, ceilingGet, request)
		}),
	}, row{
		what: single, ceiling: "the same single commit without a server", unit: microseconds,
		figure: b.latency(0, play), limit: b.latency(0, writer),
	})
}

// playing returns the call that plays the next move of a caller. The callers are divided among the
// processes.
func playing(processes ...*product) call {
	var players []*player
	for caller := range callers {
		players = append(players, processes[caller%len(processes)].newPlayer(caller))
	}
	return func(caller int) error { return players[caller].play() }
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
