// Package reversi is Reversi on any board of lines: hexagons and squares, with voluntary or forced
// passing. The rules are one; a board is only tables. It does not decide whose request a move is, keeps no
// game, chooses no move and draws nothing but text.
package reversi

import (
	"slices"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Shape is the outline of a board. The zero value means that none was named.
type Shape string

// The shapes there are.
const (
	Hexagon Shape = "hexagon"
	Square  Shape = "square"
)

// Bounds on sizes. Rings of a hexagon go round its centre cell, which is not counted; sides of a square
// are even.
const (
	MinRings, DefaultRings, MaxRings = 1, 5, 12
	MinSide, DefaultSide, MaxSide    = 4, 8, 16
)

// maxCells is the number of cells of the largest board, the hexagon of twelve rings, and maxDirections
// the number of directions of the shape that has most.
const (
	maxCells      = 3*MaxRings*(MaxRings+1) + 1
	maxDirections = 8
)

// Board is the cells of a board and the lines through them, as tables. There is one for each shape and
// size; it is immutable and may be used from many goroutines.
type Board struct {
	shape Shape
	size  int
	// cells are in reading order; their indices are what everything else is expressed in.
	cells   []rules.Cell
	rows    []row
	corners []int
	// next holds, for every cell, the neighbour in each direction, or outside where the board ends. The
	// neighbours of outside are outside.
	next       [][maxDirections]int16
	directions int
	outside    int16
}

// row is one row of cells: the index of the leftmost, its column, and how many there are.
type row struct{ start, column, length int }

// step is a direction on the board.
type step struct{ right, down int }

var (
	hexagonSteps = []step{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}}
	squareSteps  = append([]step{{1, 1}, {-1, -1}}, hexagonSteps...)
)

// Boards are built when first asked for, since a program seldom needs more than a few.
var (
	hexagons = lazily(MaxRings, newHexagon)
	squares  = lazily(MaxSide, newSquare)
)

func lazily(largest int, build func(size int) *Board) []func() *Board {
	boards := make([]func() *Board, largest+1)
	for size := range boards {
		boards[size] = sync.OnceValue(func() *Board { return build(size) })
	}
	return boards
}

// NewBoard returns the board of a shape and size, which is the same value every time. A shape there is
// not, or a size out of range, is a *fault.Error that names the field.
func NewBoard(shape Shape, size int) (*Board, error) {
	if err := checkSize(shape, size); err != nil {
		return nil, err
	}
	if shape == Hexagon {
		return hexagons[size](), nil
	}
	return squares[size](), nil
}

// newHexagon lays out the rows r = -n to n, each from its smallest q to its largest.
func newHexagon(n int) *Board {
	b := &Board{shape: Hexagon, size: n}
	for r := -n; r <= n; r++ {
		b.addRow(max(-n, -n-r), 2*n+1-abs(r))
	}
	b.link(hexagonSteps)
	b.corners = b.indices(b.cell(0, -n), b.cell(n, -n), b.cell(-n, 0), b.cell(n, 0), b.cell(-n, n), b.cell(0, n))
	return b
}

func newSquare(side int) *Board {
	b := &Board{shape: Square, size: side}
	for range side {
		b.addRow(0, side)
	}
	b.link(squareSteps)
	last := side - 1
	b.corners = b.indices(b.cell(0, 0), b.cell(last, 0), b.cell(0, last), b.cell(last, last))
	return b
}

func (b *Board) addRow(column, length int) {
	line := row{start: len(b.cells), column: column, length: length}
	y := len(b.rows) - b.rowsAbove()
	for x := column; x < column+length; x++ {
		b.cells = append(b.cells, b.cell(x, y))
	}
	b.rows = append(b.rows, line)
}

// rowsAbove is how many rows lie above the row numbered 0: hexagons count from their centre.
func (b *Board) rowsAbove() int {
	if b.shape == Hexagon {
		return b.size
	}
	return 0
}

// cell and columnRow are the two places that know how the coordinates of a cell are named.
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

func (b *Board) indices(cells ...rules.Cell) []int {
	all := make([]int, len(cells))
	for i, c := range cells {
		all[i] = b.index(c)
	}
	return all
}

// index returns where a cell of the board's own shape is in reading order; outside if it is off the board.
func (b *Board) index(c rules.Cell) int {
	x, y := columnRow(c)
	if y += b.rowsAbove(); y < 0 || y >= len(b.rows) {
		return int(b.outside)
	}
	line := b.rows[y]
	if x -= line.column; x < 0 || x >= line.length {
		return int(b.outside)
	}
	return line.start + x
}

// Shape returns the outline of the board.
func (b *Board) Shape() Shape { return b.shape }

// Size returns the rings of a hexagon, the side of a square.
func (b *Board) Size() int { return b.size }

// Cells returns every cell in reading order. The caller owns the slice.
func (b *Board) Cells() []rules.Cell { return slices.Clone(b.cells) }

// Corners returns the corner cells in reading order. The caller owns the slice.
func (b *Board) Corners() []rules.Cell { return b.cellsAt(b.corners) }

// Contains reports whether the cell is on the board; a cell of another shape is not.
func (b *Board) Contains(c rules.Cell) bool {
	return b.fits(c) && b.index(c) != int(b.outside)
}

// fits reports whether the cell has the coordinates of this board's shape, on the board or off it.
func (b *Board) fits(c rules.Cell) bool { return c.Hexagonal() == (b.shape == Hexagon) }

// Neighbours returns the cells next to a cell in any direction, in reading order; none for a cell off the
// board. The caller owns the slice.
func (b *Board) Neighbours(c rules.Cell) []rules.Cell {
	if !b.Contains(c) {
		return nil
	}
	var found []int
	for _, n := range b.next[b.index(c)] {
		if n != b.outside {
			found = append(found, int(n))
		}
	}
	slices.Sort(found)
	return b.cellsAt(found)
}

func (b *Board) cellsAt(indices []int) []rules.Cell {
	cells := make([]rules.Cell, len(indices))
	for i, n := range indices {
		cells[i] = b.cells[n]
	}
	return cells
}

func abs(n int) int { return max(n, -n) }
