// Package reversi implements the rules of Reversi on hexagonal and square boards, with voluntary or
// forced passing: which moves are legal, which discs flip, when a game ends, its notation and its
// text drawing. The rules read boards only as tables, so that they are the same for every shape.
//
// The package does not check which player sends a move, does not store games and does not choose
// moves.
package reversi

import (
	"slices"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Shape is the shape of a board. The zero value means the default, Hexagon.
type Shape string

// The shapes.
const (
	Hexagon Shape = "hexagon"
	Square  Shape = "square"
)

// Bounds of sizes. The size of a hexagon is the number of rings round its centre cell. The size of
// a square is the number of cells on one side and must be even.
const (
	MinRings, DefaultRings, MaxRings = 1, 5, 12
	MinSide, DefaultSide, MaxSide    = 4, 8, 16
)

// maxCells is the number of cells of the largest board, a hexagon of MaxRings. maxDirections is the
// number of directions on a square, which has more than a hexagon.
const (
	maxCells      = 3*MaxRings*(MaxRings+1) + 1
	maxDirections = 8
)

// Board holds the cells of a board and their neighbours as tables. There is one Board for each
// shape and size. It is immutable and safe for concurrent use.
type Board struct {
	shape Shape
	size  int
	// cells are in reading order. The index in this slice identifies a cell inside this package.
	cells   []rules.Cell
	rows    []row
	corners []rules.Cell
	// next holds the neighbour of each cell in each direction, or outside beyond the edge. All
	// neighbours of outside are outside.
	next       [][maxDirections]int16
	directions int
	outside    int16
}

// row is a row of cells: the index and the column of the leftmost cell, and the number of cells.
type row struct{ start, column, length int }

// step is the offset to the neighbour in one direction.
type step struct{ right, down int }

var (
	hexagonSteps = []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}}
	squareSteps  = append([]step{{1, 1}, {-1, -1}}, hexagonSteps...)
)

// Each board is built on first use, because a program needs few of them.
var (
	hexagons = lazyBoards(MaxRings, newHexagon)
	squares  = lazyBoards(MaxSide, newSquare)
)

func lazyBoards(largest int, build func(size int) *Board) []func() *Board {
	boards := make([]func() *Board, largest+1)
	for size := range boards {
		boards[size] = sync.OnceValue(func() *Board { return build(size) })
	}
	return boards
}

// NewBoard returns the board of a shape and size. It returns the same pointer every time. An
// unknown shape or a size out of range is a *fault.Error that names the field.
func NewBoard(shape Shape, size int) (*Board, error) {
	if err := checkSize(shape, size); err != nil {
		return nil, err
	}
	if shape == Hexagon {
		return hexagons[size](), nil
	}
	return squares[size](), nil
}

// newHexagon adds the rows r = -n to n, each from its smallest q to its largest.
func newHexagon(n int) *Board {
	b := &Board{shape: Hexagon, size: n}
	for r := -n; r <= n; r++ {
		b.addRow(max(-n, -n-r), 2*n+1-abs(r))
	}
	b.link(hexagonSteps)
	b.corners = []rules.Cell{
		b.cell(0, -n), b.cell(n, -n), b.cell(-n, 0), b.cell(n, 0), b.cell(-n, n), b.cell(0, n),
	}
	return b
}

func newSquare(side int) *Board {
	b := &Board{shape: Square, size: side}
	for range side {
		b.addRow(0, side)
	}
	b.link(squareSteps)
	last := side - 1
	b.corners = []rules.Cell{b.cell(0, 0), b.cell(last, 0), b.cell(0, last), b.cell(last, last)}
	return b
}

func (b *Board) addRow(column, length int) {
	start, y := len(b.cells), len(b.rows)-b.rowOffset()
	for x := column; x < column+length; x++ {
		b.cells = append(b.cells, b.cell(x, y))
	}
	b.rows = append(b.rows, row{start, column, length})
}

// rowOffset returns the index of the row with coordinate 0: the middle row of a hexagon, the top
// row of a square.
func (b *Board) rowOffset() int {
	if b.shape == Hexagon {
		return b.size
	}
	return 0
}

// cell and columnRow convert between cells and the coordinates of either shape.
func (b *Board) cell(column, row int) rules.Cell {
	if b.shape == Hexagon {
		return rules.HexCell(column, row)
	}
	return rules.SquareCell(row, column)
}

func columnRow(c rules.Cell) (column, row int) {
	if c.Hexagonal() {
		return c.Axial()
	}
	row, column = c.RowColumn()
	return column, row
}

// link fills in the neighbours of all cells.
func (b *Board) link(steps []step) {
	b.directions = len(steps)
	b.outside = int16(len(b.cells))
	b.next = make([][maxDirections]int16, len(b.cells)+1)
	for i := range b.next {
		for d := range maxDirections {
			b.next[i][d] = b.outside
		}
	}
	for i, c := range b.cells {
		x, y := columnRow(c)
		for d, s := range steps {
			b.next[i][d] = int16(b.index(b.cell(x+s.right, y+s.down)))
		}
	}
}

// index returns the index of a cell of the board's own shape, or outside.
func (b *Board) index(c rules.Cell) int {
	x, y := columnRow(c)
	if y += b.rowOffset(); y < 0 || y >= len(b.rows) {
		return int(b.outside)
	}
	line := b.rows[y]
	if x -= line.column; x < 0 || x >= line.length {
		return int(b.outside)
	}
	return line.start + x
}

// Shape returns the shape of the board.
func (b *Board) Shape() Shape { return b.shape }

// Size returns the rings of a hexagon or the side of a square, in cells.
func (b *Board) Size() int { return b.size }

// Cells returns all cells in reading order. The caller owns the slice.
func (b *Board) Cells() []rules.Cell { return slices.Clone(b.cells) }

// Corners returns the corner cells in reading order. The caller owns the slice.
func (b *Board) Corners() []rules.Cell { return slices.Clone(b.corners) }

// Contains reports whether a cell is on the board. A cell of another shape is not.
func (b *Board) Contains(c rules.Cell) bool {
	return b.sameShape(c) && b.index(c) != int(b.outside)
}

// sameShape reports whether a cell has the kind of coordinates that this board has.
func (b *Board) sameShape(c rules.Cell) bool { return c.Hexagonal() == (b.shape == Hexagon) }

// Neighbours returns the cells next to a cell in all directions, in reading order. A cell off the
// board has none. The caller owns the slice.
func (b *Board) Neighbours(c rules.Cell) []rules.Cell {
	if !b.Contains(c) {
		return nil
	}
	next := b.next[b.index(c)]
	slices.Sort(next[:])
	var cells []rules.Cell
	for _, n := range next {
		if n != b.outside {
			cells = append(cells, b.cells[n])
		}
	}
	return cells
}

func abs(n int) int { return max(n, -n) }
