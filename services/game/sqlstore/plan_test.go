package sqlstore

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// TestStatementsReadIndexesOnly asks the database how it would run each statement: a table is never read as a whole, and
// nothing is sorted that could be read in order.
func TestStatementsReadIndexesOnly(t *testing.T) {
	s := openStoreAt(t, filepath.Join(t.TempDir(), "games.db"))
	statements := []string{
		selectGame, selectOther, selectFirstEvent, selectGamesAfter, selectEvents, selectRequest, selectTurns, selectLastSeq, selectDueRobots,
		selectDueClocks,
		selectOldestRobotTurn, selectPlayer, selectExternalPlayer, selectKnown, insertGame, updateGame, insertEvent,
		insertListing, deleteListing, addToCounter, updateLease, updateKeyHash, insertExternalPlayer, insertPlayerOfService,
	}
	for _, viewer := range []string{"", "v"} {
		for _, state := range []game.State{"", game.Active} {
			for _, kind := range slices.Concat(allKinds, []rules.Kind{""}) {
				for _, before := range []string{"", "b"} {
					text, _ := selectGames(game.Filter{Viewer: viewer, State: state, Kind: kind, Before: before})
					statements = append(statements, text)
				}
			}
		}
	}
	for _, text := range statements {
		for _, step := range explain(t, s, text) {
			// l is a list to which its limit was applied, and a constant row what a statement inserts.
			if strings.HasPrefix(step, "SCAN") && step != "SCAN l" && step != "SCAN CONSTANT ROW" || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s\nfor %s", step, text)
			}
		}
	}
}

func explain(t *testing.T, s *Store, text string) []string {
	t.Helper()
	arguments := make([]any, 32)
	rows, err := s.db.(*sqliteFile).writer.sql.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, arguments...)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}
