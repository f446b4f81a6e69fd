package sqlstore_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game/sqlstore"
	"github.com/flipside-games/flipside/services/game/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, place string) storetest.Store { return open(t, place, sqlstore.Options{}) })
}

func open(t testing.TB, folder string, options sqlstore.Options) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), filepath.Join(folder, "games.db"), options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
