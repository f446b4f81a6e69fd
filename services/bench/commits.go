//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
	_ "modernc.org/sqlite" // the database of the product
)

// commits is a bare loop that makes moves durable in an SQLite file: for each it inserts a row of the log and updates
// the row of a game, as many to a transaction as wait for one. The rows are those of the product, and so are the tables with
// their indexes, but nothing is looked up, checked or encoded.
type commits struct {
	moves
	db    *sql.DB
	queue chan *commit
	done  chan struct{}

	begin, end, create, insert, update *sql.Stmt
}

// writer makes moves durable and does nothing else.
type writer interface {
	// write makes the next move of a caller durable.
	write(ctx context.Context, caller int) error
	close()
}

// openWriter opens a writer of moves like those of a game in a database of the product. It writes beside that, under a
// name.
func openWriter(ctx context.Context, database, name, game string) (writer, error) {
	if isPostgres(database) {
		return openRoundTrips(ctx, database, name, game)
	}
	return openCommits(ctx, database, filepath.Join(filepath.Dir(database), name+".db"), game)
}

// moves makes the rows of moves from those that the product wrote of a game.
type moves struct {
	log    rows // of one game, from its first move on
	game   rows // the one row of it
	games  []progress
	serial atomic.Int64
}

// progress is how far the game of a caller is.
type progress struct {
	id     string
	player string
	next   int
}

// commit is what to write of one move.
type commit struct {
	writes   []write
	err      error
	answered chan struct{}
}

type write struct {
	statement *sql.Stmt
	values    []any
}

// The same durability and memory as the product's.
const durable = "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-32768)"

// openCommits starts the loop on a file of its own, to write what the product has written of a game in its file.
func openCommits(ctx context.Context, played, file, game string) (*commits, error) {
	db, err := sql.Open("sqlite", "file:"+file+durable)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	c := &commits{db: db, queue: make(chan *commit, callers), done: make(chan struct{})}
	if err := errors.Join(c.read(ctx, played, game), c.prepare(ctx)); err != nil {
		_ = db.Close()
		return nil, err
	}
	go c.run()
	return c, nil
}

func newID() string { return strings.ToLower(ulid.Make().String()) }

// read makes the tables that the product has and reads the rows that it wrote of a game.
func (c *commits) read(ctx context.Context, played, game string) error {
	source, err := sql.Open("sqlite", "file:"+played+"?mode=ro")
	if err != nil {
		return err
	}
	defer source.Close()
	tables, err := readRows(ctx, source,
		`SELECT sql FROM sqlite_schema WHERE tbl_name IN ('games', 'events') AND sql <> '' AND '' = ?`, "")
	if err != nil {
		return err
	}
	for _, row := range tables.values {
		if _, err := c.db.ExecContext(ctx, row[0].(string)); err != nil {
			return err
		}
	}
	return c.moves.read(ctx, source, game)
}

// read reads the rows that the product wrote of a game.
func (m *moves) read(ctx context.Context, source *sql.DB, game string) (err error) {
	//nolint:unqueryvet // Whatever the columns are.
	const played = `SELECT * FROM events WHERE game_id = $1 AND version > 2 ORDER BY version`
	if m.log, err = readRows(ctx, source, played, game); err != nil {
		return err
	}
	m.game, err = readRows(ctx, source, `SELECT * FROM games WHERE id = $1`, game) //nolint:unqueryvet // Whatever they are.
	if err == nil && (len(m.log.values) == 0 || len(m.game.values) == 0) {
		err = errors.New("the product has written nothing of a game")
	}
	m.games = make([]progress, callers)
	for i := range m.games {
		m.games[i].player = newID()
	}
	return err
}

// next returns the rows of the next move of a caller; before the first one of a game, that of the game too, else nil.
func (m *moves) next(caller int) (create, event, update []any) {
	p := &m.games[caller]
	if p.next %= len(m.log.values); p.next == 0 {
		p.id = newID()
		create = m.gameRow(p, 0)
	}
	serial := m.serial.Add(1)
	event = m.log.row(p.next, map[string]any{"seq": serial, "game_id": p.id, "caller": p.player, "request_id": uuid.NewString()})
	p.next++
	return create, event, append(m.gameRow(p, serial), p.id)
}

func (m *moves) gameRow(p *progress, serial int64) []any {
	return m.game.row(0, map[string]any{
		"id": p.id, "first_player": p.player, "second_player": p.player, "version": p.next + 2, "last_seq": serial,
	})
}

func (c *commits) prepare(ctx context.Context) error {
	places := func(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }
	for _, s := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&c.begin, "BEGIN IMMEDIATE"},
		{&c.end, "COMMIT"},
		{&c.create, fmt.Sprintf("INSERT INTO games VALUES (%s)", places(len(c.game.columns)))},
		{&c.insert, fmt.Sprintf("INSERT INTO events VALUES (%s)", places(len(c.log.columns)))},
		{&c.update, fmt.Sprintf("UPDATE games SET %s = ? WHERE id = ?", strings.Join(c.game.columns, " = ?, "))},
	} {
		var err error
		if *s.statement, err = c.db.PrepareContext(ctx, s.text); err != nil {
			return err
		}
	}
	return nil
}

// close stops the loop. The file stays.
func (c *commits) close() {
	close(c.queue)
	<-c.done
	_ = c.db.Close()
}

// write makes the next move of a caller durable; before the first one of a game, the game too.
func (c *commits) write(_ context.Context, caller int) error {
	j := &commit{answered: make(chan struct{})}
	create, event, update := c.next(caller)
	if create != nil {
		j.writes = append(j.writes, write{c.create, create})
	}
	j.writes = append(j.writes, write{c.insert, event}, write{c.update, update})
	c.queue <- j
	<-j.answered
	return j.err
}

func (c *commits) run() {
	defer close(c.done)
	for first := range c.queue {
		jobs := []*commit{first}
		for len(c.queue) > 0 {
			jobs = append(jobs, <-c.queue)
		}
		err := c.transact(jobs)
		for _, j := range jobs {
			j.err = err
			close(j.answered)
		}
	}
}

func (c *commits) transact(jobs []*commit) error {
	ctx := context.Background()
	if _, err := c.begin.ExecContext(ctx); err != nil {
		return err
	}
	for _, j := range jobs {
		for _, w := range j.writes {
			if _, err := w.statement.ExecContext(ctx, w.values...); err != nil {
				return err
			}
		}
	}
	_, err := c.end.ExecContext(ctx)
	return err
}

// rows is what a query found.
type rows struct {
	columns []string
	values  [][]any
}

func readRows(ctx context.Context, db *sql.DB, text string, arg any) (rows, error) {
	found, err := db.QueryContext(ctx, text, arg)
	if err != nil {
		return rows{}, err
	}
	defer found.Close()
	var r rows
	if r.columns, err = found.Columns(); err != nil {
		return rows{}, err
	}
	for found.Next() {
		values, err := scanRow(found, len(r.columns))
		if err != nil {
			return rows{}, err
		}
		r.values = append(r.values, values)
	}
	return r, found.Err()
}

// scanRow returns the values of a row, whatever they are.
func scanRow(found *sql.Rows, columns int) ([]any, error) {
	values, places := make([]any, columns), make([]any, columns)
	for i := range values {
		places[i] = &values[i]
	}
	return values, found.Scan(places...)
}

// row returns a copy of a row in which some columns have other values.
func (r rows) row(i int, others map[string]any) []any {
	values := slices.Clone(r.values[i])
	for name, value := range others {
		values[slices.Index(r.columns, name)] = value
	}
	return values
}
