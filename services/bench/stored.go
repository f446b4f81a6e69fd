//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/wire"
)

// fewGames is the number of games in the small store, storedPlayers that of the players who share
// the games of a store.
const fewGames, storedPlayers = 1000, 8

func storedPlayer(i int) string { return fmt.Sprintf("player-%d", i%storedPlayers) }

// store is a store filled with games.
type store struct {
	data string   // an SQLite file or a URL of PostgreSQL
	ids  []string // of the games, the oldest first
}

// stored compares reads from a store of many games with reads from one of few, in SQLite and in
// PostgreSQL.
func (b *bench) stored(ctx context.Context) []string {
	few, many := b.fill(ctx, b.file("few.db"), fewGames), b.fill(ctx, b.file("many.db"), b.games)
	lines := b.reads(ctx, "SQLite", few, many)
	if server := b.startPostgres(ctx); server != nil {
		db := must(pgx.Connect(ctx, server.URL("postgres")))
		defer db.Close(ctx)
		must(db.Exec(ctx, "CREATE DATABASE few"))
		must(db.Exec(ctx, "CREATE DATABASE many"))
		few, many = b.fill(ctx, server.URL("few"), fewGames), b.fill(ctx, server.URL("many"), b.games)
		must(db.Exec(ctx, "CHECKPOINT")) // The server would do this in the middle of a round.
		lines = append(lines, b.reads(ctx, "PostgreSQL", few, many)...)
	}
	return lines
}

// fill creates games in a database, without a server. Many goroutines share each commit.
func (b *bench) fill(ctx context.Context, data string, games int) store {
	const goroutines = 128
	start, s := time.Now(), store{data: data}
	for range games {
		s.ids = append(s.ids, newID())
	}
	db := must(sqlstore.Open(ctx, data, sqlstore.Options{Migrate: true}))
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

// storedGame creates the i-th game, between two of the players. Every fourth game waits for its
// second player.
func storedGame(id string, i int) game.Decision {
	first, second := storedPlayer(i), storedPlayer(i/storedPlayers+1)
	seats := game.Seats{{Player: first, Name: first}, {Player: second, Name: second}}
	if i%4 == 3 {
		seats[1] = game.Seat{}
	}
	return must(game.Create(id, game.Created{
		Visibility: game.Public, Setup: square8, Seats: seats,
	}, time.Now()))
}

// reads compares two stores of one kind.
func (b *bench) reads(ctx context.Context, kind string, small, large store) []string {
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
				func(int) error { return read.call(f) })
		}
		rows = append(rows, row{
			what: fmt.Sprintf("%s, %s stored, %s, median time",
				read.what, count(float64(len(large.ids))), kind),
			ceiling: fmt.Sprintf("%s stored", count(fewGames)), unit: microseconds, reach: 1.5,
			figure: times(many), limit: times(few),
		})
	}
	return b.compare(rows...)
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
	request := &gamev1.ListGamesRequest{PlayerId: storedPlayer(f.turn), PageSize: 50}
	request.PageToken = must(wire.ReadPage(request)).Token(f.middle[f.turn%len(f.middle)])
	return f.list(request)
}

func (f *filled) list(request *gamev1.ListGamesRequest) error {
	list, err := f.game.ListGames(f.as[0], request)
	if n := len(list.GetGames()); err == nil && n != int(request.GetPageSize()) {
		return fmt.Errorf("the list has %d games, want %d", n, request.GetPageSize())
	}
	return err
}
