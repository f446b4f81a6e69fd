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

// stored compares reads from a store of many games with reads from one of few, in SQLite and in
// PostgreSQL.
func (b *bench) stored(ctx context.Context) []string {
	few := b.startFilled(ctx, b.sqlite(), fewGames)
	many := b.startFilled(ctx, b.sqlite(), b.games)
	lines := b.reads("SQLite", few, many)
	if server := b.startPostgres(ctx); server != nil {
		db := must(pgx.Connect(ctx, server.URL("postgres")))
		defer db.Close(ctx)
		must(db.Exec(ctx, "CREATE DATABASE few"))
		must(db.Exec(ctx, "CREATE DATABASE many"))
		few = b.startFilled(ctx, server.URL("few"), fewGames)
		many = b.startFilled(ctx, server.URL("many"), b.games)
		must(db.Exec(ctx, "CHECKPOINT")) // The server would do this in the middle of a round.
		lines = append(lines, b.reads("PostgreSQL", few, many)...)
	}
	return lines
}

// fill creates games in a database, without a server. Many goroutines share each commit. It returns
// the ids of the games, the oldest first.
func fill(ctx context.Context, data string, games int) (ids []string) {
	start := time.Now()
	db := must(sqlstore.Open(ctx, data, sqlstore.Options{Migrate: true}))
	defer db.Close()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(128)
	for i := range games {
		id := newID()
		ids = append(ids, id)
		group.Go(func() error {
			d := storedGame(id, i)
			return db.Commit(ctx, game.Change{Game: d.Game, Events: d.Events})
		})
	}
	check(group.Wait())
	fmt.Fprintf(os.Stderr, "stored %s games in %.0f s\n",
		count(float64(games)), time.Since(start).Seconds())
	return ids
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
func (b *bench) reads(kind string, few, many *filled) []string {
	// calls is the number of calls in a round; with 0 they last a round.
	compared := func(what string, calls int, read func(*filled) error) row {
		return row{
			what: fmt.Sprintf("%s, %s stored, %s, median time",
				what, count(float64(b.games)), kind),
			ceiling: fmt.Sprintf("%s stored", count(fewGames)), unit: microseconds, reach: 1.5,
			figure: b.latency(calls, func(int) error { return read(many) }),
			limit:  b.latency(calls, func(int) error { return read(few) }),
		}
	}
	once := fewGames / (b.rounds + 1) // reads of each round, so that each is the first of its game
	return b.compare(
		compared("GetGame of games not looked at before", once, (*filled).getNext),
		compared("GetGame of the same 1,000 games", 0, (*filled).getNext),
		compared("ListGames, the newest 100", 0, (*filled).listNewest),
		compared("ListGames, 50 from the middle of a player's", 0, (*filled).listMiddle))
}

// filled is the product on a store filled with games.
type filled struct {
	*product
	picked []string // games in random order
	middle []string // consecutive games
	turn   int
}

// startFilled fills a database with games and starts the product on it.
func (b *bench) startFilled(ctx context.Context, data string, games int) *filled {
	ids := fill(ctx, data, games)
	f := &filled{product: b.startProduct(ctx, data), middle: ids[games/2:][:20]}
	for _, i := range rand.Perm(games)[:fewGames] { //nolint:gosec // Not a secret.
		f.picked = append(f.picked, ids[i])
	}
	return f
}

func (f *filled) getNext() error {
	f.turn++
	request := &gamev1.GetGameRequest{GameId: f.picked[f.turn%len(f.picked)]}
	_, err := f.game.GetGame(f.players[0].ctx, request)
	return err
}

func (f *filled) listNewest() error { return f.list(&gamev1.ListGamesRequest{PageSize: 100}) }

func (f *filled) listMiddle() error {
	f.turn++
	request := &gamev1.ListGamesRequest{PlayerId: storedPlayer(f.turn), PageSize: 50}
	request.PageToken = must(wire.ReadPage(request, 0)).Token(f.middle[f.turn%len(f.middle)])
	return f.list(request)
}

func (f *filled) list(request *gamev1.ListGamesRequest) error {
	list, err := f.game.ListGames(f.players[0].ctx, request)
	if n := len(list.GetGames()); err == nil && n != int(request.GetPageSize()) {
		return fmt.Errorf("the list has %d games, want %d", n, request.GetPageSize())
	}
	return err
}
