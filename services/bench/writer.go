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

// openWriter returns a call that makes the next move of a caller durable and does nothing else: it
// inserts a row of the log and updates the row of a game, which it creates before its first move.
// The rows, tables and indexes are those of the product, but the writer looks up, checks and
// encodes nothing. It repeats the moves of a game in a database of the product and writes beside
// that database, under a name of its own. It ends with the scope.
func (b *bench) openWriter(ctx context.Context, database, name, game string) call {
	if isPostgres(database) {
		return b.openPostgresWriter(ctx, database, name, game)
	}
	return b.openSQLiteWriter(ctx, database, filepath.Join(filepath.Dir(database), name+".db"), game)
}

// moves makes the statements of further games from the rows of a game that the product wrote.
type moves struct {
	log                    rows // of one game, from its first move
	game                   rows // its one row
	games                  []progress
	serial                 atomic.Int64
	create, insert, update string // SQL
}

// progress is the state of a caller's game.
type progress struct {
	id, player string
	next       int // index into the log
}

func newID() string { return strings.ToLower(ulid.Make().String()) }

// readMoves reads the rows that the product wrote for a game.
func readMoves(ctx context.Context, source *sql.DB, game string) *moves {
	//nolint:unqueryvet // The rows are copied whole.
	const log = "SELECT * FROM events WHERE game_id = $1 AND version > 2 ORDER BY version"
	const last = "SELECT * FROM games WHERE id = $1" //nolint:unqueryvet // as above
	m := &moves{log: readRows(ctx, source, log, game), game: readRows(ctx, source, last, game)}
	for range callers {
		m.games = append(m.games, progress{player: newID()})
	}
	var parameters []string
	for i := range m.game.columns {
		parameters = append(parameters, fmt.Sprintf("$%d", i+1))
	}
	values := " (" + strings.Join(parameters, ", ") + ")"
	m.create = "INSERT INTO games VALUES" + values
	m.update = "UPDATE games SET (" + strings.Join(m.game.columns, ", ") + ") =" + values +
		" WHERE id = $1" // The first column.
	parameters = parameters[:len(m.log.columns)]
	m.insert = "INSERT INTO events VALUES (" + strings.Join(parameters, ", ") + ")"
	return m
}

// next returns the statements for a caller's next move.
func (m *moves) next(caller int) *pgx.Batch {
	p, move := &m.games[caller], &pgx.Batch{}
	if p.next %= len(m.log.values); p.next == 0 {
		p.id = newID()
		move.Queue(m.create, m.gameRow(p, 0)...)
	}
	serial := m.serial.Add(1)
	move.Queue(m.insert, m.log.row(p.next, map[string]any{
		"seq": serial, "game_id": p.id, "caller": p.player, "request_id": uuid.NewString(),
	})...)
	p.next++
	move.Queue(m.update, m.gameRow(p, serial)...)
	return move
}

func (m *moves) gameRow(p *progress, serial int64) []any {
	return m.game.row(0, map[string]any{
		"id": p.id, "first_player": p.player, "second_player": p.player,
		"version": p.next + 2, "last_change": serial,
	})
}

// commit is one move to write to SQLite.
type commit struct {
	move *pgx.Batch
	done chan error
}

// openSQLiteWriter opens a writer on a new file that repeats a game of the file played. It has the
// durability and the cache size of the product. It makes group commits: a transaction contains all
// moves that wait for one.
func (b *bench) openSQLiteWriter(ctx context.Context, played, file, game string) call {
	source := must(sql.Open("sqlite", "file:"+played+"?mode=ro"))
	defer source.Close()
	db := must(sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(FULL)&_pragma=cache_size(-32768)"))
	b.cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	const schema = "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('games', 'events') AND sql <> ''"
	for _, row := range readRows(ctx, source, schema).values {
		must(db.ExecContext(ctx, row[0].(string)))
	}
	m := readMoves(ctx, source, game)
	prepared := map[string]*sql.Stmt{}
	for _, text := range []string{"BEGIN IMMEDIATE", m.create, m.insert, m.update, "COMMIT"} {
		prepared[text] = must(db.PrepareContext(ctx, text))
	}
	queue := make(chan commit, callers)
	b.cleanup(func() { close(queue) })
	go commitGroups(context.WithoutCancel(ctx), prepared, queue)
	return func(caller int) error {
		c := commit{m.next(caller), make(chan error, 1)}
		queue <- c
		return <-c.done
	}
}

// commitGroups writes the moves of a queue until it is closed. The queue is empty then, because no
// call is in flight.
func commitGroups(ctx context.Context, prepared map[string]*sql.Stmt, queue chan commit) {
	for first := range queue {
		group := []commit{first}
		for len(queue) > 0 {
			group = append(group, <-queue)
		}
		var err error
		execute := func(text string, values ...any) {
			if err == nil {
				_, err = prepared[text].ExecContext(ctx, values...)
			}
		}
		execute("BEGIN IMMEDIATE")
		for _, c := range group {
			for _, s := range c.move.QueuedQueries {
				execute(s.SQL, s.Arguments...)
			}
		}
		execute("COMMIT")
		for _, c := range group {
			c.done <- err
		}
	}
}

// openPostgresWriter opens a writer on a new schema that repeats a game of the product in the same
// database. It sends the statements of a move as one batch, which is one transaction.
func (b *bench) openPostgresWriter(ctx context.Context, address, schema, game string) call {
	db := must(sql.Open("pgx", address))
	defer db.Close()
	must(db.ExecContext(ctx, "CREATE SCHEMA "+schema+
		" CREATE TABLE games (LIKE public.games INCLUDING ALL)"+
		" CREATE TABLE events (LIKE public.events INCLUDING ALL)"))
	m := readMoves(ctx, db, game)
	pool := must(pgxpool.New(ctx, address+"&pool_max_conns=16&search_path="+schema))
	b.cleanup(pool.Close)
	return func(caller int) error { return pool.SendBatch(ctx, m.next(caller)).Close() }
}

// rows is the result of a query.
type rows struct {
	columns []string
	values  [][]any
}

// readRows returns the result of a query, which must not be empty.
func readRows(ctx context.Context, db *sql.DB, text string, args ...any) rows {
	found := must(db.QueryContext(ctx, text, args...))
	defer found.Close()
	r := rows{columns: must(found.Columns())}
	for found.Next() {
		values, targets := make([]any, len(r.columns)), make([]any, len(r.columns))
		for i := range values {
			targets[i] = &values[i]
		}
		check(found.Scan(targets...))
		r.values = append(r.values, values)
	}
	if check(found.Err()); len(r.values) == 0 {
		check(fmt.Errorf("the product has no rows for %s %v", text, args))
	}
	return r
}

// row returns a copy of row i with other values in some columns. It leaves out changes of columns
// that the table lacks: only SQLite numbers events.
func (r rows) row(i int, changes map[string]any) []any {
	values := slices.Clone(r.values[i])
	for column, name := range r.columns {
		if value, ok := changes[name]; ok {
			values[column] = value
		}
	}
	return values
}
