// Package sqlstore keeps games in an SQL database: a game.Store on SQLite, in one file, for one process, or on PostgreSQL
// for any number of them. Both have the same statements; what is a database's own is in the files of its name and in
// its migrations. It knows nothing of the rules but how to write positions down.
package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// Store is a game.Store in an SQL database. What it returns is shared and must not be changed, nor must a change that was
// handed to Commit.
type Store struct {
	db     database
	cache  *cache
	writer *writer
}

var _ game.Store = (*Store)(nil)

// Options sizes a store. Zero values stand for the defaults.
type Options struct {
	// Readers is how many queries run at a time; by default twice the processors, and of PostgreSQL what its URL says in
	// pool_max_conns or 16.
	Readers int
	// CacheBytes is roughly how much memory holds games last used; 64 MiB by default.
	CacheBytes int
	// Migrate has the schema of PostgreSQL brought up to date first. That of SQLite always is.
	Migrate bool
}

// Open opens the database at an address: a path, or a URL that begins with sqlite:, of a file that is created if there is
// none; or a URL that begins with postgres:. It fails when a newer program made the database, when another process has
// the file open, and when PostgreSQL does not have the schema that this program works with. The caller must close the store.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	db, err := open(ctx, address, options)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, cache: newCache(cmp.Or(options.CacheBytes, 64<<20))}
	s.writer = newWriter(db, s.cache)
	return s, nil
}

// Shared reports whether other processes may use the same database.
func (s *Store) Shared() bool { return s.db.shared() }

// Close commits what waits to be written, lets those who read finish, and closes the database. All later calls fail, but for
// Close, which does nothing.
func (s *Store) Close() error {
	if !s.writer.close() {
		return nil
	}
	err := s.db.close()
	s.cache.close()
	return err
}

// Ping implements game.Store. A store that can be read but not written cannot be used, so the writer is asked too.
func (s *Store) Ping(ctx context.Context) error {
	if _, err := s.Cursor(ctx); err != nil {
		return err
	}
	_, err := s.writer.do(ctx, &job{})
	return err
}

// CachedGame implements game.Store.
func (s *Store) CachedGame(ctx context.Context, id string) (game.Game, error) {
	if g, cached := s.cache.game(id); cached {
		return g, ctx.Err()
	}
	return s.Game(ctx, id)
}

// Game implements game.Store. A game in the cache is as the last commit left it if nobody else writes. Otherwise the database
// is asked all the same, for the row if it has another version; no game is ever deleted.
func (s *Store) Game(ctx context.Context, id string) (g game.Game, err error) {
	g, cached := s.cache.game(id)
	if cached && !s.db.shared() {
		return g, ctx.Err()
	}
	err = s.db.read(ctx, func(reader reader) error {
		read := s.cache.stamp()
		var r row
		if cached {
			err := reader.row(r.fields(), selectOther, id, g.Version)
			if errors.Is(err, game.ErrNotFound) {
				return nil
			}
			if err == nil {
				g, err = s.decoded(r, origin{g.Setup, g.TimeControl}, read)
			}
			return err
		}
		var first string
		if err := reader.row(append(r.fields(), &first), selectGame, id); err != nil {
			return err
		}
		o, err := decodeOrigin(first)
		if err != nil {
			return failure(err)
		}
		g, err = s.decoded(r, o, read)
		return err
	})
	return g, err
}

// decoded returns the game of a row that was read after the stamp, and keeps it in the cache.
func (s *Store) decoded(r row, o origin, read stamp) (game.Game, error) {
	g, err := r.decode(o)
	if err != nil {
		return game.Game{}, failure(err)
	}
	s.cache.fill(g, read)
	return g, nil
}

// Events implements game.Store.
func (s *Store) Events(ctx context.Context, id string, after, limit int) (events []game.Event, err error) {
	err = s.db.read(ctx, func(reader reader) error {
		return reader.rows(func(scan func(...any) error) error {
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
	err = s.db.read(ctx, func(reader reader) error {
		read := s.cache.stamp()
		rows, err := gameRows(reader, first, text, args...)
		if err != nil {
			return err
		}
		found = make([]game.Game, len(rows))
		for i, r := range rows {
			if found[i], err = s.listed(reader, r, read); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

func gameRows(reader reader, first []any, text string, args ...any) (rows []row, err error) {
	err = reader.rows(func(scan func(...any) error) error {
		var r row
		err := scan(append(slices.Clip(first), r.fields()...)...)
		rows = append(rows, r)
		return err
	}, text, args...)
	return rows, err
}

// listed returns the game of a row that was read after the stamp. What the row does not have is in the cache or read now.
func (s *Store) listed(reader reader, r row, read stamp) (game.Game, error) {
	cached, ok := s.cache.game(r.id)
	if ok && cached.Version == r.version {
		return cached, nil
	}
	o := origin{cached.Setup, cached.TimeControl}
	if !ok {
		var first string
		if err := reader.row([]any{&first}, selectFirstEvent, r.firstSeq); err != nil {
			return game.Game{}, err
		}
		var err error
		if o, err = decodeOrigin(first); err != nil {
			return game.Game{}, failure(err)
		}
	}
	return s.decoded(r, o, read)
}

// Request implements game.Store.
func (s *Store) Request(ctx context.Context, caller, id string) (r game.Request, err error) {
	err = s.db.read(ctx, func(reader reader) error {
		r, err = request(reader, caller, id)
		return err
	})
	return r, err
}

func request(reader reader, caller, id string) (game.Request, error) {
	r := game.Request{Caller: caller, ID: id}
	var fingerprint []byte
	if err := reader.row([]any{&fingerprint, &r.GameID, &r.First, &r.Last}, selectRequest, caller, id); err != nil {
		return game.Request{}, err
	}
	copy(r.Fingerprint[:], fingerprint)
	return r, nil
}

// Cursor implements game.Store.
func (s *Store) Cursor(ctx context.Context) (cursor int64, err error) {
	err = s.db.read(ctx, func(reader reader) error { return reader.row([]any{&cursor}, selectLastSeq) })
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
	err = s.db.read(ctx, func(reader reader) error {
		return reader.rows(func(scan func(...any) error) error {
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
	err := s.db.read(ctx, func(reader reader) error {
		err := reader.rows(func(scan func(...any) error) error {
			var state game.State
			var games int
			err := scan(&state, &games)
			stats.Games[state] = games
			return err
		}, selectCounters)
		if err != nil {
			return err
		}
		stats.OldestRobotTurn, err = firstTime(reader, selectOldestRobotTurn, nanoseconds(time.Now()))
		if err == nil {
			stats.FirstDeadline, err = firstTime(reader, selectFirstDeadline)
		}
		return err
	})
	return stats, err
}

// firstTime returns the time that a query finds, the zero time for none.
func firstTime(reader reader, text string, args ...any) (time.Time, error) {
	var at int64
	if err := reader.row([]any{&at}, text, args...); err != nil && !errors.Is(err, game.ErrNotFound) {
		return time.Time{}, err
	}
	return timeOf(at), nil
}
