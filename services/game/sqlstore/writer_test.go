package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func openStoreAt(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Migrate: true, Heartbeat: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// eachStore runs a test on both databases.
func eachStore(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Run("SQLite", func(t *testing.T) { test(t, openStoreAt(t, filepath.Join(t.TempDir(), "games.db"))) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, openStoreAt(t, pgtest.Database(t))) })
}

// hold keeps the writer from starting a transaction until release is called.
func hold(s *Store) (release func()) {
	s.writer.turn <- struct{}{}
	return func() { <-s.writer.turn }
}

// enqueue adds jobs to the queue, in this order, while the writer is held, and returns a channel for
// the error of each. They wait behind a job that the writer has taken, so that they run in one batch.
func enqueue(ctx context.Context, s *Store, jobs ...*job) []chan error {
	s.writer.queue <- &job{ctx: context.Background(), result: make(chan error, 1)}
	for len(s.writer.queue) > 0 {
		runtime.Gosched()
	}
	var results []chan error
	for _, j := range jobs {
		queued, result := len(s.writer.queue), make(chan error, 1)
		go func() {
			changed, err := s.writer.do(ctx, j)
			if err == nil && changed == 0 {
				err = game.ErrConflict
			}
			result <- err
		}()
		for len(s.writer.queue) == queued {
			runtime.Gosched()
		}
		results = append(results, result)
	}
	return results
}

func player(id string) statement { return statement{insertPlayer, []any{id, "", 0, nil}} }

func jobOf(statements ...statement) *job { return &job{statements: statements} }

func TestJobFailsAlone(t *testing.T) {
	eachStore(t, func(t *testing.T, s *Store) {
		release := hold(s)
		results := enqueue(t.Context(), s,
			jobOf(player("one")),
			jobOf(player("half"), statement{"INSERT INTO players (id) VALUES ('whole')", nil}),
			jobOf(player("two")),
			jobOf(player("one")),
		)
		release()
		for i, want := range []string{"", "the change violates a constraint", "", game.ErrConflict.Error()} {
			err := <-results[i]
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("job %d returned %v, want %q", i, err, want)
			}
		}
		for id, want := range map[string]error{"one": nil, "two": nil, "half": game.ErrNotFound, "whole": game.ErrNotFound} {
			if _, err := s.Player(t.Context(), id); !errors.Is(err, want) {
				t.Errorf("player %s: %v, want %v", id, err, want)
			}
		}
	})
}

// newGame returns the change that creates a game with a player on both seats.
func newGame(t *testing.T, id, player string) game.Change {
	t.Helper()
	d, err := game.Create(id, game.Created{
		Creator: player, Visibility: game.Public,
		Setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4}},
		Seats: game.Seats{{Player: player}, {Player: player}},
	}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return d.Change()
}

func commitNew(t *testing.T, s *Store, id string) {
	t.Helper()
	if err := s.Commit(t.Context(), newGame(t, id, "ann")); err != nil {
		t.Fatal(err)
	}
}

// moveRequest returns the request of a move to a version of a game.
func moveRequest(id, request string, version int) *game.Request {
	return &game.Request{
		Caller: "ann", ID: request, GameID: id, First: version, Last: version, Fingerprint: [32]byte{1, 2, 3},
	}
}

// moveJob returns the job that plays the i-th legal move of a new game, with a request.
func moveJob(t *testing.T, s *Store, id string, i int, request string) *job {
	t.Helper()
	g, err := s.Game(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	d, err := g.Play("ann", g.Position.Legal()[i], 0, g.Updated)
	if err != nil {
		t.Fatal(err)
	}
	c := d.Change()
	c.Request = moveRequest(id, request, d.Game.Version)
	change, err := newChange(c)
	if err != nil {
		t.Fatal(err)
	}
	return &job{
		statements: change.statements(listed{g.State, playersOf(g)}),
		gameID:     id, committed: func() { s.cache.put(d.Game) },
	}
}

// TestMovesInOneBatch commits moves together. Each must succeed or fail as if it were alone.
func TestMovesInOneBatch(t *testing.T) {
	eachStore(t, func(t *testing.T, s *Store) {
		for _, id := range []string{"a", "b", "c", "d"} {
			commitNew(t, s, id)
		}
		late := moveJob(t, s, "d", 0, "6")
		if changed, err := s.writer.do(t.Context(), moveJob(t, s, "d", 1, "5")); changed != 1 || err != nil {
			t.Fatal(changed, err)
		}
		jobs := []*job{
			moveJob(t, s, "a", 0, "1"),
			moveJob(t, s, "a", 1, "2"), // The same version of the same game.
			moveJob(t, s, "b", 0, "3"),
			moveJob(t, s, "c", 0, "1"), // The same request.
			late,
		}
		release := hold(s)
		results := enqueue(t.Context(), s, jobs...)
		release()
		for i, want := range []error{nil, game.ErrConflict, nil, game.ErrConflict, game.ErrConflict} {
			if err := <-results[i]; !errors.Is(err, want) {
				t.Errorf("job %d returned %v, want %v", i, err, want)
			}
		}
		for id, want := range map[string]int{"a": 3, "b": 3, "c": 2, "d": 3} {
			if g, err := s.Game(t.Context(), id); err != nil || g.Version != want {
				t.Errorf("game %s is at version %d, %v; want %d", id, g.Version, err, want)
			}
		}
		for problem, err := range s.Verify(t.Context()) {
			t.Error(problem, err)
		}
	})
}

// TestRequestsOfMovesInOneBatch commits moves without conflicts together and reads their requests.
func TestRequestsOfMovesInOneBatch(t *testing.T) {
	eachStore(t, func(t *testing.T, s *Store) {
		commitNew(t, s, "a")
		commitNew(t, s, "b")
		release := hold(s)
		results := enqueue(t.Context(), s, moveJob(t, s, "a", 0, "1"), moveJob(t, s, "b", 1, "2"))
		release()
		for i, want := range []*game.Request{moveRequest("a", "1", 3), moveRequest("b", "2", 3)} {
			if err := <-results[i]; err != nil {
				t.Fatal(err)
			}
			if got, err := s.Request(t.Context(), "ann", want.ID, ""); got != *want || err != nil {
				t.Errorf("request %s is stored as %v, %v; want %v", want.ID, got, err, *want)
			}
		}
		for problem, err := range s.Verify(t.Context()) {
			t.Error(problem, err)
		}
	})
}

func TestQueuedJobIsDroppedIfItsContextEnds(t *testing.T) {
	eachStore(t, func(t *testing.T, s *Store) {
		release := hold(s)
		ctx, cancel := context.WithCancel(t.Context())
		result := enqueue(ctx, s, jobOf(player("one")))[0]
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("returned %v", err)
		}
		release()
		if err := s.CreatePlayer(t.Context(), game.Player{ID: "two"}, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Player(t.Context(), "one"); !errors.Is(err, game.ErrNotFound) {
			t.Errorf("the player was created: %v", err)
		}
	})
}

// TestNoTransactionWithoutJobs ends the context of the only job before the writer takes it.
func TestNoTransactionWithoutJobs(t *testing.T) {
	eachStore(t, func(t *testing.T, s *Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		awaitIdle(s)
		before := transactions(t, s)
		late := &job{ctx: ctx, result: make(chan error, 1)}
		s.writer.queue <- late
		if err := <-late.result; !errors.Is(err, context.Canceled) {
			t.Errorf("result %v", err)
		}
		awaitIdle(s)
		if n := transactions(t, s) - before; n != 0 {
			t.Errorf("%d transactions were measured", n)
		}
	})
}

// awaitIdle waits until the writer has finished and measured all transactions.
func awaitIdle(s *Store) {
	for len(s.writer.idle) < cap(s.writer.idle) {
		runtime.Gosched()
	}
}

// transactions returns the number of write transactions so far.
func transactions(t *testing.T, s *Store) uint64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.writer.metrics.jobs)
	found, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	return found[0].GetMetric()[0].GetHistogram().GetSampleCount()
}

// TestEveryJobIsCommittedOrRejected runs jobs one by one and concurrently while the store closes.
// Half of the concurrent callers use a context that never ends, so that they can run their own
// transactions.
func TestEveryJobIsCommittedOrRejected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s := openStoreAt(t, path)
	var mu sync.Mutex
	done := map[string]bool{}
	create := func(ctx context.Context, id string) bool {
		err := s.CreatePlayer(ctx, game.Player{ID: id}, nil)
		if err != nil && !errors.Is(err, errClosed) {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		done[id] = err == nil
		return err == nil
	}
	for i := range 20 {
		create(context.Background(), fmt.Sprintf("alone-%d", i))
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			ctx := []context.Context{context.Background(), t.Context()}[i%2]
			for j := 0; create(ctx, fmt.Sprintf("%d-%d", i, j)); j++ {
				if i == 0 && j == 20 {
					all.Go(func() { s.Close() })
				}
			}
		})
	}
	all.Wait()
	s = openStoreAt(t, path)
	for id, created := range done {
		if _, err := s.Player(t.Context(), id); (err == nil) != created {
			t.Errorf("player %s created: %t, but Player returns %v", id, created, err)
		}
	}
}

// TestLogIsCopiedIntoTheDatabase writes enough for a checkpoint. Without one, the database file
// does not grow.
func TestLogIsCopiedIntoTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s := openStoreAt(t, path)
	size := func() int64 {
		file, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	before := size()
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for j := range checkpointJobs/64 + 3 {
				if err := s.CreatePlayer(t.Context(), game.Player{ID: fmt.Sprintf("%032d-%d", i, j)}, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if after := size(); after <= before {
		t.Errorf("the database still has %[2]d bytes after %[1]d jobs", checkpointJobs, after)
	}
}

// TestLongReadDoesNotBlockWrites keeps a read transaction of another connection open while the log
// grows beyond its limit, and then ends it.
func TestLongReadDoesNotBlockWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s := openStoreAt(t, path)
	create := func(id, name string) {
		t.Helper()
		start := time.Now()
		if err := s.CreatePlayer(context.Background(), game.Player{ID: id, Name: name}, nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("player %s took %v", id, took)
		}
	}
	other, err := openFile(path, "mode=ro", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	reading, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Rollback()
	if err := reading.QueryRowContext(t.Context(), "SELECT count(*) FROM players").Scan(new(int)); err != nil {
		t.Fatal(err)
	}
	const limit = maxLogPages * pageBytes
	due := func() { s.db.(monitored).database.(*sqliteFile).pendingJobs = checkpointJobs }
	for i := range 9 {
		create(fmt.Sprint(i), strings.Repeat("x", limit/8))
	}
	for _, id := range []string{"once", "and again"} {
		due()
		create(id, "")
	}
	reading.Rollback()
	due()
	for _, id := range []string{"after the read", "at the start of the log"} {
		create(id, "")
	}
	file, err := os.Stat(path + "-wal")
	if err != nil || file.Size() > limit {
		t.Errorf("the log has %d bytes without readers: %v", file.Size(), err)
	}
}

func TestDriverErrorsAreOnlyLogged(t *testing.T) {
	eachStore(t, func(t *testing.T, s *Store) {
		err := s.db.read(t.Context(), func(r reader) error { return queryRow(r, nil, "SELECT 1 FROM nowhere") })
		if err == nil || strings.Contains(err.Error(), "nowhere") {
			t.Errorf("error %v", err)
		}
		var line strings.Builder
		slog.New(slog.NewTextHandler(&line, nil)).Info("failed", "error", err)
		if !strings.Contains(line.String(), "nowhere") {
			t.Errorf("logged %s", line.String())
		}
	})
}
