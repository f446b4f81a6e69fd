package sqlstore_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// holdVariable makes this test program open the database at its value and wait to be killed.
const holdVariable = "SQLSTORE_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holdVariable); path != "" {
		hold(path)
	}
	goleak.VerifyTestMain(m)
}

func open(t testing.TB, folder string, options sqlstore.Options) *sqlstore.Store {
	t.Helper()
	return openAt(t, databaseIn(folder), options)
}

func openAt(t testing.TB, address string, options sqlstore.Options) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), address, options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func databaseIn(folder string) string { return filepath.Join(folder, "games.db") }

// newGame returns the decision that creates a game of two players on the smallest board.
func newGame(t testing.TB, id string) game.Decision {
	t.Helper()
	d, err := game.Create(id, game.Created{
		Creator: "ann", Visibility: game.Public, Setup: games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4}},
		Seats: game.Seats{{Player: "ann"}, {Player: "bob"}},
	}, time.Unix(1700000000, 0))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func commit(t testing.TB, s *sqlstore.Store, d game.Decision) {
	t.Helper()
	if err := s.Commit(t.Context(), game.Change{Game: d.Game, Events: d.Events}); err != nil {
		t.Fatal(err)
	}
}

// play commits random moves until the game is over.
func play(t testing.TB, s *sqlstore.Store, d game.Decision) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	for !d.Game.State.Over() {
		g := d.Game
		legal := g.Position.Legal()
		var err error
		if d, err = g.Play(g.Seats.Of(g.Turn()).Player, legal[random.IntN(len(legal))], 0, g.Updated); err != nil {
			t.Fatal(err)
		}
		commit(t, s, d)
	}
}

func TestDatabaseIsLocked(t *testing.T) {
	rejects := func(t *testing.T, path string) {
		s, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
		if err == nil {
			s.Close()
			t.Fatal("opened twice")
		}
		if want := "the database " + path + " is in use by another process"; err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
	t.Run("by this process", func(t *testing.T) {
		folder := t.TempDir()
		s := open(t, folder, sqlstore.Options{})
		rejects(t, databaseIn(folder))
		if err := sqlstore.Migrate(t.Context(), databaseIn(folder)); err == nil {
			t.Error("migrated an open database")
		}
		s.Close()
		open(t, folder, sqlstore.Options{}).Close()
	})
	t.Run("by another process until it is killed", func(t *testing.T) {
		folder := t.TempDir()
		other := exec.Command(os.Args[0])
		other.Env = append(os.Environ(), holdVariable+"="+databaseIn(folder))
		out, err := other.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
			t.Fatalf("the other process wrote %q, %v", line, err)
		}
		rejects(t, databaseIn(folder))
		other.Process.Kill()
		other.Wait()
		s := open(t, folder, sqlstore.Options{})
		defer s.Close()
		if _, err := s.Player(t.Context(), "stored"); err != nil {
			t.Errorf("player of the other process: %v", err)
		}
	})
}

// hold opens a database, writes a player and waits.
func hold(path string) {
	s, err := sqlstore.Open(context.Background(), path, sqlstore.Options{})
	if err == nil {
		err = s.CreatePlayer(context.Background(), game.Player{ID: "stored"}, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stdout, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, "open")
	select {}
}

func TestPathWithSpecialCharacters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%20&e.db")
	s, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOpenErrors(t *testing.T) {
	for _, test := range []struct {
		name, want string
		prepare    func(t *testing.T, path string)
	}{
		{
			"damaged", "the file is not a valid database",
			func(t *testing.T, path string) {
				os.WriteFile(path, []byte("SQLite format 3\x00"+strings.Repeat("no database ", 1000)), 0o600)
			},
		},
		{
			"created by a newer program", "the database has schema version 999, but this program supports at most 7: use a newer program",
			func(t *testing.T, path string) {
				if err := sqlstore.Migrate(t.Context(), path); err != nil {
					t.Fatal(err)
				}
				execute(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`)
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sub", "games.db")
			os.Mkdir(filepath.Dir(path), 0o700)
			test.prepare(t, path)
			s, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q, want %q", err, test.want)
			}
			for _, leak := range []string{"sql:", "SQLITE", "(26)", "(14)"} {
				if strings.Contains(err.Error(), leak) {
					t.Errorf("error %q quotes the driver", err)
				}
			}
		})
	}
}

// execute runs a statement on a database over a connection of its own.
func execute(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

func TestMigrate(t *testing.T) {
	path := databaseIn(t.TempDir())
	version := func() (current, latest int64) {
		current, latest, err := sqlstore.SchemaVersion(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return current, latest
	}
	if current, latest := version(); current != 0 || latest < 1 {
		t.Errorf("a new database has schema version %d of %d", current, latest)
	}
	for range 2 {
		if err := sqlstore.Migrate(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		if current, latest := version(); current != latest {
			t.Errorf("a migrated database has schema version %d of %d", current, latest)
		}
	}
}

// TestCloseCommitsWaitingChanges closes the store during commits: each is either acknowledged and
// stored, or neither.
func TestCloseCommitsWaitingChanges(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, sqlstore.Options{})
	decisions := make([]game.Decision, 200)
	errs := make([]error, len(decisions))
	var all sync.WaitGroup
	for i := range decisions {
		decisions[i] = newGame(t, fmt.Sprint("game-", i))
		all.Go(func() {
			errs[i] = s.Commit(t.Context(), game.Change{Game: decisions[i].Game, Events: decisions[i].Events})
		})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	s = open(t, folder, sqlstore.Options{})
	defer s.Close()
	for i, d := range decisions {
		_, err := s.Game(t.Context(), d.Game.ID)
		if (errs[i] == nil) != (err == nil) {
			t.Errorf("commit %d returned %v, the game %v", i, errs[i], err)
		}
	}
}

// TestBackup copies the database as the documentation recommends, while games are played.
func TestBackup(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, sqlstore.Options{})
	var playing sync.WaitGroup
	stop := make(chan struct{})
	for player := range 4 {
		playing.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				d := newGame(t, fmt.Sprintf("game-%d-%d", player, i))
				commit(t, s, d)
				play(t, s, d)
			}
		})
	}
	source, err := sql.Open("sqlite", "file:"+databaseIn(folder)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	const copies = 5
	for i := range copies {
		if _, err := source.Exec("VACUUM INTO ?", databaseIn(folder)+fmt.Sprint(i)); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	playing.Wait()
	s.Close()
	for i := range copies {
		backup := openAt(t, databaseIn(folder)+fmt.Sprint(i), sqlstore.Options{})
		defer backup.Close()
		for problem, err := range backup.Verify(t.Context()) {
			t.Errorf("copy %d: game %s: %s, %v", i, problem.GameID, problem.Text, err)
		}
	}
}

// The limits on connections leave this number of files to a store.
func TestMaxFiles(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("this system does not list open files:", err)
	}
	folder := t.TempDir()
	s := open(t, folder, sqlstore.Options{})
	defer s.Close()
	commit(t, s, newGame(t, "game"))
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, file := range all {
		target, err := os.Readlink(filepath.Join("/proc/self/fd", file.Name()))
		if err == nil && strings.HasPrefix(target, folder) {
			files++
		}
	}
	if most := sqlstore.MaxFiles(databaseIn(folder)); files == 0 || files > most {
		t.Errorf("%d open files, want at most %d", files, most)
	}
	for address, want := range map[string]int{
		"postgres://db/games": 24, "postgres://db/games?pool_max_conns=100": 108,
	} {
		if got := sqlstore.MaxFiles(address); got != want {
			t.Errorf("%s: at most %d connections, want %d", address, got, want)
		}
	}
}

// The log of the server gets the cause, callers get a text without content of the row.
func TestUndecodableEvent(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, sqlstore.Options{})
	commit(t, s, newGame(t, "game"))
	s.Close()
	execute(t, databaseIn(folder), `UPDATE events SET data = '{"created":{"seats":7}}' WHERE version = 1`)
	s = open(t, folder, sqlstore.Options{})
	defer s.Close()
	_, ofEvents := s.Events(t.Context(), "game", 0, 1)
	_, ofLast := s.LastEvent(t.Context(), "game", 1, game.KindCreated)
	for call, err := range map[string]error{"Events": ofEvents, "LastEvent": ofLast} {
		if failed, ok := errors.AsType[*sqlstore.Error](err); !ok ||
			failed.Error() != "the store failed: a row cannot be decoded" {
			t.Errorf("%s returns %v", call, err)
		}
	}
}

func TestVerify(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, sqlstore.Options{})
	for i := range 150 {
		d := newGame(t, fmt.Sprintf("game-%03d", i))
		commit(t, s, d)
		if i%50 == 0 {
			play(t, s, d)
		}
	}
	problems := func() map[string]string {
		found := map[string]string{}
		for problem, err := range s.Verify(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			found[problem.GameID] = problem.Text
		}
		return found
	}
	if found := problems(); len(found) > 0 {
		t.Fatalf("problems of an intact store: %v", found)
	}
	s.Close()
	execute(t, databaseIn(folder), `UPDATE games SET first_moves = 77 WHERE id = 'game-007'`)
	execute(t, databaseIn(folder), `DELETE FROM events WHERE game_id = 'game-050' AND version = 5`)
	execute(t, databaseIn(folder), `DELETE FROM events WHERE game_id = 'game-120' AND version = 2`)
	s = open(t, folder, sqlstore.Options{})
	defer s.Close()
	found := problems()
	for id, want := range map[string]string{
		"game-007": "firstMoves:77", "game-050": "version 6 follows version 4", "game-120": "the log ends at version 1 of 2",
	} {
		if !strings.Contains(found[id], want) {
			t.Errorf("problem of %s is %q, want %q", id, found[id], want)
		}
	}
	if len(found) != 3 {
		t.Errorf("found %d problems: %v", len(found), found)
	}
}
