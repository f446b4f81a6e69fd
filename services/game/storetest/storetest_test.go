package storetest

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game/shards"
	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/contracttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) {
	t.Parallel()
	for name, bytes := range map[string]int64{"": cache.DefaultBytes, " without a cache": 1} {
		open := func(t *testing.T, place string, process Process) Store {
			return openStore(t, place, cache.NewBudget(bytes), process, sqlstore.Shard{})
		}
		t.Run("SQLite"+name, func(t *testing.T) {
			t.Parallel()
			Run(t, Factory{
				Place: func(t *testing.T) string { return filepath.Join(t.TempDir(), "games.db") },
				Open:  open,
			})
		})
		t.Run("PostgreSQL"+name, func(t *testing.T) {
			t.Parallel()
			Run(t, Factory{
				Place:  func(t *testing.T) string { return pgtest.Database(t) },
				Open:   open,
				Shared: true,
			})
		})
	}
}

func TestShardsOnPostgreSQL(t *testing.T) {
	t.Parallel()
	Run(t, Factory{
		Place: func(t *testing.T) string { return pgtest.Database(t) + " " + pgtest.Database(t) },
		Open: func(t *testing.T, place string, process Process) Store {
			return openShards(t, process, strings.Fields(place)...)
		},
		Shared: true,
	})
}

func openStore(
	t *testing.T, place string, caches *cache.Budget, process Process, shard sqlstore.Shard,
) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), place, sqlstore.Options{
		Caches: caches, Migrate: true, Heartbeat: process.Heartbeat, Shard: shard,
		Clock: func() time.Time { return time.Now().Add(process.ClockOffset) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sharded is a store over databases.
type sharded struct {
	*shards.Store
	databases []*sqlstore.Store
}

func (s sharded) Close() (err error) {
	for _, database := range s.databases {
		err = errors.Join(err, database.Close())
	}
	return err
}

func openShards(t *testing.T, process Process, places ...string) Store {
	t.Helper()
	caches := cache.NewBudget(cache.DefaultBytes)
	var s sharded
	var all []shards.Shard
	for i, place := range places {
		database := openStore(t, place, caches, process, sqlstore.Shard{Number: i, Count: len(places)})
		s.databases, all = append(s.databases, database), append(all, database)
	}
	s.Store = shards.New(all)
	return s
}

func TestEveryRequirementIsTested(t *testing.T) {
	var tested []string
	for _, r := range requirements {
		tested = append(tested, r.must)
	}
	contracttest.Compare(t, "../store.go", tested)
}
