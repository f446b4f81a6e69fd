package sqlstore

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/sqlstore/pgtest"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// hotStatements returns all statements that run while games are played and read, on both databases.
func hotStatements() []string {
	statements := []string{
		selectGame, selectGameIfChanged, selectFirstEvent, selectGamesAfter, selectEvents, selectLastEvent, selectRequest, selectTurns,
		selectSettled, selectInvitations, selectDueRobots, selectDueClocks, selectOldestRobotTurn, selectFirstDeadline, selectPlayer,
		selectExternalPlayer, selectListed, insertGame, updateGame, insertEvent, insertListing, deleteListing, addToCounter, updateLease, updateKeyHash, insertExternalPlayer, insertPlayerOfService,
		extendServing, selectServiceTurns, selectWebhook, selectDueWebhooks, upsertWebhook, deleteWebhook, leaseWebhook, endDelivery,
	}
	for _, viewer := range []string{"", "v"} {
		for _, states := range [][]game.State{nil, {game.StateActive}} {
			for _, kind := range slices.Concat(allKinds, []rules.Kind{""}) {
				for _, before := range []string{"", "b"} {
					text, _ := selectGames(game.Filter{Viewer: viewer, States: states, Kind: kind, Before: before})
					statements = append(statements, text)
				}
			}
		}
	}
	return statements
}

// TestStatementsReadIndexesOnly checks the query plan of each statement: no statement scans a whole
// table, and none sorts rows that an index has in order.
func TestStatementsReadIndexesOnly(t *testing.T) {
	s := openStoreAt(t, filepath.Join(t.TempDir(), "games.db"))
	for _, text := range hotStatements() {
		for _, step := range explain(t, s, text) {
			// SCAN l reads a list after its limit, SCAN CONSTANT ROW the inserted row.
			if strings.HasPrefix(step, "SCAN") && step != "SCAN l" && step != "SCAN CONSTANT ROW" || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s\nfor %s", step, text)
			}
		}
	}
}

func explain(t *testing.T, s *Store, text string) []string {
	t.Helper()
	arguments := make([]any, 32)
	rows, err := s.db.(monitored).database.(*sqliteFile).writer.sql.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, arguments...)
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

// TestStatementsReadIndexesOnlyOnPostgres checks the generic plans of PostgreSQL without
// statistics, as the store uses them. A disabled step appears in a plan only if there is no
// alternative.
func TestStatementsReadIndexesOnlyOnPostgres(t *testing.T) {
	s := openStoreAt(t, pgtest.Database(t))
	conn, err := s.db.(monitored).database.(*postgres).readers.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for i, text := range append(hotStatements(), writeMoves) {
		for step := range explainPostgres(t, conn.Conn(), fmt.Sprintf("hot_%d", i), postgresText(text)).steps {
			if fault := step.fault(); fault != "" {
				t.Errorf("%s of %s%s\nfor %s", fault, step.Table, step.Index, text)
			}
		}
	}
}

// plan is a step of a plan of PostgreSQL with its parts.
type plan struct {
	Kind      string `json:"Node Type"`
	Table     string `json:"Relation Name"`
	Index     string `json:"Index Name"`
	Condition string `json:"Index Cond"`
	Plans     []plan
}

func (p plan) steps(yield func(plan) bool) { _ = p.walk(yield) }

func (p plan) walk(yield func(plan) bool) bool {
	return yield(p) && !slices.ContainsFunc(p.Plans, func(part plan) bool { return !part.walk(yield) })
}

// queues are the partial indexes that hold only due games. Queries read them from the front without
// a condition.
var queues = []string{"games_robot_since", "games_deadline"}

// fault describes a step that reads too much. It returns "" for other steps.
func (p plan) fault() string {
	switch p.Kind {
	case "Index Scan", "Index Only Scan":
		if p.Condition == "" && !slices.Contains(queues, p.Index) {
			return "the whole index "
		}
	case "Seq Scan", "Bitmap Heap Scan", "Sort", "Incremental Sort", "Hash Join", "Merge Join":
		return p.Kind
	}
	return ""
}

// explainPostgres prepares a statement under a name and returns its plan.
func explainPostgres(t *testing.T, conn *pgx.Conn, name, text string) plan {
	t.Helper()
	prepared, err := conn.Prepare(t.Context(), name, text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	execute := "EXPLAIN (FORMAT JSON) EXECUTE " + name
	if n := len(prepared.ParamOIDs); n > 0 {
		execute += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
	}
	var explained []byte
	if err := conn.QueryRow(t.Context(), execute).Scan(&explained); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var plans []struct{ Plan plan }
	if err := json.Unmarshal(explained, &plans); err != nil || len(plans) != 1 {
		t.Fatalf("%v in %s", err, explained)
	}
	return plans[0].Plan
}
