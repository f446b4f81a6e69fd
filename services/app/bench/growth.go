//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
)

// fewGames is how many games the small store has.
const fewGames = 1000

// growth compares reading from a store of many games with reading from one of few.
func (b *bench) growth(ctx context.Context) ([]row, error) {
	few, err := b.startFilled(ctx, fewGames)
	if err != nil {
		return nil, err
	}
	defer few.stop()
	many, err := b.startFilled(ctx, b.games)
	if err != nil {
		return nil, err
	}
	defer many.stop()
	var rows []row
	for _, read := range []struct {
		what string
		call func(*filled, context.Context) error
		once int // how many games there are to look at for the first time, 0 for any number of times
	}{
		{"GetGame of games not looked at before", (*filled).getNext, fewGames},
		{"GetGame of the same 1,000 games", (*filled).getNext, 0},
		{"ListGames, the newest 100", (*filled).listNewest, 0},
		{"ListGames, 50 from the middle of a player's", (*filled).listMiddle, 0},
	} {
		times := func(store *filled) meter {
			return func(ctx context.Context) (sample, error) {
				as := store.as(ctx, 0)
				return b.latency(ctx, read.once/(b.rounds+1), func(context.Context) error { return read.call(store, as) })
			}
		}
		c, err := b.compare(ctx, times(many), times(few))
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			what:    fmt.Sprintf("%s, %s stored, median time", read.what, count(float64(b.games))),
			ceiling: fmt.Sprintf("%s stored", count(fewGames)), figures: c, unit: microseconds, reach: atMost(1.5),
		})
	}
	return rows, nil
}

// filled is the product on a store of many games.
type filled struct {
	*product
	picked []string // games in no order
	middle []string // games next to each other
	turn   int
}

func (f *filled) getNext(as context.Context) error {
	f.turn++
	_, err := f.game.GetGame(as, &gamev1.GetGameRequest{GameId: f.picked[f.turn%len(f.picked)]})
	return err
}

func (f *filled) listNewest(as context.Context) error {
	return f.list(as, &gamev1.ListGamesRequest{PageSize: 100})
}

func (f *filled) listMiddle(as context.Context) error {
	f.turn++
	return f.list(as, &gamev1.ListGamesRequest{
		PlayerId: seatedPlayer(f.turn % seatedPlayers), PageToken: f.middle[f.turn%len(f.middle)], PageSize: 50,
	})
}

func (f *filled) list(as context.Context, request *gamev1.ListGamesRequest) error {
	list, err := f.game.ListGames(as, request)
	if n := len(list.GetGames()); err == nil && n != int(request.GetPageSize()) {
		return fmt.Errorf("a list has %d games, not %d", n, request.GetPageSize())
	}
	return err
}

// startFilled starts the product on a new store of so many games.
func (b *bench) startFilled(ctx context.Context, games int) (*filled, error) {
	data := fmt.Sprintf("filled-%d.db", games)
	ids, err := fill(ctx, filepath.Join(b.dir, data), games)
	if err != nil {
		return nil, err
	}
	f := &filled{middle: slices.Clone(ids[games/2 : games/2+20])}
	for _, i := range rand.Perm(games)[:fewGames] { //nolint:gosec // Nobody is to be surprised.
		f.picked = append(f.picked, ids[i])
	}
	f.product, err = b.startProduct(ctx, data)
	return f, err
}

// fill creates games in a store, without a server in between, and returns their ids. Many wait at once, so that many
// share a commit.
func fill(ctx context.Context, path string, games int) ([]string, error) {
	const atOnce = 128
	store, err := sqlstore.Open(ctx, path, sqlstore.Options{})
	if err != nil {
		return nil, err
	}
	defer store.Close()
	ids := make([]string, games)
	for i := range ids {
		ids[i] = newID()
	}
	start := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for worker := range atOnce {
		group.Go(func() error {
			for i := worker; i < games; i += atOnce {
				d := someGame(ids[i], i)
				if err := store.Commit(ctx, game.Change{Game: d.Game, Events: d.Events}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = group.Wait()
	fmt.Fprintf(os.Stderr, "stored %s games in %.0f s\n", count(float64(games)), time.Since(start).Seconds())
	return ids, err
}

// seatedPlayers is how many players share the games of a store.
const seatedPlayers = 8

func seatedPlayer(i int) string { return fmt.Sprintf("player-%d", i) }

// someGame is a game between two of the players; one in four waits for its second.
func someGame(id string, i int) game.Decision {
	first, second := seatedPlayer(i%seatedPlayers), seatedPlayer((i/seatedPlayers+1)%seatedPlayers)
	seats := game.Seats{{Player: first, Name: first}, {Player: second, Name: second}}
	if i%4 == 3 {
		seats[1] = game.Seat{}
	}
	return newGame(id, seats, time.Now())
}
