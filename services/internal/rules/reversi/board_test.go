package reversi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// allBoards returns the boards of every shape and size.
func allBoards(t *testing.T) []*reversi.Board {
	t.Helper()
	var boards []*reversi.Board
	for rings := reversi.MinRings; rings <= reversi.MaxRings; rings++ {
		boards = append(boards, board(t, reversi.Hexagon, rings))
	}
	for side := reversi.MinSide; side <= reversi.MaxSide; side += 2 {
		boards = append(boards, board(t, reversi.Square, side))
	}
	return boards
}

func board(t *testing.T, shape reversi.Shape, size int) *reversi.Board {
	t.Helper()
	b, err := reversi.NewBoard(shape, size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func boardName(b *reversi.Board) string { return fmt.Sprint(b.Shape(), b.Size()) }

// cellNames returns cells in notation.
func cellNames(t *testing.T, b *reversi.Board, cells []rules.Cell) string {
	t.Helper()
	p := start(t, reversi.Setup{Shape: b.Shape(), Size: b.Size()})
	var names []string
	for _, c := range cells {
		names = append(names, p.CellNotation(c))
	}
	return strings.Join(names, " ")
}

func TestNumberOfCells(t *testing.T) {
	for _, b := range allBoards(t) {
		n := b.Size()
		want := n * n
		if b.Shape() == reversi.Hexagon {
			want = 3*n*(n+1) + 1
		}
		if got := len(b.Cells()); got != want {
			t.Errorf("%s has %d cells, want %d", boardName(b), got, want)
		}
	}
}

// onBoard reports whether a cell is on the board, by the definition in the rules instead of tables.
func onBoard(b *reversi.Board, c rules.Cell) bool {
	if b.Shape() == reversi.Hexagon {
		q, r := c.Axial()
		return max(q, -q) <= b.Size() && max(r, -r) <= b.Size() && max(q+r, -q-r) <= b.Size()
	}
	row, column := c.RowColumn()
	return 0 <= row && row < b.Size() && 0 <= column && column < b.Size()
}

func TestCellsAreInReadingOrder(t *testing.T) {
	for _, b := range allBoards(t) {
		var want []rules.Cell
		for down := -20; down <= 20; down++ {
			for right := -20; right <= 20; right++ {
				c := rules.SquareCell(down, right)
				if b.Shape() == reversi.Hexagon {
					c = rules.HexCell(right, down)
				}
				if b.Contains(c) != onBoard(b, c) {
					t.Errorf("%s: Contains(%+v) = %v", boardName(b), c, b.Contains(c))
				}
				if onBoard(b, c) {
					want = append(want, c)
				}
			}
		}
		if diff := cmp.Diff(want, b.Cells(), cmpopts.EquateComparable(rules.Cell{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", boardName(b), diff)
		}
	}
}

func TestCellsOfTheOtherShapeAreOffTheBoard(t *testing.T) {
	if board(t, reversi.Hexagon, 5).Contains(rules.SquareCell(0, 0)) {
		t.Error("a hexagonal board contains a square cell")
	}
	if board(t, reversi.Square, 8).Contains(rules.HexCell(1, 1)) {
		t.Error("a square board contains a hexagonal cell")
	}
}

func TestCorners(t *testing.T) {
	for _, c := range []struct {
		shape reversi.Shape
		size  int
		want  string
	}{
		{reversi.Hexagon, 5, "0,-5 5,-5 -5,0 5,0 -5,5 0,5"},
		{reversi.Hexagon, 1, "0,-1 1,-1 -1,0 1,0 -1,1 0,1"},
		{reversi.Square, 8, "a1 h1 a8 h8"},
		{reversi.Square, 16, "a1 p1 a16 p16"},
	} {
		b := board(t, c.shape, c.size)
		if got := cellNames(t, b, b.Corners()); got != c.want {
			t.Errorf("the corners of %s are %s, want %s", boardName(b), got, c.want)
		}
	}
}

func TestNeighbours(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape reversi.Shape
		size  int
		cell  rules.Cell
		want  string
	}{
		{"six inside a hexagon", reversi.Hexagon, 2, rules.HexCell(0, 0), "0,-1 1,-1 -1,0 1,0 -1,1 0,1"},
		{"three at its corner", reversi.Hexagon, 2, rules.HexCell(0, -2), "1,-2 -1,-1 0,-1"},
		{"eight inside a square", reversi.Square, 8, rules.SquareCell(2, 3), "c2 d2 e2 c3 e3 c4 d4 e4"},
		{"three at its corner", reversi.Square, 8, rules.SquareCell(7, 7), "g7 h7 g8"},
		{"none off the board", reversi.Square, 8, rules.SquareCell(8, 8), ""},
		{"none on another shape", reversi.Square, 8, rules.HexCell(0, 0), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := board(t, c.shape, c.size)
			if got := cellNames(t, b, b.Neighbours(c.cell)); got != c.want {
				t.Errorf("the neighbours are %q, want %q", got, c.want)
			}
		})
	}
}

func TestNeighboursAreMutual(t *testing.T) {
	for _, b := range allBoards(t) {
		for _, c := range b.Cells() {
			for _, n := range b.Neighbours(c) {
				if !slices.Contains(b.Neighbours(n), c) {
					t.Fatalf("%s: %+v is a neighbour of %+v, but not the reverse", boardName(b), n, c)
				}
			}
		}
	}
}

func TestBoardsAreShared(t *testing.T) {
	first := board(t, reversi.Hexagon, 5)
	if second := board(t, reversi.Hexagon, 5); first != second {
		t.Error("NewBoard built the same board twice")
	}
	b := board(t, reversi.Square, 4)
	clear(b.Cells())
	clear(b.Corners())
	clear(b.Neighbours(rules.SquareCell(0, 0)))
	if got := cellNames(t, b, b.Cells()[13:]) + " " + cellNames(t, b, b.Corners()); got != "b4 c4 d4 a1 d1 a4 d4" {
		t.Errorf("clearing the returned slices changed the board: %s", got)
	}
}

func TestSizeBounds(t *testing.T) {
	for _, c := range []struct {
		shape reversi.Shape
		size  int
		field string // "" for a valid size
	}{
		{reversi.Hexagon, -1, "hexagon.rings"},
		{reversi.Hexagon, 0, "hexagon.rings"},
		{reversi.Hexagon, 1, ""},
		{reversi.Hexagon, 12, ""},
		{reversi.Hexagon, 13, "hexagon.rings"},
		{reversi.Square, 2, "square.side"},
		{reversi.Square, 3, "square.side"},
		{reversi.Square, 4, ""},
		{reversi.Square, 5, "square.side"},
		{reversi.Square, 15, "square.side"},
		{reversi.Square, 16, ""},
		{reversi.Square, 17, "square.side"},
		{reversi.Square, 18, "square.side"},
		{"triangle", 5, "shape"},
		{"", 5, "shape"},
	} {
		_, err := reversi.NewBoard(c.shape, c.size)
		if c.field == "" {
			if err != nil {
				t.Errorf("NewBoard(%s, %d): %v", c.shape, c.size, err)
			}
			continue
		}
		wantFault(t, err, fault.InvalidField, c.field)
	}
}
