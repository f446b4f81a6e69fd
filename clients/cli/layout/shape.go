// Package layout places the cells of a board on the characters of a screen, and finds the cell
// under a character or beside another cell. It knows the shape of boards and no rules.
package layout

import (
	"fmt"

	gamev1 "github.com/flipside-games/flipside/gen/go/flipside/game/v1"
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Cell is a cell of a board: its row, counted from the top, and its place in that row, counted from
// the left. Both start at 0.
type Cell struct{ Row, Index int }

// Shape is the outline of a board: a hexagon, or a rectangle if Rings is 0.
type Shape struct {
	Rings         int
	Rows, Columns int // Columns is the length of the longest row
}

// Hexagon returns a hexagon with a number of rings around the centre cell.
func Hexagon(rings int) Shape {
	return Shape{Rings: rings, Rows: 2*rings + 1, Columns: 2*rings + 1}
}

// Rectangle returns a rectangle.
func Rectangle(rows, columns int) Shape { return Shape{Rows: rows, Columns: columns} }

// Of returns the shape of the board of a game.
func Of(game *gamev1.Game) Shape {
	reversi := game.GetSetup().GetReversi()
	if reversi.GetSquare() != nil {
		side := int(reversi.GetSquare().GetSide())
		return Rectangle(side, side)
	}
	if reversi != nil {
		return Hexagon(int(reversi.GetHexagon().GetRings()))
	}
	trios := game.GetPosition().GetThreeTrios()
	return Rectangle(int(trios.GetRows()), int(trios.GetColumns()))
}

// Length returns the number of cells in a row.
func (s Shape) Length(row int) int {
	if s.Rings == 0 {
		return s.Columns
	}
	return s.Columns - abs(row-s.Rings)
}

// Contains reports whether a cell is on the board.
func (s Shape) Contains(c Cell) bool {
	return c.Row >= 0 && c.Row < s.Rows && c.Index >= 0 && c.Index < s.Length(c.Row)
}

// Middle returns the cell in the middle of the board, or next to it.
func (s Shape) Middle() Cell { return Cell{s.Rows / 2, s.Length(s.Rows/2) / 2} }

// Direction is a step along an axis of the board. On a hexagon, Left and Right change q, and Up and
// Down change r.
type Direction int

// The directions.
const (
	Left Direction = iota
	Right
	Up
	Down
)

// Step returns the neighbour of a cell in a direction, or the cell itself at the edge.
func (s Shape) Step(c Cell, d Direction) Cell {
	column := c.Index + s.firstColumn(c.Row)
	next := Cell{Row: c.Row}
	switch d {
	case Left:
		column--
	case Right:
		column++
	case Up:
		next.Row--
	case Down:
		next.Row++
	}
	next.Index = column - s.firstColumn(next.Row)
	if !s.Contains(next) {
		return c
	}
	return next
}

// firstColumn returns the column of the first cell in a row: q on a hexagon, 0 on a rectangle.
func (s Shape) firstColumn(row int) int {
	if s.Rings == 0 {
		return 0
	}
	return max(-s.Rings, -row)
}

// Axial returns the axial coordinates of a cell of a hexagon.
func (s Shape) Axial(c Cell) (q, r int) { return c.Index + s.firstColumn(c.Row), c.Row - s.Rings }

// HasAxial reports whether a hexagon has a cell with axial coordinates.
func (s Shape) HasAxial(q, r int) bool {
	row := r + s.Rings
	return s.Contains(Cell{row, q - s.firstColumn(row)})
}

// Proto returns a cell in the form of the API.
func (s Shape) Proto(c Cell) *rulesv1.Cell {
	if s.Rings > 0 {
		q, r := s.Axial(c)
		hex := &rulesv1.HexCell{Q: int32(q), R: int32(r)}
		return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Hex{Hex: hex}}
	}
	square := &rulesv1.SquareCell{Row: int32(c.Row), Column: int32(c.Index)}
	return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Square{Square: square}}
}

// FromProto returns the cell that the API names.
func (s Shape) FromProto(cell *rulesv1.Cell) Cell {
	if hex := cell.GetHex(); hex != nil {
		row := int(hex.GetR()) + s.Rings
		return Cell{row, int(hex.GetQ()) - s.firstColumn(row)}
	}
	return Cell{int(cell.GetSquare().GetRow()), int(cell.GetSquare().GetColumn())}
}

// Name names a cell for people: its three coordinates on a hexagon, such as d3 on a square.
func (s Shape) Name(c Cell) string {
	if s.Rings > 0 {
		q, r := s.Axial(c)
		return fmt.Sprintf("q %d, r %d, s %d", q, r, -q-r)
	}
	return fmt.Sprintf("%c%d", 'a'+c.Index, c.Row+1)
}

func abs(n int) int { return max(n, -n) }
