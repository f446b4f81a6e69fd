package sqlstore

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestDatabaseKeepsItsPlaceAmongSeveral(t *testing.T) {
	address := filepath.Join(t.TempDir(), "games.db")
	open := func(place Shard) error {
		s, err := Open(t.Context(), address, Options{Shard: place})
		if err == nil {
			s.Close()
		}
		return err
	}
	for range 2 {
		if err := open(Shard{Number: 1, Count: 2}); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		place Shard
		want  string
	}{
		"in another order":  {Shard{Number: 0, Count: 2}, "it is database 2 of 2, but it is listed as database 1 of 2"},
		"in a longer list":  {Shard{Number: 1, Count: 3}, "it is database 2 of 2, but it is listed as database 2 of 3"},
		"as the only one":   {Shard{}, "it is database 2 of 2, but it is listed as database 1 of 1"},
		"as a list of one":  {Shard{Count: 1}, "listed as database 1 of 1: list the same databases in the same order as before"},
		"with its location": {Shard{}, address},
	} {
		if err := open(test.place); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
