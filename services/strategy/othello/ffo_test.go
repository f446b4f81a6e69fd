package othello

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ending is a position of the published endgame suite, scored with the empty cells given to the winner.
type ending struct {
	id    int
	board Board
	score int
	best  []string
}

// suite reads the positions numbered from to to.
func suite(t testing.TB, from, to int) (endings []ending) {
	t.Helper()
	file, err := os.Open("testdata/ffo.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		id, err := strconv.Atoi(columns[0])
		if err != nil || id < from || id > to {
			continue
		}
		score, err := strconv.Atoi(columns[4])
		if err != nil {
			t.Fatal(err)
		}
		endings = append(endings, ending{id, parseBoard(columns[1], columns[2]), score, strings.Split(columns[5], ",")})
	}
	return endings
}

// parseBoard reads 64 cells, X, O or -, and the side to move.
func parseBoard(cells, side string) Board {
	b := Board{}
	for i, c := range cells {
		switch c {
		case 'X':
			b.Mover |= 1 << i
		case 'O':
			b.Opponent |= 1 << i
		}
	}
	if side == "O" {
		return b.Pass()
	}
	return b
}

func TestSuiteTo19(t *testing.T) {
	for _, e := range suite(t, 1, 19) {
		engine := New(Options{TableBytes: 1 << 24, Scoring: EmptiesToWinner})
		got := engine.Search(t.Context(), e.board, Limits{}, nil)[0]
		if got.Score != e.score || !got.Exact {
			t.Errorf("position %d: %+v, want %d", e.id, got, e.score)
		}
		if !slices.Contains(e.best, got.Line[0].String()) {
			t.Errorf("position %d: best %v, want %v", e.id, got.Line[0], e.best)
		}
		if end := playLine(e.board, got.Line); !end.Over() || EmptiesToWinner.Final(end) != e.score*sideAfter(got.Line) {
			t.Errorf("position %d: %v does not lead to %+d", e.id, got.Line, e.score)
		}
	}
}

func playLine(b Board, line []Square) Board {
	for _, x := range line {
		b = b.played(x)
	}
	return b
}

// sideAfter is the sign of the side to move after a line.
func sideAfter(line []Square) int { return 1 - len(line)%2*2 }

func BenchmarkSuite(b *testing.B) {
	for _, span := range [][2]int{{1, 19}, {20, 39}, {40, 49}} {
		b.Run(strconv.Itoa(span[0])+"-"+strconv.Itoa(span[1]), func(b *testing.B) {
			var nodes int64
			for b.Loop() {
				for _, e := range suite(b, span[0], span[1]) {
					engine := New(Options{Scoring: EmptiesToWinner})
					start := b.Elapsed()
					got := engine.Search(b.Context(), e.board, Limits{}, nil)[0]
					if got.Score != e.score || !got.Exact {
						b.Errorf("position %d: %+v, want %d", e.id, got, e.score)
					}
					nodes += got.Nodes
					b.Logf("%d\t%d empties\t%+d\t%d nodes\t%.3f s", e.id, e.board.Empties(), got.Score, got.Nodes,
						(b.Elapsed() - start).Seconds())
				}
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}
