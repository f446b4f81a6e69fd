//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// stored is a store that was filled with games.
type stored struct {
	data string   // a file, or a URL of PostgreSQL
	ids  []string // of the games, the oldest first
}

// fill creates games in an SQLite file, without a server in between. Many wait at once, so that many share a commit.
func (b *bench) fill(ctx context.Context, data string, games int) (stored, error) {
	const atOnce = 128
	store, err := sqlstore.Open(ctx, filepath.Join(b.dir, data), sqlstore.Options{})
	if err != nil {
		return stored{}, err
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
	tellStored("SQLite", games, start)
	return stored{data, ids}, err
}

func tellStored(kind string, games int, start time.Time) {
	fmt.Fprintf(os.Stderr, "stored %s games in %s in %.0f s\n", count(float64(games)), kind, time.Since(start).Seconds())
}

// copied copies the games of an SQLite file into a new database, table by table, which is much faster than to create them
// there. Nobody else may write the file.
func (b *bench) copied(ctx context.Context, s stored, server *pgtest.Server, name string) (stored, error) {
	start := time.Now()
	target, err := createDatabase(ctx, server, name)
	if err != nil {
		return stored{}, err
	}
	defer target.Close(ctx)
	source, err := sql.Open("sqlite", "file:"+filepath.Join(b.dir, s.data)+"?mode=ro")
	if err != nil {
		return stored{}, err
	}
	defer source.Close()
	for _, table := range []string{"games", "events", "listings", "counters"} {
		if err := copyTable(ctx, source, target, table); err != nil {
			return stored{}, fmt.Errorf("copy %s: %w", table, err)
		}
	}
	// What the server does sooner or later by itself is not to be in the middle of a round.
	for _, statement := range []string{"VACUUM ANALYZE", "CHECKPOINT"} {
		if _, err := target.Exec(ctx, statement); err != nil {
			return stored{}, err
		}
	}
	tellStored("PostgreSQL", len(s.ids), start)
	return stored{server.URL(name), s.ids}, nil
}

// createDatabase makes a database with the tables of the product, all of them empty.
func createDatabase(ctx context.Context, server *pgtest.Server, name string) (*pgx.Conn, error) {
	maintenance, err := pgx.Connect(ctx, server.URL("postgres"))
	if err != nil {
		return nil, err
	}
	defer maintenance.Close(ctx)
	if _, err := maintenance.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return nil, err
	}
	store, err := sqlstore.Open(ctx, server.URL(name), sqlstore.Options{Migrate: true})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return pgx.Connect(ctx, server.URL(name))
}

// copyTable puts the rows of a table into the place of those that the other one of its name has.
func copyTable(ctx context.Context, source *sql.DB, target *pgx.Conn, table string) error {
	if _, err := target.Exec(ctx, "TRUNCATE "+table); err != nil {
		return err
	}
	found, err := source.QueryContext(ctx, "SELECT * FROM "+table) //nolint:unqueryvet,gosec // Whatever the columns of ours are.
	if err != nil {
		return err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	_, err = target.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		if !found.Next() {
			return nil, found.Err()
		}
		return scanRow(found, len(columns))
	}))
	return err
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
