//go:build !race

package faulttest

import (
	"database/sql"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
)

func TestBackupOfSQLiteUnderLoad(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "games.db")
	testBackup(t, data, func() string {
		restored := filepath.Join(t.TempDir(), "restored.db")
		db, err := sql.Open("sqlite", "file:"+data+"?mode=ro")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), "VACUUM INTO ?", restored); err != nil {
			t.Fatal(err)
		}
		return restored
	})
}

// The test restores the backup on another PostgreSQL server, whose transactions have other ids.
func TestBackupOfPostgresUnderLoad(t *testing.T) {
	t.Parallel()
	data := pgtest.Database(t)
	target, restored := pgtest.Start(t)
	testBackup(t, data, func() string {
		for _, command := range [][]string{
			{"pg_dump", "-Fc", "-d", data, "-f", "backup.dump"},
			{"pg_restore", "-d", restored, "backup.dump"},
		} {
			if err := target.Run(t.Context(), command[0], command[1:]...); err != nil {
				t.Fatal(err)
			}
		}
		return restored
	})
}

// testBackup backs a store up and restores the backup while clients play, and starts a server on
// the restored store. It must have all moves that were acknowledged before the backup began, and
// all games must go on. backUp returns the address of the restored store.
func testBackup(t *testing.T, data string, backUp func() (restored string)) {
	t.Helper()
	args := []string{"--robot-lease", "1s", "--heartbeat-interval", "100ms"}
	server := run(t, data, args...)
	load, host := startLoad(t, 8, server.addrs["game"], server.addrs["http"])
	host.createRobotGame()
	load.awaitMoves(200)
	acked := load.versions()
	before := load.moves.Load()
	restored := backUp()
	during := load.moves.Load() - before
	load.awaitMoves(50)
	load.stop()
	server.checkStop(t, waitTimeout)

	versions := checkBackup(t, data, restored)
	for id, version := range acked {
		if versions[id] < version {
			t.Errorf("game %s is restored at version %d, but %d was acknowledged before the backup",
				id, versions[id], version)
		}
	}
	server = run(t, restored, args...)
	load.resume(server.addrs["game"], versions)
	load.stop()
	server.checkStop(t, waitTimeout)
	verify(t, restored)
	t.Logf("%d moves were acknowledged before the backup, %d during it", before, during)
}

// checkBackup checks that the log of each game in a restored store is the beginning of its log in
// the original store. It returns the restored versions.
func checkBackup(t *testing.T, original, restored string) (versions map[string]int32) {
	t.Helper()
	verify(t, restored)
	want, got := logs(t, original), logs(t, restored)
	versions = map[string]int32{}
	for id, log := range got {
		versions[id] = int32(len(log))
		if whole := want[id]; len(log) > len(whole) || !reflect.DeepEqual(whole[:len(log)], log) {
			t.Errorf("game %s is restored as %v, the original is %v", id, log, whole)
		}
	}
	t.Logf("%d of %d games were restored", len(got), len(want))
	return versions
}

// logs returns the logs of all public games in a store.
func logs(t *testing.T, data string) map[string][]game.Event {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), data, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	games, err := store.Games(t.Context(), game.Filter{Limit: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]game.Event{}
	for _, g := range games {
		if all[g.ID], err = store.Events(t.Context(), g.ID, 0, math.MaxInt32); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
