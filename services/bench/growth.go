//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// fewGames is how many games the small store has.
const fewGames = 1000

// growth compares reading from a store of many games with reading from one of few, in SQLite and in PostgreSQL.
func (b *bench) growth(ctx context.Context) ([]row, error) {
	few, err := b.fill(ctx, "few.db", fewGames)
	if err != nil {
		return nil, err
	}
	many, err := b.fill(ctx, "many.db", b.games)
	if err != nil {
		return nil, err
	}
	rows, err := b.grown(ctx, "SQLite", few, many)
	if err != nil {
		return nil, err
	}
	more, err := withPostgres(ctx, func(server *pgtest.Server) ([]row, error) {
		few, err := b.copied(ctx, few, server, "few")
		if err != nil {
			return nil, err
		}
		many, err := b.copied(ctx, many, server, "many")
		if err != nil {
			return nil, err
		}
		return b.grown(ctx, "PostgreSQL", few, many)
	})
	return append(rows, more...), err
}

// grown compares two stores of one kind.
func (b *bench) grown(ctx context.Context, kind string, small, large stored) ([]row, error) {
	few, err := b.startFilled(ctx, small)
	if err != nil {
		return nil, err
	}
	defer few.stop()
	many, err := b.startFilled(ctx, large)
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
			what:    fmt.Sprintf("%s, %s stored, %s, median time", read.what, count(float64(len(large.ids))), kind),
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

// startFilled starts the product on a store.
func (b *bench) startFilled(ctx context.Context, s stored) (*filled, error) {
	middle := len(s.ids) / 2
	f := &filled{middle: s.ids[middle : middle+20]}
	for _, i := range rand.Perm(len(s.ids))[:fewGames] { //nolint:gosec // Nobody is to be surprised.
		f.picked = append(f.picked, s.ids[i])
	}
	var err error
	f.product, err = b.startProduct(ctx, s.data)
	return f, err
}
