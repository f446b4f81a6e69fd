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
	"github.com/flipside-games/flipside/services/internal/rules/games"
)

// Store is a game.Store in an SQLite file. What it returns is shared and must not be changed, nor must a change that was
// handed to Commit.
type Store struct {
	lock    *sql.DB
	write   *sql.DB
	readers *sql.DB
	read    statements
	cache   *cache
	writer  *writer
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
	s := &Store{cache: newCache(cmp.Or(options.CacheBytes, 64<<20))}
	if err := s.open(ctx, path, cmp.Or(options.Readers, 2*runtime.GOMAXPROCS(0))); err != nil {
		return nil, errors.Join(err, s.closeFiles())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string, readers int) (err error) {
	if s.lock, err = lockFile(ctx, path); err != nil {
		return err
	}
	if s.write, err = openFile(path, writerPragmas, 1); err != nil {
		return err
	}
	if err := migrate(ctx, s.write); err != nil {
		return err
	}
	if s.readers, err = openFile(path, readerPragmas, readers); err != nil {
		return err
	}
	s.read.on = s.readers
	s.writer, err = newWriter(ctx, s.write, s.cache)
	return err
}

// Close commits what waits to be written and closes the database. All later calls fail.
func (s *Store) Close() error {
	s.writer.close()
	s.cache.close()
	return s.closeFiles()
}

// closeFiles closes the lock last.
func (s *Store) closeFiles() error {
	var errs []error
	s.read.close()
	for _, db := range []*sql.DB{s.readers, s.write, s.lock} {
		if db != nil {
			errs = append(errs, failure(db.Close()))
		}
	}
	return errors.Join(errs...)
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

// Ping implements game.Store.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.Cursor(ctx)
	return err
}

// Game implements game.Store.
func (s *Store) Game(ctx context.Context, id string) (game.Game, error) {
	if g, ok := s.cache.game(id); ok {
		return g, ctx.Err()
	}
	read := s.cache.stamp()
	var r row
	if err := s.read.row(ctx, r.fields(), selectGame, id); err != nil {
		return game.Game{}, err
	}
	return s.decode(ctx, r, read)
}

// decode returns the game of a row that was read after the stamp, from the cache if it is there.
func (s *Store) decode(ctx context.Context, r row, read stamp) (game.Game, error) {
	if g, ok := s.cache.game(r.id); ok && g.Version == r.version {
		return g, nil
	}
	setup, ok := s.cache.setup(r.id)
	if !ok {
		var err error
		if setup, err = s.setup(ctx, r.id); err != nil {
			return game.Game{}, err
		}
	}
	g, err := r.decode(setup)
	if err != nil {
		return game.Game{}, failure(err)
	}
	s.cache.fill(g, read)
	return g, nil
}

// setup reads the setup of a game from its first event.
func (s *Store) setup(ctx context.Context, id string) (games.Setup, error) {
	events, err := s.Events(ctx, id, 0, 1)
	if err != nil {
		return games.Setup{}, err
	}
	if len(events) == 0 || events[0].Created == nil {
		return games.Setup{}, failure(fmt.Errorf("the log of game %s does not begin with its creation", id))
	}
	return events[0].Created.Setup, nil
}

// Events implements game.Store.
func (s *Store) Events(ctx context.Context, id string, after, limit int) ([]game.Event, error) {
	var events []game.Event
	err := s.read.rows(ctx, func(scan func(...any) error) error {
		var r eventRow
		if err := scan(&r.version, &r.time, &r.data); err != nil {
			return err
		}
		e, err := r.decode(id)
		events = append(events, e)
		return err
	}, selectEvents, id, after, limit)
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
func (s *Store) Turns(ctx context.Context, player string, after int64, limit int) ([]game.Game, int64, error) {
	cursor := after
	found, err := s.list(ctx, []any{&cursor}, selectTurns, player, after, limit)
	return found, cursor, err
}

// list returns the games of a query. Its rows are read to the end before games are decoded, which may take other queries.
func (s *Store) list(ctx context.Context, first []any, text string, args ...any) ([]game.Game, error) {
	read := s.cache.stamp()
	rows, err := s.listRows(ctx, first, text, args...)
	if err != nil {
		return nil, err
	}
	found := make([]game.Game, len(rows))
	for i, r := range rows {
		if found[i], err = s.decode(ctx, r, read); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// listRows returns the rows of a query whose columns are gameColumns and, in front of them, those scanned to first.
func (s *Store) listRows(ctx context.Context, first []any, text string, args ...any) ([]row, error) {
	var rows []row
	err := s.read.rows(ctx, func(scan func(...any) error) error {
		var r row
		err := scan(append(first[:len(first):len(first)], r.fields()...)...)
		rows = append(rows, r)
		return err
	}, text, args...)
	return rows, err
}

// Request implements game.Store.
func (s *Store) Request(ctx context.Context, caller, id string) (game.Request, error) {
	r := game.Request{Caller: caller, ID: id}
	var fingerprint []byte
	err := s.read.row(ctx, []any{&fingerprint, &r.GameID, &r.First, &r.Last}, selectRequest, caller, id)
	if err != nil {
		return game.Request{}, err
	}
	copy(r.Fingerprint[:], fingerprint)
	return r, nil
}

// Cursor implements game.Store.
func (s *Store) Cursor(ctx context.Context) (cursor int64, err error) {
	err = s.read.row(ctx, []any{&cursor}, selectCounter, changes)
	return cursor, err
}

// DueRobots implements game.Store.
func (s *Store) DueRobots(ctx context.Context, now time.Time, limit int) ([]string, error) {
	var ids []string
	err := s.read.rows(ctx, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	}, selectDueRobots, nanoseconds(now), limit)
	return ids, err
}

// Stats implements game.Store.
func (s *Store) Stats(ctx context.Context) (game.Stats, error) {
	stats := game.Stats{Games: map[game.State]int{}}
	err := s.read.rows(ctx, func(scan func(...any) error) error {
		var name string
		var value int
		err := scan(&name, &value)
		if name != changes {
			stats.Games[game.State(name)] = value
		}
		return err
	}, selectCounters)
	if err != nil {
		return game.Stats{}, err
	}
	var since int64
	err = s.read.row(ctx, []any{&since}, selectOldestRobotTurn)
	if err != nil && !errors.Is(err, game.ErrNotFound) {
		return game.Stats{}, err
	}
	stats.OldestRobotTurn = timeOf(since)
	return stats, nil
}
