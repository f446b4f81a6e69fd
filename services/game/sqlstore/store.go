// Package sqlstore keeps games in an SQL database: a game.Store on SQLite, in one file, for one process. Statements are
// standard SQL; what is SQLite's own is in sqlite.go and in the migrations. It knows nothing of the rules but how to
// write positions down.
package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// Store is a game.Store in an SQLite file. What it returns is shared and must not be changed, nor must a change that was
// handed to Commit.
type Store struct {
	path string
	// files are what is to be closed at the end, in that order.
	files  []*sql.DB
	cache  *cache
	writer *writer
	// readers holds the connections that nobody reads on now.
	readers chan *conn
	closing chan struct{}
}

var _ game.Store = (*Store)(nil)

// Options sizes a store. Zero values stand for the defaults.
type Options struct {
	// Readers is how many queries run at a time; twice the processors by default.
	Readers int
	// CacheBytes is roughly how much memory holds games last used; 64 MiB by default.
	CacheBytes int
}

var errClosed = errors.New("the store is closed")

// Open opens the database in the file at path, which is created if there is none, and brings its schema up to date. It
// fails when another process has it open or a newer program made it. The caller must close the store.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	s := &Store{
		path:    path,
		cache:   newCache(cmp.Or(options.CacheBytes, 64<<20)),
		readers: make(chan *conn, cmp.Or(options.Readers, 2*runtime.GOMAXPROCS(0))),
		closing: make(chan struct{}),
	}
	if err := s.open(ctx, path); err != nil {
		return nil, errors.Join(err, s.closeReaders(len(s.readers)), s.closeFiles())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) error {
	lock, err := lockFile(ctx, path)
	if err != nil {
		return err
	}
	s.files = []*sql.DB{lock}
	write, err := s.openFile(path, writerPragmas, 1)
	if err != nil {
		return err
	}
	if err := migrate(ctx, write); err != nil {
		return err
	}
	read, err := s.openFile(path, readerPragmas, cap(s.readers))
	if err != nil {
		return err
	}
	for range cap(s.readers) {
		c, err := connect(ctx, read)
		if err != nil {
			return err
		}
		s.readers <- c
	}
	c, err := connect(ctx, write)
	if err != nil {
		return err
	}
	if s.writer, err = newWriter(c, s.cache); err != nil {
		return errors.Join(err, c.close())
	}
	return nil
}

// openFile opens a database that is closed with the store.
func (s *Store) openFile(path, pragmas string, connections int) (*sql.DB, error) {
	db, err := openFile(path, pragmas, connections)
	if err == nil {
		s.files = append(s.files, db)
	}
	return db, err
}

// Close commits what waits to be written, lets those who read finish, and closes the database. All later calls fail, but for
// Close, which does nothing.
func (s *Store) Close() error {
	if !s.writer.close() {
		return nil
	}
	close(s.closing)
	err := errors.Join(s.writer.conn.close(), s.closeReaders(cap(s.readers)), s.closeFiles())
	s.cache.close()
	return err
}

// closeReaders closes so many connections, each once it is free.
func (s *Store) closeReaders(n int) error {
	var errs []error
	for range n {
		c := <-s.readers
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// closeFiles closes the lock last.
func (s *Store) closeFiles() error {
	var errs []error
	for _, db := range slices.Backward(s.files) {
		errs = append(errs, failure(db.Close()))
	}
	return errors.Join(errs...)
}

// read lends a connection to do, once one is free.
func (s *Store) read(ctx context.Context, do func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c := <-s.readers:
		defer func() { s.readers <- c }()
		return do(c)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}

// Migrate brings the schema of the database at path up to date, and creates the file if there is none.
func Migrate(ctx context.Context, path string) error {
	return withFile(ctx, path, func(db *sql.DB) error { return migrate(ctx, db) })
}

// SchemaVersion returns the version of the schema of the database at path, 0 for a new one, and the one that this program
// works with.
func SchemaVersion(ctx context.Context, path string) (current, latest int64, err error) {
	err = withFile(ctx, path, func(db *sql.DB) error {
		current, latest, err = schemaVersions(ctx, db)
		return err
	})
	return current, latest, err
}

// withFile calls do with a database that nobody else has open.
func withFile(ctx context.Context, path string, do func(*sql.DB) error) error {
	lock, err := lockFile(ctx, path)
	if err != nil {
		return err
	}
	defer lock.Close()
	db, err := openFile(path, writerPragmas, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db)
}

// Ping implements game.Store. A store that can be read but not written cannot be used, so the writer is asked too.
func (s *Store) Ping(ctx context.Context) error {
	if _, err := s.Cursor(ctx); err != nil {
		return err
	}
	return s.writer.do(ctx, &job{write: func(*batch) error { return nil }})
}

// Game implements game.Store.
func (s *Store) Game(ctx context.Context, id string) (game.Game, error) {
	if g, ok := s.cache.game(id); ok {
		return g, ctx.Err()
	}
	var g game.Game
	err := s.read(ctx, func(c *conn) error {
		read := s.cache.stamp()
		var r row
		var first string
		if err := c.row(append(r.fields(), &first), selectGame, id); err != nil {
			return err
		}
		o, err := decodeOrigin(first)
		if err != nil {
			return failure(err)
		}
		g, err = r.decode(o)
		if err != nil {
			return failure(err)
		}
		s.cache.fill(g, read)
		return nil
	})
	return g, err
}

// Events implements game.Store.
func (s *Store) Events(ctx context.Context, id string, after, limit int) (events []game.Event, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.rows(func(scan func(...any) error) error {
			var r eventRow
			if err := scan(&r.version, &r.time, &r.data); err != nil {
				return err
			}
			e, err := r.decode(id)
			events = append(events, e)
			return err
		}, selectEvents, id, after, limit)
	})
	return events, err
}

// Games implements game.Store.
func (s *Store) Games(ctx context.Context, f game.Filter) ([]game.Game, error) {
	text, args := selectGames(f)
	found, err := s.list(ctx, nil, text, args...)
	slices.SortFunc(found, func(a, b game.Game) int { return strings.Compare(b.ID, a.ID) })
	return found, err
}

// Turns implements game.Store.
func (s *Store) Turns(ctx context.Context, player string, after int64, limit int) ([]game.ChangedGame, error) {
	var cursors column
	found, err := s.list(ctx, []any{&cursors}, selectTurns, player, after, limit)
	if err != nil {
		return nil, err
	}
	changed := make([]game.ChangedGame, len(found))
	for i, g := range found {
		changed[i] = game.ChangedGame{Game: g, Cursor: cursors[i]}
	}
	return changed, nil
}

// column keeps the numbers of a column, row by row.
type column []int64

// Scan implements sql.Scanner.
func (c *column) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("%v is no number", value)
	}
	*c = append(*c, n)
	return nil
}

// list returns the games of a query whose columns are gameColumns and, in front of them, those scanned to first.
func (s *Store) list(ctx context.Context, first []any, text string, args ...any) (found []game.Game, err error) {
	err = s.read(ctx, func(c *conn) error {
		read := s.cache.stamp()
		rows, err := c.gameRows(first, text, args...)
		if err != nil {
			return err
		}
		found = make([]game.Game, len(rows))
		for i, r := range rows {
			if found[i], err = s.listed(c, r, read); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

func (c *conn) gameRows(first []any, text string, args ...any) (rows []row, err error) {
	err = c.rows(func(scan func(...any) error) error {
		var r row
		err := scan(append(slices.Clip(first), r.fields()...)...)
		rows = append(rows, r)
		return err
	}, text, args...)
	return rows, err
}

// listed returns the game of a row that was read after the stamp. What the row does not have is in the cache or read now.
func (s *Store) listed(c *conn, r row, read stamp) (game.Game, error) {
	cached, ok := s.cache.game(r.id)
	if ok && cached.Version == r.version {
		return cached, nil
	}
	o := origin{cached.Setup, cached.TimeControl}
	if !ok {
		var first string
		if err := c.row([]any{&first}, selectFirstEvent, r.firstSeq); err != nil {
			return game.Game{}, err
		}
		var err error
		if o, err = decodeOrigin(first); err != nil {
			return game.Game{}, failure(err)
		}
	}
	g, err := r.decode(o)
	if err != nil {
		return game.Game{}, failure(err)
	}
	s.cache.fill(g, read)
	return g, nil
}

// Request implements game.Store.
func (s *Store) Request(ctx context.Context, caller, id string) (r game.Request, err error) {
	err = s.read(ctx, func(c *conn) error {
		r, err = c.request(caller, id)
		return err
	})
	return r, err
}

func (c *conn) request(caller, id string) (game.Request, error) {
	r := game.Request{Caller: caller, ID: id}
	var fingerprint []byte
	if err := c.row([]any{&fingerprint, &r.GameID, &r.First, &r.Last}, selectRequest, caller, id); err != nil {
		return game.Request{}, err
	}
	copy(r.Fingerprint[:], fingerprint)
	return r, nil
}

// Cursor implements game.Store.
func (s *Store) Cursor(ctx context.Context) (cursor int64, err error) {
	err = s.read(ctx, func(c *conn) error { return c.row([]any{&cursor}, selectLastSeq) })
	return cursor, err
}

// DueRobots implements game.Store.
func (s *Store) DueRobots(ctx context.Context, now time.Time, limit int) ([]string, error) {
	return s.ids(ctx, selectDueRobots, nanoseconds(now), limit)
}

// DueClocks implements game.Store.
func (s *Store) DueClocks(ctx context.Context, before, now time.Time, limit int) ([]string, error) {
	return s.ids(ctx, selectDueClocks, nanoseconds(before), nanoseconds(now), limit)
}

// ids returns the only column of a query.
func (s *Store) ids(ctx context.Context, text string, args ...any) (ids []string, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.rows(func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			ids = append(ids, id)
			return err
		}, text, args...)
	})
	return ids, err
}

// Stats implements game.Store.
func (s *Store) Stats(ctx context.Context) (game.Stats, error) {
	stats := game.Stats{Games: map[game.State]int{}}
	err := s.read(ctx, func(c *conn) error {
		err := c.rows(func(scan func(...any) error) error {
			var state game.State
			var games int
			err := scan(&state, &games)
			stats.Games[state] = games
			return err
		}, selectCounters)
		if err != nil {
			return err
		}
		var since int64
		err = c.row([]any{&since}, selectOldestRobotTurn)
		stats.OldestRobotTurn = timeOf(since)
		if errors.Is(err, game.ErrNotFound) {
			return nil
		}
		return err
	})
	return stats, err
}
