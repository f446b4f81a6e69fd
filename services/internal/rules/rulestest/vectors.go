package rulestest

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
)

//go:embed testdata/reversi.tsv
var reversiTable string

// ReversiVector is a published case for Reversi. The head of testdata/reversi.tsv explains the
// columns of each kind.
type ReversiVector struct {
	// Line is the number of the line in the file, from 1.
	Line int
	Kind string
	// Size is the rings of a hexagonal board or the side of a square one.
	Hexagonal bool
	Size      int
	// Board and Rule are columns of the file, such as "hex5" and "forced".
	Board, Rule              string
	Key, Value, Value2, Note string
}

// Name returns a unique name for t.Run.
func (v ReversiVector) Name() string {
	return strings.Join([]string{"line" + strconv.Itoa(v.Line), v.Kind, v.Board, v.Rule, v.Key}, " ")
}

// ReversiVectors returns the cases of the given kinds. A kind without cases fails the test.
func ReversiVectors(t testing.TB, kinds ...string) []ReversiVector {
	t.Helper()
	var all []ReversiVector
	for _, kind := range kinds {
		found := len(all)
		for i, line := range strings.Split(reversiTable, "\n") {
			if columns := strings.Split(line, "\t"); columns[0] == kind {
				all = append(all, reversiVector(t, i+1, columns))
			}
		}
		if len(all) == found {
			t.Fatalf("there are no cases of the kind %q", kind)
		}
	}
	return all
}

func reversiVector(t testing.TB, line int, columns []string) ReversiVector {
	t.Helper()
	if len(columns) != 7 {
		t.Fatalf("line %d of the cases has %d columns", line, len(columns))
	}
	v := ReversiVector{
		Line: line, Kind: columns[0], Board: columns[1], Rule: columns[2],
		Key: columns[3], Value: columns[4], Value2: columns[5], Note: columns[6],
	}
	size, hexagonal := strings.CutPrefix(v.Board, "hex")
	v.Hexagonal = hexagonal
	v.Size = Number(t, strings.TrimPrefix(size, "square"))
	return v
}

// Moves reads a list of moves, the key or the note of the case: cells and "pass", separated by
// blanks. Cells are q,r on hexagons and column,row on squares, from 1 in greedy003 and from 0
// elsewhere.
func (v ReversiVector) Moves(t testing.TB, list string) []rules.Move {
	t.Helper()
	var moves []rules.Move
	for word := range strings.FieldsSeq(list) {
		if word == "pass" {
			moves = append(moves, rules.Pass)
			continue
		}
		before, after, _ := strings.Cut(word, ",")
		moves = append(moves, rules.Place(v.cell(Number(t, before), Number(t, after))))
	}
	return moves
}

func (v ReversiVector) cell(a, b int) rules.Cell {
	switch {
	case v.Hexagonal:
		return rules.HexCell(a, b)
	case v.Kind == "greedy003":
		return rules.SquareCell(b-1, a-1)
	}
	return rules.SquareCell(b, a)
}

// Discs returns a value such as "5-2" as a score, Black first.
func (v ReversiVector) Discs(t testing.TB) rules.Score {
	t.Helper()
	black, white, _ := strings.Cut(v.Value, "-")
	return rules.Score{First: Number(t, black), Second: Number(t, white)}
}

// Number reads a whole number. Any other text fails the test.
func Number(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%q is not a number", text)
	}
	return n
}
