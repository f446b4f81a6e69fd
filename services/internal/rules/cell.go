package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Cell is a cell by its coordinates: axial (q, r) on a hexagonal board, (row, column) on any other.
// It need not be on the board. Cells are comparable. The zero value is the square cell in row 0,
// column 0.
type Cell struct {
	hexagonal bool
	a, b      int32
}

// HexCell returns the cell with axial coordinates q and r. (0, 0) is the centre; q grows to the
// right along a row, r grows downwards. Coordinates beyond 32 bits are clamped.
func HexCell(q, r int) Cell { return Cell{true, clamp(q), clamp(r)} }

// SquareCell returns the cell in a row and a column, both counted from 0 at the top left.
// Coordinates beyond 32 bits are clamped.
func SquareCell(row, column int) Cell { return Cell{false, clamp(row), clamp(column)} }

// clamp avoids overflow. Every clamped coordinate is off every board. Messages and notations have no
// coordinates beyond 32 bits, so that errors name the cell of the request.
func clamp(n int) int32 { return int32(max(math.MinInt32, min(n, math.MaxInt32))) }

// Hexagonal reports whether the cell has axial coordinates.
func (c Cell) Hexagonal() bool { return c.hexagonal }

// Axial returns q and r of a hexagonal cell.
func (c Cell) Axial() (q, r int) { return int(c.a), int(c.b) }

// RowColumn returns the row and the column of a square cell.
func (c Cell) RowColumn() (row, column int) { return int(c.a), int(c.b) }

// MarshalText returns a form that can be read without knowing the board: q-1r2 or r2c3.
func (c Cell) MarshalText() ([]byte, error) {
	format := "r%dc%d"
	if c.hexagonal {
		format = "q%dr%d"
	}
	return fmt.Appendf(nil, format, c.a, c.b), nil
}

// UnmarshalText reads the form that MarshalText writes.
func (c *Cell) UnmarshalText(text []byte) error {
	read := func(first, second string, cell func(a, b int) Cell) bool {
		rest, named := strings.CutPrefix(string(text), first)
		before, after, cut := strings.Cut(rest, second)
		a, err := strconv.Atoi(before)
		b, err2 := strconv.Atoi(after)
		*c = cell(a, b)
		return named && cut && err == nil && err2 == nil
	}
	if read("q", "r", HexCell) || read("r", "c", SquareCell) {
		return nil
	}
	return fmt.Errorf("a stored cell has the form q-1r2 or r2c3, not %q", text)
}
