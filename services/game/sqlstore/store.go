// Package sqlstore implements [game.Store] on SQLite, in one file for one process, and on
// PostgreSQL, for any number of processes. Both run the same statements; only the files sqlite.go
// and postgres.go and the migrations differ. The package stores positions in their notation and
// does not depend on the rules otherwise.
package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/cache"
)

// Store is a [game.Store] in an SQL database. Callers must not modify what it returns, nor a change
// after Commit.
type Store struct {
	db      database
	cache   *gameCache
	writer  *writer
	health  *health
	clock   *clock
	serving *serving
}

var _ game.Store = (*Store)(nil)

// Options configures a store. Zero values stand for the defaults.
type Options struct {
	// Shard is the place of the database among several. Open fails if it had another one before.
	Shard Shard
	// Readers is the number of concurrent queries. The default is twice the number of CPUs for
	// SQLite, and pool_max_conns of the URL or 16 for PostgreSQL.
	Readers int
	// Caches is the budget that the game cache draws on; by default the store has its own.
	Caches *cache.Budget
	// Migrate upgrades the schema of PostgreSQL. The schema of SQLite is always upgraded.
	Migrate bool
	// Wait makes Open wait for a database server that cannot be reached.
	Wait bool
	// CountOutages makes the time in which no process serves count on clocks. All processes on a
	// database must agree.
	CountOutages bool
	// Log receives a line when the database becomes unavailable and available; by default none.
	Log *slog.Logger
	// Heartbeat is the interval between two heartbeats. The default is one second.
	Heartbeat time.Duration
	// Clock is the clock of this process. The default is [time.Now].
	Clock func() time.Time
}

// Open opens a database. The address is a path or a URL that starts with sqlite:, and the file is
// created if it does not exist; or it is a URL that starts with postgres:. Open fails if a newer
// version of the program created the database, if another process has the file open, if the
// database cannot be written or has another place among several, or if the schema of PostgreSQL is
// not current and Migrate is false. The caller must close the store.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	options.Log = cmp.Or(options.Log, slog.New(slog.DiscardHandler))
	if options.Clock == nil {
		options.Clock = time.Now
	}
	db, err := openOrWait(ctx, address, options)
	if err != nil {
		return nil, err
	}
	s := &Store{
		cache:   newGameCache(options.Caches, options.Shard),
		health:  &health{log: options.Log},
		clock:   &clock{log: options.Log, local: options.Clock},
		serving: newServing(options),
	}
	s.db = monitored{db, s.health}
	s.writer = newWriter(s.db, s.cache)
	if err := s.startWriting(ctx, options.Shard); err != nil {
		s.health.close()
		_ = s.close()
		return nil, fmt.Errorf("open the database %s for writing: %w", Describe(address), err)
	}
	return s, nil
}

// startWriting records the place of the database, makes the numbers of changes continue, and sends
// the first heartbeat.
func (s *Store) startWriting(ctx context.Context, shard Shard) error {
	if err := s.claimShard(ctx, shard); err != nil {
		return err
	}
	if s.db.shared() {
		if _, err := s.write(ctx, moveBase); err != nil {
			return err
		}
	}
	return s.startServing(ctx)
}

// write commits one statement and returns the number of rows that it changed.
func (s *Store) write(ctx context.Context, text string, args ...any) (changed int64, err error) {
	return s.writer.do(ctx, &job{statements: []statement{{text, args}}})
}

// Shared reports whether other processes can use the same database.
func (s *Store) Shared() bool { return s.db.shared() }

// Close commits all waiting changes, waits for reads, and closes the database. Later calls fail,
// except for Close, which does nothing.
func (s *Store) Close() error {
	if !s.health.close() {
		return nil
	}
	s.stopServing()
	return s.close()
}

func (s *Store) close() error {
	s.writer.close()
	err := s.db.close()
	s.cache.close()
	return err
}

// Failing returns the error of the first failed call since the last heartbeat, nil while the
// database is available.
func (s *Store) Failing() error { return s.health.failing() }

// Ping implements [game.Store]. It fails after a failed call until the next heartbeat succeeds, and
// runs a read and an empty write transaction.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.health.failing(); err != nil {
		return err
	}
	if _, err := s.settled(ctx); err != nil {
		return err
	}
	_, err := s.writer.do(ctx, &job{})
	return err
}

// CachedGame implements [game.Store].
func (s *Store) CachedGame(ctx context.Context, id string) (game.Game, error) {
	if g, cached := s.cache.get(id); cached {
		err := ctx.Err()
		if err == nil {
			g.Paused, err = s.pause(ctx, g.TurnSince)
		}
		return g, err
	}
	return s.Game(ctx, id)
}

// Game implements [game.Store].
func (s *Store) Game(ctx context.Context, id string) (game.Game, error) {
	g, err := s.currentGame(ctx, id)
	if err == nil {
		g.Paused, err = s.pause(ctx, g.TurnSince)
	}
	return g, err
}

// currentGame returns the current game. If only this process writes, a cached game is current.
// Otherwise it queries the database for a version other than the cached one. (No game is ever
// deleted.)
func (s *Store) currentGame(ctx context.Context, id string) (g game.Game, err error) {
	g, cached := s.cache.get(id)
	if cached && !s.db.shared() {
		return g, ctx.Err()
	}
	err = s.db.read(ctx, func(reader reader) error {
		read := s.cache.time()
		var r gameRow
		if cached {
			err := queryRow(reader, r.fields(), selectGameIfChanged, id, g.Version)
			if errors.Is(err, game.ErrNotFound) {
				return nil
			}
			if err == nil {
				g, err = s.decode(r, creationOf(g), read)
			}
			return err
		}
		var first string
		if err := queryRow(reader, append(r.fields(), &first), selectGame, id); err != nil {
			return err
		}
		g, err = s.decodeWithFirst(r, first, read)
		return err
	})
	return g, err
}

// decode decodes a row that was read after a time, and caches the game.
func (s *Store) decode(r gameRow, c creation, read logicalTime) (game.Game, error) {
	g, err := r.decode(c)
	if err != nil {
		return game.Game{}, undecodable(err)
	}
	s.cache.fill(g, read)
	return g, nil
}

// decodeWithFirst is decode with the fields that never change from the first event.
func (s *Store) decodeWithFirst(r gameRow, event string, read logicalTime) (game.Game, error) {
	c, err := decodeCreation(event)
	if err != nil {
		return game.Game{}, undecodable(err)
	}
	return s.decode(r, c, read)
}

// Events implements [game.Store].
func (s *Store) Events(
	ctx context.Context, id string, after, limit int,
) (events []game.Event, err error) {
	err = s.db.read(ctx, func(reader reader) error {
		return reader.query(func(scan scanFunc) error {
			var r eventRow
			if err := scan(&r.version, &r.time, &r.data); err != nil {
				return err
			}
			e, err := r.decode(id)
			events = append(events, e)
			return undecodable(err)
		}, selectEvents, id, after, limit)
	})
	return events, err
}

// kindPrefix is the number of characters of stored events that identify their kinds.
const kindPrefix = 12

// LastEvent implements [game.Store].
func (s *Store) LastEvent(
	ctx context.Context, id string, version int, kinds ...game.EventKind,
) (game.Event, error) {
	args := []any{id, version, "", "", "", ""}
	for i, kind := range kinds {
		//nolint:gosec // There are at most four kinds.
		args[2+i] = (`{"` + string(kind) + `":{`)[:kindPrefix]
	}
	var r eventRow
	err := s.queryRow(ctx, []any{&r.version, &r.time, &r.data}, selectLastEvent, args...)
	if err != nil {
		return game.Event{}, err
	}
	e, err := r.decode(id)
	return e, undecodable(err)
}

// Games implements [game.Store].
func (s *Store) Games(ctx context.Context, f game.Filter) ([]game.Game, error) {
	text, args := selectGames(f)
	listed, err := s.list(ctx, text, args...)
	found := make([]game.Game, len(listed))
	for i, l := range listed {
		found[i] = l.Game
	}
	slices.SortFunc(found, func(a, b game.Game) int { return strings.Compare(b.ID, a.ID) })
	return found, err
}

// Turns implements [game.Store]. The store is one shard.
func (s *Store) Turns(
	ctx context.Context, player string, _ int, after int64, limit int,
) (found []game.ChangedGame, settled int64, err error) {
	return s.turns(ctx, selectTurns, player, after, limit)
}

// ServiceTurns implements [game.Store].
func (s *Store) ServiceTurns(
	ctx context.Context, service string, _ int, after int64, limit int,
) (found []game.ChangedGame, settled int64, err error) {
	return s.turns(ctx, selectServiceTurns, service, after, limit)
}

// turns returns the changed games of an owner. It reads what is settled before the games, which then
// have at least those changes.
func (s *Store) turns(
	ctx context.Context, text, owner string, after int64, limit int,
) (found []game.ChangedGame, settled int64, err error) {
	if settled, err = s.settled(ctx); err == nil {
		found, err = s.list(ctx, text, owner, after, limit)
	}
	return found, settled, err
}

// list returns the games of a query for gameColumns.
func (s *Store) list(
	ctx context.Context, text string, args ...any,
) (found []game.ChangedGame, err error) {
	err = s.db.read(ctx, func(reader reader) error {
		read := s.cache.time()
		rows, err := gameRows(reader, text, args...)
		if err != nil {
			return err
		}
		found = make([]game.ChangedGame, len(rows))
		for i, r := range rows {
			g, err := s.listedGame(reader, r, read)
			if err != nil {
				return err
			}
			found[i] = game.ChangedGame{Game: g, Change: r.lastChange}
		}
		return nil
	})
	for i := 0; err == nil && i < len(found); i++ {
		found[i].Game.Paused, err = s.pause(ctx, found[i].Game.TurnSince)
	}
	return found, err
}

func gameRows(reader reader, text string, args ...any) (rows []gameRow, err error) {
	err = reader.query(func(scan scanFunc) error {
		var r gameRow
		err := scan(r.fields()...)
		rows = append(rows, r)
		return err
	}, text, args...)
	return rows, err
}

// listedGame returns the game of a row that was read after a time. It takes the fields that never
// change from a cached version, or else reads the first event.
func (s *Store) listedGame(reader reader, r gameRow, read logicalTime) (game.Game, error) {
	if cached, ok := s.cache.get(r.id); ok {
		if cached.Version == r.version {
			return cached, nil
		}
		return s.decode(r, creationOf(cached), read)
	}
	var first string
	if err := queryRow(reader, []any{&first}, selectFirstEvent, r.id); err != nil {
		return game.Game{}, err
	}
	return s.decodeWithFirst(r, first, read)
}

// Request implements [game.Store].
func (s *Store) Request(ctx context.Context, caller, id, _ string) (game.Request, error) {
	r := game.Request{Caller: caller, ID: id}
	var fingerprint []byte
	dest := []any{&fingerprint, &r.GameID, &r.First, &r.Last}
	if err := s.queryRow(ctx, dest, selectRequest, caller, id); err != nil {
		return game.Request{}, err
	}
	copy(r.Fingerprint[:], fingerprint)
	return r, nil
}

// Settled implements [game.Store].
func (s *Store) Settled(ctx context.Context) ([]int64, error) {
	change, err := s.settled(ctx)
	return []int64{change}, err
}

func (s *Store) settled(ctx context.Context) (change int64, err error) {
	err = s.queryRow(ctx, []any{&change}, selectSettled)
	return change, err
}

// queryRow scans the only row of a query.
func (s *Store) queryRow(ctx context.Context, dest []any, text string, args ...any) error {
	return s.db.read(ctx, func(reader reader) error { return queryRow(reader, dest, text, args...) })
}

// DueRobots implements [game.Store].
func (s *Store) DueRobots(ctx context.Context, now time.Time, limit int) ([]game.Due, error) {
	return s.due(ctx, selectDueRobots, nanoseconds(now), limit)
}

// DueClocks implements [game.Store].
func (s *Store) DueClocks(ctx context.Context, before, now time.Time, limit int) ([]game.Due, error) {
	return s.due(ctx, selectDueClocks, nanoseconds(before), nanoseconds(now), limit)
}

// due returns the turns of a query for ids and times.
func (s *Store) due(ctx context.Context, text string, args ...any) (found []game.Due, err error) {
	err = s.db.read(ctx, func(reader reader) error {
		return reader.query(func(scan scanFunc) error {
			var id string
			var since int64
			err := scan(&id, &since)
			found = append(found, game.Due{GameID: id, Since: timeOf(since)})
			return err
		}, text, args...)
	})
	return found, err
}

// Invitations implements [game.Store].
func (s *Store) Invitations(ctx context.Context, creator string) (n int, err error) {
	err = s.queryRow(ctx, []any{&n}, selectInvitations, creator)
	return n, err
}

// Stats implements [game.Store].
func (s *Store) Stats(ctx context.Context) (game.Stats, error) {
	stats := game.Stats{Games: map[game.State]int{}}
	err := s.db.read(ctx, func(reader reader) error {
		err := reader.query(func(scan scanFunc) error {
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

// firstTime returns the only value of a query as a time, or the zero time if there is no row.
func firstTime(reader reader, text string, args ...any) (time.Time, error) {
	var at int64
	err := queryRow(reader, []any{&at}, text, args...)
	if err != nil && !errors.Is(err, game.ErrNotFound) {
		return time.Time{}, err
	}
	return timeOf(at), nil
}
