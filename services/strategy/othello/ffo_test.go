package othello

import (
	"bufio"
	"os"
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

func playLine(b Board, line []Square) Board {
	for _, x := range line {
		b = b.played(x)
	}
	return b
}

// sideAfter is the sign of the side to move after a line.
func sideAfter(line []Square) int { return 1 - len(line)%2*2 }
