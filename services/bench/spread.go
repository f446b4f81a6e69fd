//go:build linux

package main

import (
	"context"
	"fmt"

	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// spread compares durable moves in two processes, and on two databases, with one process on one
// database.
func (b *bench) spread(ctx context.Context) []string {
	var servers [3]*pgtest.Server
	var urls [3]string
	for i := range servers {
		if servers[i] = b.startPostgres(ctx); servers[i] == nil {
			return nil
		}
		urls[i] = servers[i].URL("postgres")
	}
	one := b.startProduct(ctx, urls[0])
	another := b.startProduct(ctx, urls[0])
	onTwo := b.startProduct(ctx, urls[1], "--database-url", urls[2])
	what := func(where string) string {
		return fmt.Sprintf("PlayMove, %d games in parallel, durable, %s", callers, where)
	}
	const ceiling = "one process on one PostgreSQL server"
	limit := b.moves(one)
	return b.compare(row{
		what: what("two processes on one PostgreSQL server"), ceiling: ceiling, unit: perSecond,
		figure: b.moves(one, another), limit: limit,
	}, row{
		what: what("one process on two PostgreSQL servers"), ceiling: ceiling, unit: perSecond,
		figure: b.moves(onTwo), limit: limit,
	})
}

// moves measures the durable moves of all callers, who are divided among the processes.
func (b *bench) moves(processes ...*product) meter {
	var players []*player
	for caller := range callers {
		players = append(players, processes[caller%len(processes)].newPlayer(caller))
	}
	return b.rate(nil, func(caller int) error { return players[caller].play() })
}
