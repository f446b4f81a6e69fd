//go:build linux

package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the database of the product
)

// commits is a bare loop that makes moves durable in an SQLite file: for each it inserts an event and updates a game,
// of the bytes that the product writes, as many to a transaction as wait for one. It checks nothing, and keeps no
// index but the keys.
type commits struct {
	db     *sql.DB
	conn   *sql.Conn
	queue  chan *commit
	done   chan struct{}
	script []ply
	// games are the games of the callers, and how far they are.
	games []progress
}

type progress struct {
	game int64
	next int
}

type commit struct {
	progress
	ply
	err      error
	answered chan struct{}
}

// The same durability as the product's.
const barePragmas = "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(1000)"

const bareTables = `
CREATE TABLE games (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, position TEXT NOT NULL, updated INTEGER NOT NULL);
CREATE TABLE events (game_id INTEGER NOT NULL, version INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (game_id, version));`

// openCommits opens a file and starts the loop. script is what the moves of a game write.
func (b *bench) openCommits(ctx context.Context, script []ply) (*commits, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.dir, "bare.db")+barePragmas)
	if err != nil {
		return nil, err
	}
	c := &commits{
		db: db, queue: make(chan *commit, callers), done: make(chan struct{}), script: script,
		games: make([]progress, callers),
	}
	if c.conn, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	if _, err := c.conn.ExecContext(ctx, bareTables); err != nil {
		return nil, err
	}
	var statements [5]*sql.Stmt
	for i, text := range []string{
		`BEGIN IMMEDIATE`, `COMMIT`,
		`INSERT INTO games (id, version, position, updated) VALUES ($1, $2, $3, $4)`,
		`UPDATE games SET version = $2, position = $3, updated = $4 WHERE id = $1`,
		`INSERT INTO events (game_id, version, data) VALUES ($1, $2, $3)`,
	} {
		if statements[i], err = c.conn.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
	}
	go c.run(statements)
	return c, nil
}

// close stops the loop. The file stays.
func (c *commits) close() {
	close(c.queue)
	<-c.done
	_ = c.conn.Close()
	_ = c.db.Close()
}

// commit makes the next move of a caller durable.
func (c *commits) commit(caller int) error {
	p := &c.games[caller]
	if p.next %= len(c.script); p.next == 0 {
		p.game = time.Now().UnixNano()<<8 + int64(caller)
	}
	j := &commit{progress: *p, ply: c.script[p.next], answered: make(chan struct{})}
	c.queue <- j
	<-j.answered
	p.next++
	return j.err
}

func (c *commits) run(statements [5]*sql.Stmt) {
	defer close(c.done)
	for first := range c.queue {
		jobs := []*commit{first}
		for len(c.queue) > 0 {
			jobs = append(jobs, <-c.queue)
		}
		err := transact(statements, jobs)
		for _, j := range jobs {
			j.err = err
			close(j.answered)
		}
	}
}

func transact(statements [5]*sql.Stmt, jobs []*commit) error {
	ctx := context.Background()
	begin, end, insertGame, updateGame, insertEvent := statements[0], statements[1], statements[2], statements[3], statements[4]
	if _, err := begin.ExecContext(ctx); err != nil {
		return err
	}
	for _, j := range jobs {
		put := updateGame
		if j.next == 0 {
			put = insertGame
		}
		if _, err := put.ExecContext(ctx, j.game, j.next, j.position, j.game); err != nil {
			return err
		}
		if _, err := insertEvent.ExecContext(ctx, j.game, j.next, j.event); err != nil {
			return err
		}
	}
	_, err := end.ExecContext(ctx)
	return err
}
