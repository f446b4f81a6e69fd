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
	if file, ok := strings.CutPrefix(database, "sqlite:"); ok {
		return b.openSQLiteWriter(ctx, file, filepath.Join(filepath.Dir(file), name+".db"), game)
	}
	return b.openPostgresWriter(ctx, database, name, game)
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
	next    int            // index into the log
	columns map[string]any // that differ from those of the game of the log
}

func newID() string { return strings.ToLower(ulid.Make().String()) }

// readMoves reads the rows that the product wrote for a game.
func readMoves(ctx context.Context, source *sql.DB, game string) *moves {
	//nolint:unqueryvet // The rows are copied whole.
	const log = "SELECT * FROM events WHERE game_id = $1 AND version > 2 ORDER BY version"
	const last = "SELECT * FROM games WHERE id = $1" //nolint:unqueryvet // as above
	m := &moves{log: readRows(ctx, source, log, game), game: readRows(ctx, source, last, game)}
	for range callers {
		player := newID()
		m.games = append(m.games, progress{columns: map[string]any{
			"caller": player, "first_player": player, "second_player": player,
		}})
	}
	m.create = "INSERT INTO games VALUES " + m.game.parameters()
	m.insert = "INSERT INTO events VALUES " + m.log.parameters()
	m.update = "UPDATE games SET (" + strings.Join(m.game.columns, ", ") + ") = " +
		m.game.parameters() + " WHERE id = $1" // The first column.
	return m
}

// next returns the statements for a caller's next move.
func (m *moves) next(caller int) *pgx.Batch {
	p, move := &m.games[caller], &pgx.Batch{}
	if p.next %= len(m.log.values); p.next == 0 {
		id := newID()
		p.columns["id"], p.columns["game_id"] = id, id
		p.columns["version"], p.columns["last_change"] = 2, 0
		move.Queue(m.create, m.game.row(0, p.columns)...)
	}
	serial := m.serial.Add(1)
	p.columns["seq"], p.columns["last_change"] = serial, serial
	p.columns["request_id"], p.columns["version"] = uuid.NewString(), p.next+3
	move.Queue(m.insert, m.log.row(p.next, p.columns)...)
	move.Queue(m.update, m.game.row(0, p.columns)...)
	p.next++
	return move
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
	for c := range queue {
		statements := append([]*pgx.QueuedQuery{{SQL: "BEGIN IMMEDIATE"}}, c.move.QueuedQueries...)
		waiting := []chan error{c.done}
		for len(queue) > 0 {
			c = <-queue
			statements = append(statements, c.move.QueuedQueries...)
			waiting = append(waiting, c.done)
		}
		var err error
		for _, s := range append(statements, &pgx.QueuedQuery{SQL: "COMMIT"}) {
			if err == nil {
				_, err = prepared[s.SQL].ExecContext(ctx, s.Arguments...)
			}
		}
		for _, done := range waiting {
			done <- err
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

// parameters returns the placeholders of a row.
func (r rows) parameters() string {
	var names []string
	for i := range r.columns {
		names = append(names, fmt.Sprintf("$%d", i+1))
	}
	return "(" + strings.Join(names, ", ") + ")"
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
