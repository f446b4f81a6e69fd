//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

// withPostgres measures on a server of PostgreSQL of its own, whose data are in the system's folder for temporary files.
// Without PostgreSQL it measures nothing.
func withPostgres(ctx context.Context, measure func(*pgtest.Server) ([]row, error)) ([]row, error) {
	server, err := pgtest.NewServer(ctx, "shared_buffers=256MB", "max_wal_size=4GB")
	if errors.Is(err, pgtest.ErrNotInstalled) {
		fmt.Fprintln(os.Stderr, "left out:", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer server.Close()
	return measure(server)
}

// playOnPostgres compares moves that are durable in PostgreSQL with nothing but their rows written there, each move in
// a round trip of its own. Both are on one server.
func (b *bench) playOnPostgres(ctx context.Context) ([]row, error) {
	return withPostgres(ctx, func(server *pgtest.Server) ([]row, error) {
		return b.plays(ctx, server.URL("postgres"), "PostgreSQL", "the same insert and update alone through pgx in one round trip", nil)
	})
}

// roundTrips makes moves durable in PostgreSQL, each by itself: it inserts a row of the log and updates the row of a game, into
// tables like those of the product.
type roundTrips struct {
	moves
	pool                   *pgxpool.Pool
	create, insert, update string
}

func openRoundTrips(ctx context.Context, address, schema, game string) (*roundTrips, error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	r := &roundTrips{}
	if err := r.read(ctx, db, game); err != nil {
		return nil, err
	}
	for _, statement := range []string{
		"CREATE SCHEMA " + schema,
		"CREATE TABLE " + schema + ".games (LIKE games INCLUDING ALL)",
		"CREATE TABLE " + schema + ".events (LIKE events INCLUDING ALL)",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	r.create = "INSERT INTO " + schema + ".games VALUES (" + strings.Join(places(r.game.columns), ", ") + ")"
	r.insert = "INSERT INTO " + schema + ".events VALUES (" + strings.Join(places(r.log.columns), ", ") + ")"
	var set []string
	for i, place := range places(r.game.columns) {
		set = append(set, r.game.columns[i]+" = "+place)
	}
	r.update = fmt.Sprintf("UPDATE %s.games SET %s WHERE id = $%d", schema, strings.Join(set, ", "), len(set)+1)
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 16
	r.pool, err = pgxpool.NewWithConfig(ctx, config)
	return r, err
}

// places returns a parameter for each column.
func places(columns []string) []string {
	var all []string
	for i := range columns {
		all = append(all, fmt.Sprintf("$%d", i+1))
	}
	return all
}

func (r *roundTrips) close() { r.pool.Close() }

// write makes the next move of a caller durable. What is sent together is one transaction.
func (r *roundTrips) write(ctx context.Context, caller int) error {
	create, event, update := r.next(caller)
	batch := &pgx.Batch{}
	if create != nil {
		batch.Queue(r.create, create...)
	}
	batch.Queue(r.insert, event...)
	batch.Queue(r.update, update...)
	return r.pool.SendBatch(ctx, batch).Close()
}
