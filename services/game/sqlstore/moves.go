package sqlstore

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Most jobs are moves: they replace a game and add an event. On PostgreSQL, a statement costs more
// than the row that it writes. So the moves of a transaction share two statements, whose parameters
// are arrays with the values of all rows.
var (
	updateGames = forRows(updateGame, moveSample[0].args, "WHERE id = $20", "FROM rows WHERE id = $20") +
		" RETURNING id"
	insertEvents = forRows(insertEvent, moveSample[1].args, "FROM games", "FROM rows, games")
)

// moveSample has the statements of a move, with arguments of the right types.
var moveSample = (&change{row: gameRow{version: 2}, events: make([]eventRow, 1)}).statements(listed{})

var parameter = regexp.MustCompile(`\$(\d+)`)

// forRows returns a statement that does for many rows what text does for one with arguments like
// sample. It replaces the part before of the text by after, where rows stands for the rows.
func forRows(text string, sample []any, before, after string) string {
	var arrays, names []string
	for i, values := range columns([][]any{sample}) {
		arrays = append(arrays, fmt.Sprintf("$%d::%s", i+1, arrayType(values)))
		names = append(names, fmt.Sprintf("p%d", i+1))
	}
	rows := fmt.Sprintf("unnest(%s) AS r(%s)", strings.Join(arrays, ", "), strings.Join(names, ", "))
	text = strings.Replace(postgresText(text), before, after, 1)
	text = parameter.ReplaceAllString(text, "r.p$1")
	return strings.Replace(text, "FROM rows", "FROM "+rows, 1)
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

// moves are jobs that share statements, by the ids of their games. A game has only one.
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

// isMove reports whether the job only replaces a game and adds an event.
func (j *job) isMove() bool {
	return len(j.statements) == 2 &&
		j.statements[0].text == updateGame && j.statements[1].text == insertEvent
}

// queue adds the shared statements to a batch.
func (m moves) queue(batch *pgx.Batch) {
	if len(m) == 0 {
		return
	}
	for i, text := range []string{updateGames, insertEvents} {
		rows := make([][]any, 0, len(m))
		for _, j := range m {
			rows = append(rows, j.statements[i].args)
		}
		batch.Queue(executions[text], columns(rows)...)
	}
}

// receive reads the results of the shared statements and sets job.changed.
func (m moves) receive(results pgx.BatchResults) error {
	if len(m) == 0 {
		return nil
	}
	for _, j := range m {
		j.changed = 0
	}
	updated, err := results.Query()
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(updated, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, id := range ids {
		m[id].changed = 1
	}
	_, err = results.Exec()
	return err
}
