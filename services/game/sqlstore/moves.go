package sqlstore

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Most jobs are moves: they replace a game and add an event. On PostgreSQL, a statement costs more
// than the row that it writes. So the moves of a transaction share one statement, whose parameters
// are arrays with the values of all moves. It replaces the games, adds the events of those that it
// replaced, and returns their ids.
var writeMoves = func() string {
	sample := (&change{row: gameRow{version: 2}, events: make([]eventRow, 1)}).statements(listed{})
	added := len(sample[0].args) // before the arguments that only the event has
	//nolint:unqueryvet // The CTE names the columns. $21 and $22 are the caller and the request.
	return fmt.Sprintf(`WITH moved AS (%s
		RETURNING id, version, r.p%d, r.p%d, r.p21, r.p22, r.p%d, version AS last_version)
		%s SELECT * FROM moved RETURNING game_id`,
		updateGames(moveArgs(sample)), added+1, added+2, added+3, eventsInto)
}()

// eventsInto is the start of insertEvent.
var eventsInto, _, _ = strings.Cut(insertEvent, "SELECT")

var parameter = regexp.MustCompile(`\$(\d+)`)

// updateGames returns updateGame for the rows of arrays. Column r.p1 has the values of $1. sample
// has the arguments of one row.
func updateGames(sample []any) string {
	var arrays, names []string
	for i, values := range columns([][]any{sample}) {
		arrays = append(arrays, fmt.Sprintf("$%d::%s", i+1, arrayType(values)))
		names = append(names, fmt.Sprintf("p%d", i+1))
	}
	rows := fmt.Sprintf("FROM unnest(%s) AS r(%s)",
		strings.Join(arrays, ", "), strings.Join(names, ", "))
	text := parameter.ReplaceAllString(postgresText(updateGame), "r.p$1")
	return strings.Replace(text, "WHERE id = r.p20", rows+" WHERE id = r.p20", 1)
}

// moveArgs returns the arguments of updateGame, and those of insertEvent that the game lacks: the
// time, the data and the fingerprint.
func moveArgs(move []statement) []any {
	event := move[1].args
	return append(slices.Clip(move[0].args), event[2], event[3], event[6])
}

// columns returns the values of each column of some rows, as a slice of their type.
func columns(rows [][]any) []any {
	all := make([]any, len(rows[0]))
	for i, value := range rows[0] {
		switch value.(type) {
		case string:
			all[i] = column[string](rows, i)
		case []byte:
			all[i] = column[[]byte](rows, i)
		case int:
			all[i] = column[int](rows, i)
		default:
			all[i] = column[int64](rows, i)
		}
	}
	return all
}

func column[T any](rows [][]any, i int) []T {
	values := make([]T, len(rows))
	for n, row := range rows {
		values[n] = row[i].(T)
	}
	return values
}

// arrayType returns the type of PostgreSQL for a column.
func arrayType(column any) string {
	switch column.(type) {
	case []string:
		return "text[]"
	case [][]byte:
		return "bytea[]"
	default:
		return "bigint[]"
	}
}

// moves are jobs that share a statement, by the ids of their games. A game has only one.
type moves map[string]*job

// splitMoves splits jobs into moves and the others. A single move shares nothing: it is one of the
// others.
func splitMoves(jobs []*job) (m moves, others []*job) {
	m = moves{}
	for _, j := range jobs {
		if _, taken := m[j.gameID]; j.isMove() && !taken {
			m[j.gameID] = j
		} else {
			others = append(others, j)
		}
	}
	if len(m) < 2 {
		return nil, jobs
	}
	return m, others
}

// isMove reports whether the job only replaces a game and adds an event of the same request.
func (j *job) isMove() bool {
	return len(j.statements) == 2 &&
		j.statements[0].text == updateGame && j.statements[1].text == insertEvent
}

// queue adds the shared statement to a batch.
func (m moves) queue(batch *pgx.Batch) {
	if len(m) == 0 {
		return
	}
	rows := make([][]any, 0, len(m))
	for _, j := range m {
		rows = append(rows, moveArgs(j.statements))
	}
	batch.Queue(executions[writeMoves], columns(rows)...)
}

// receive reads the result of the shared statement and sets job.changed.
func (m moves) receive(results pgx.BatchResults) error {
	if len(m) == 0 {
		return nil
	}
	for _, j := range m {
		j.changed = 0
	}
	written, err := results.Query()
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(written, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, id := range ids {
		m[id].changed = 1
	}
	return nil
}
