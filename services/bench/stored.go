//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// fewGames is the number of games in the small store.
const fewGames = 1000

// storedPlayers is the number of players that share the games of a store.
const storedPlayers = 8

func storedPlayer(i int) string { return fmt.Sprintf("player-%d", i%storedPlayers) }

// store is a store filled with games.
type store struct {
	data string   // an SQLite file or a URL of PostgreSQL
	ids  []string // of the games, the oldest first
}

// stored compares reads from a store of many games with reads from one of few, in SQLite and in
// PostgreSQL.
func (b *bench) stored(ctx context.Context) []row {
	few, many := b.fill(ctx, "few.db", fewGames), b.fill(ctx, "many.db", b.games)
	rows := b.reads(ctx, "SQLite", few, many)
	if server := b.startPostgres(ctx); server != nil {
		few, many := b.copyStore(ctx, few, server, "few"), b.copyStore(ctx, many, server, "many")
		rows = append(rows, b.reads(ctx, "PostgreSQL", few, many)...)
	}
	return rows
}

// fill creates games in an SQLite file, without a server. Many goroutines share each commit.
func (b *bench) fill(ctx context.Context, data string, games int) store {
	const goroutines = 128
	start, s := time.Now(), store{data: data}
	for range games {
		s.ids = append(s.ids, newID())
	}
	db := must(sqlstore.Open(ctx, b.database(data), sqlstore.Options{}))
	defer db.Close()
	group, ctx := errgroup.WithContext(ctx)
	for first := range goroutines {
		group.Go(func() error {
			for i := first; i < games; i += goroutines {
				d := storedGame(s.ids[i], i)
				if err := db.Commit(ctx, game.Change{Game: d.Game, Events: d.Events}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	check(group.Wait())
	fmt.Fprintf(os.Stderr, "stored %s games in %.0f s\n",
		count(float64(games)), time.Since(start).Seconds())
	return s
}

// copyStore copies an SQLite file into a new database of PostgreSQL, which is much faster than to
// create the games there. No other program may write to the file.
func (b *bench) copyStore(ctx context.Context, s store, server *pgtest.Server, name string) store {
	maintenance := must(pgx.Connect(ctx, server.URL("postgres")))
	defer maintenance.Close(ctx)
	must(maintenance.Exec(ctx, "CREATE DATABASE "+name))
	check(must(sqlstore.Open(ctx, server.URL(name), sqlstore.Options{Migrate: true})).Close())
	target := must(pgx.Connect(ctx, server.URL(name)))
	defer target.Close(ctx)
	source := must(sql.Open("sqlite", "file:"+b.database(s.data)+"?mode=ro"))
	defer source.Close()
	for _, table := range []string{"games", "events", "listings", "counters"} {
		must(target.Exec(ctx, "TRUNCATE "+table))
		var columns []string // of PostgreSQL: only SQLite numbers events
		const names = "SELECT array_agg(column_name::text) FROM information_schema.columns WHERE table_name = $1"
		check(target.QueryRow(ctx, names, table).Scan(&columns))
		//nolint:rowserrcheck // next checks the error.
		rows := must(source.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+table))
		next := func() ([]any, error) {
			if !rows.Next() {
				return nil, rows.Err()
			}
			return values(rows, len(columns))
		}
		must(target.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(next)))
		check(rows.Close())
	}
	// The server would do this in the middle of a round.
	for _, statement := range []string{"VACUUM ANALYZE", "CHECKPOINT"} {
		must(target.Exec(ctx, statement))
	}
	return store{server.URL(name), s.ids}
}

// storedGame creates the i-th game, between two of the players. Every fourth game waits for its
// second player.
func storedGame(id string, i int) game.Decision {
	first, second := storedPlayer(i), storedPlayer(i/storedPlayers+1)
	seats := game.Seats{{Player: first, Name: first}, {Player: second, Name: second}}
	if i%4 == 3 {
		seats[1] = game.Seat{}
	}
	return newGame(id, seats)
}

// reads compares two stores of one kind.
func (b *bench) reads(ctx context.Context, kind string, small, large store) []row {
	few, many := b.startFilled(ctx, small), b.startFilled(ctx, large)
	var rows []row
	for _, read := range []struct {
		what  string
		call  func(*filled) error
		first int // the number of games that can be read for the first time; 0 for repeated reads
	}{
		{"GetGame of games not looked at before", (*filled).getNext, fewGames},
		{"GetGame of the same 1,000 games", (*filled).getNext, 0},
		{"ListGames, the newest 100", (*filled).listNewest, 0},
		{"ListGames, 50 from the middle of a player's", (*filled).listMiddle, 0},
	} {
		times := func(f *filled) meter {
			return b.latency(read.first/(b.rounds+1),
				func(context.Context, int) error { return read.call(f) })
		}
		rows = append(rows, row{
			what: fmt.Sprintf("%s, %s stored, %s, median time",
				read.what, count(float64(len(large.ids))), kind),
			ceiling: fmt.Sprintf("%s stored", count(fewGames)), unit: microseconds, reach: 1.5,
			figure: times(many), limit: times(few),
		})
	}
	return b.compare(ctx, rows...)
}

// filled is the product on a store filled with games.
type filled struct {
	*product
	picked []string // games in random order
	middle []string // consecutive games
	turn   int
}

// startFilled starts the product on a store.
func (b *bench) startFilled(ctx context.Context, s store) *filled {
	middle := len(s.ids) / 2
	f := &filled{product: b.startProduct(ctx, s.data), middle: s.ids[middle : middle+20]}
	for _, i := range rand.Perm(len(s.ids))[:fewGames] { //nolint:gosec // Not a secret.
		f.picked = append(f.picked, s.ids[i])
	}
	return f
}

func (f *filled) getNext() error {
	f.turn++
	_, err := f.game.GetGame(f.as[0], &gamev1.GetGameRequest{GameId: f.picked[f.turn%len(f.picked)]})
	return err
}

func (f *filled) listNewest() error { return f.list(&gamev1.ListGamesRequest{PageSize: 100}) }

func (f *filled) listMiddle() error {
	f.turn++
	token := f.middle[f.turn%len(f.middle)]
	player := storedPlayer(f.turn)
	return f.list(&gamev1.ListGamesRequest{PlayerId: player, PageToken: token, PageSize: 50})
}

func (f *filled) list(request *gamev1.ListGamesRequest) error {
	list, err := f.game.ListGames(f.as[0], request)
	if n := len(list.GetGames()); err == nil && n != int(request.GetPageSize()) {
		return fmt.Errorf("the list has %d games, want %d", n, request.GetPageSize())
	}
	return err
}
