//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid/v2"
	_ "modernc.org/sqlite" // the database of the product
)

// writer makes moves durable and does nothing else: for each move it inserts a row of the log and
// updates the row of a game. The rows, tables and indexes are those of the product, but the writer
// looks up, checks and encodes nothing.
type writer interface {
	// write makes the next move of a caller durable, and creates the game before its first move.
	write(ctx context.Context, caller int) error
}

// openWriter opens a writer that repeats the moves of a game in a database of the product. It
// writes beside that database, under a name of its own, and ends with the scope.
func (b *bench) openWriter(ctx context.Context, database, name, game string) writer {
	if isPostgres(database) {
		return b.openPostgresWriter(ctx, database, name, game)
	}
	return b.openSQLiteWriter(ctx, database, filepath.Join(filepath.Dir(database), name+".db"), game)
}

// moves makes the rows of further games from those of a game that the product wrote.
type moves struct {
	log    rows // of one game, from its first move
	game   rows // its one row
	games  []progress
	serial atomic.Int64
}

// progress is the state of a caller's game.
type progress struct {
	id     string
	player string
	next   int // index into the log
}

func newID() string { return strings.ToLower(ulid.Make().String()) }

// readMoves reads the rows that the product wrote for a game.
func readMoves(ctx context.Context, source *sql.DB, game string) *moves {
	m := &moves{games: make([]progress, callers)}
	//nolint:unqueryvet // All columns.
	const log = "SELECT * FROM events WHERE game_id = $1 AND version > 2 ORDER BY version"
	m.log = readRows(ctx, source, log, game)
	m.game = readRows(ctx, source, "SELECT * FROM games WHERE id = $1", game) //nolint:unqueryvet // As above.
	for i := range m.games {
		m.games[i].player = newID()
	}
	return m
}

// next returns the rows of a caller's next move. create is nil unless it is the first of a game.
func (m *moves) next(caller int) (create, event, update []any) {
	p := &m.games[caller]
	if p.next %= len(m.log.values); p.next == 0 {
		p.id = newID()
		create = m.gameRow(p, 0)
	}
	serial := m.serial.Add(1)
	event = m.log.row(p.next, map[string]any{
		"seq": serial, "game_id": p.id, "caller": p.player, "request_id": uuid.NewString(),
	})
	p.next++
	return create, event, append(m.gameRow(p, serial), p.id)
}

func (m *moves) gameRow(p *progress, serial int64) []any {
	return m.game.row(0, map[string]any{
		"id": p.id, "first_player": p.player, "second_player": p.player,
		"version": p.next + 2, "last_seq": serial,
	})
}

// statements returns the SQL for the rows of next. prefix stands before each table, and parameter
// returns the name of the i-th parameter.
func (m *moves) statements(prefix string, parameter func(i int) string) (create, insert, update string) {
	list := func(columns []string, item func(i int) string) string {
		var items []string
		for i := range columns {
			items = append(items, item(i+1))
		}
		return strings.Join(items, ", ")
	}
	create = fmt.Sprintf("INSERT INTO %sgames VALUES (%s)", prefix, list(m.game.columns, parameter))
	insert = fmt.Sprintf("INSERT INTO %sevents VALUES (%s)", prefix, list(m.log.columns, parameter))
	set := list(m.game.columns, func(i int) string {
		return m.game.columns[i-1] + " = " + parameter(i)
	})
	id := parameter(len(m.game.columns) + 1)
	return create, insert, fmt.Sprintf("UPDATE %sgames SET %s WHERE id = %s", prefix, set, id)
}

// sqliteWriter writes into an SQLite file, with group commits: a transaction contains all moves
// that wait for one.
type sqliteWriter struct {
	*moves
	queue                              chan *commit
	begin, end, create, insert, update *sql.Stmt
}

// commit is one move to write.
type commit struct {
	create, event, update []any
	done                  chan error
}

// sqliteOptions are the durability and the cache size of the product.
const sqliteOptions = "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-32768)"

// openSQLiteWriter opens a writer on a new file that repeats a game of the file played.
func (b *bench) openSQLiteWriter(ctx context.Context, played, file, game string) *sqliteWriter {
	source := must(sql.Open("sqlite", "file:"+played+"?mode=ro"))
	defer source.Close()
	db := must(sql.Open("sqlite", "file:"+file+sqliteOptions))
	b.cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	const schema = "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('games', 'events') AND sql <> ''"
	for _, row := range readRows(ctx, source, schema).values {
		must(db.ExecContext(ctx, row[0].(string)))
	}
	w := &sqliteWriter{moves: readMoves(ctx, source, game), queue: make(chan *commit, callers)}
	create, insert, update := w.statements("", func(int) string { return "?" })
	prepare := func(text string) *sql.Stmt { return must(db.PrepareContext(ctx, text)) }
	w.begin, w.end = prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
	w.create, w.insert, w.update = prepare(create), prepare(insert), prepare(update)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		w.run()
	}()
	b.cleanup(func() {
		close(w.queue)
		<-stopped
	})
	return w
}

func (w *sqliteWriter) write(_ context.Context, caller int) error {
	c := &commit{done: make(chan error, 1)}
	c.create, c.event, c.update = w.next(caller)
	w.queue <- c
	return <-c.done
}

func (w *sqliteWriter) run() {
	for first := range w.queue {
		group := []*commit{first}
		for len(w.queue) > 0 {
			group = append(group, <-w.queue)
		}
		err := w.transact(group)
		for _, c := range group {
			c.done <- err
		}
	}
}

func (w *sqliteWriter) transact(group []*commit) error {
	ctx := context.Background()
	_, err := w.begin.ExecContext(ctx)
	exec := func(statement *sql.Stmt, values []any) {
		if err == nil && values != nil {
			_, err = statement.ExecContext(ctx, values...)
		}
	}
	for _, c := range group {
		exec(w.create, c.create)
		exec(w.insert, c.event)
		exec(w.update, c.update)
	}
	if err == nil {
		_, err = w.end.ExecContext(ctx)
	}
	return err
}

// postgresWriter writes into PostgreSQL, one round trip for each move.
type postgresWriter struct {
	*moves
	pool                   *pgxpool.Pool
	create, insert, update string
}

// openPostgresWriter opens a writer on a new schema that repeats a game of the product in the same
// database.
func (b *bench) openPostgresWriter(
	ctx context.Context, address, schema, game string,
) *postgresWriter {
	db := must(sql.Open("pgx", address))
	defer db.Close()
	w := &postgresWriter{moves: readMoves(ctx, db, game)}
	must(db.ExecContext(ctx, "CREATE SCHEMA "+schema))
	must(db.ExecContext(ctx, "CREATE TABLE "+schema+".games (LIKE games INCLUDING ALL)"))
	must(db.ExecContext(ctx, "CREATE TABLE "+schema+".events (LIKE events INCLUDING ALL)"))
	w.create, w.insert, w.update = w.statements(schema+".", func(i int) string { return fmt.Sprintf("$%d", i) })
	config := must(pgxpool.ParseConfig(address))
	config.MaxConns = 16
	w.pool = must(pgxpool.NewWithConfig(ctx, config))
	b.cleanup(w.pool.Close)
	return w
}

// write sends the statements of a move as one batch, which is one transaction.
func (w *postgresWriter) write(ctx context.Context, caller int) error {
	create, event, update := w.next(caller)
	batch := &pgx.Batch{}
	if create != nil {
		batch.Queue(w.create, create...)
	}
	batch.Queue(w.insert, event...)
	batch.Queue(w.update, update...)
	return w.pool.SendBatch(ctx, batch).Close()
}

// rows is the result of a query.
type rows struct {
	columns []string
	values  [][]any
}

// readRows returns the result of a query, which must not be empty.
func readRows(ctx context.Context, db *sql.DB, text string, args ...any) rows {
	columns, next, closeRows := query(ctx, db, text, args...)
	defer closeRows()
	r := rows{columns: columns}
	for row := must(next()); row != nil; row = must(next()) {
		r.values = append(r.values, row)
	}
	if len(r.values) == 0 {
		check(fmt.Errorf("the product has no rows for %s %v", text, args))
	}
	return r
}

// query runs a query. next returns the values of the next row, in any type, and nil after the last
// one.
func query(
	ctx context.Context, db *sql.DB, text string, args ...any,
) (columns []string, next func() ([]any, error), closeRows func()) {
	found := must(db.QueryContext(ctx, text, args...)) //nolint:rowserrcheck // next checks it.
	columns = must(found.Columns())
	return columns, func() ([]any, error) {
		if !found.Next() {
			return nil, found.Err()
		}
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		return values, found.Scan(targets...)
	}, func() { _ = found.Close() }
}

// row returns a copy of row i with other values in some columns.
func (r rows) row(i int, changes map[string]any) []any {
	values := slices.Clone(r.values[i])
	for name, value := range changes {
		values[slices.Index(r.columns, name)] = value
	}
	return values
}
