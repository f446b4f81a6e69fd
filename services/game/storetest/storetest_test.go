package storetest

import (
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/contracttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) {
	for name, bytes := range map[string]int64{"": cache.DefaultBytes, " without a cache": 1} {
		open := func(t *testing.T, place string, process Process) Store {
			s, err := sqlstore.Open(t.Context(), place, sqlstore.Options{
				Caches: cache.NewBudget(bytes), Migrate: true, Heartbeat: process.Heartbeat,
				Clock: func() time.Time { return time.Now().Add(process.ClockOffset) },
			})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		t.Run("SQLite"+name, func(t *testing.T) {
			Run(t, Factory{
				Place: func(t *testing.T) string { return filepath.Join(t.TempDir(), "games.db") },
				Open:  open,
			})
		})
		t.Run("PostgreSQL"+name, func(t *testing.T) {
			Run(t, Factory{
				Place:  func(t *testing.T) string { return pgtest.Database(t) },
				Open:   open,
				Shared: true,
			})
		})
	}
}

func TestEveryRequirementIsTested(t *testing.T) {
	var tested []string
	for _, r := range requirements {
		tested = append(tested, r.must)
	}
	contracttest.Compare(t, "../store.go", tested)
}
