package threetrios

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Bounds of grids: 1 to MaxRows rows, 1 to MaxColumns columns, and a file of at most MaxGridBytes
// bytes.
const (
	MaxRows      = 16
	MaxColumns   = 16
	MaxGridBytes = 512
)

// The letters of a grid file.
const (
	cardLetter = 'C'
	holeLetter = 'X'
)

// Grid is a rectangle of card cells and holes. The number of card cells is odd; they need not be
// connected. A Grid is immutable and safe for concurrent use.
type Grid struct {
	rows, columns int
	card          cellSet
	// next holds, for every cell, the card cell in each direction, or nowhere.
	next [][directions]int16
}

// Direction is a direction on the grid and the side of a card that faces it.
type Direction int

// The directions, in the order of a card's values in a deck file.
const (
	North Direction = iota
	South
	East
	West
	directions
)

var steps = [directions]struct{ down, right int }{
	North: {-1, 0}, South: {1, 0}, East: {0, 1}, West: {0, -1},
}

// Opposite returns the direction back.
func (d Direction) Opposite() Direction { return d ^ 1 }

// nowhere is the index of a cell off the grid, and of the neighbour beyond an edge or in a hole.
const nowhere = -1

// ParseGrid reads a grid file: the number of rows and columns on the first line, then one line for
// each row, of C (card cell) and X (hole). Lines may end in CRLF. Blank lines may follow. An error
// has the reason INVALID_GRID and the metadata line and column of the first wrong character, both
// from 1.
func ParseGrid(text string) (*Grid, error) {
	if len(text) > MaxGridBytes {
		return nil, fault.New(fault.InvalidGrid, "a grid has at most %d bytes, not %d",
			MaxGridBytes, len(text)).
			With("limit", MaxGridBytes)
	}
	file := textFile{reason: fault.InvalidGrid, lines: splitLines(text)}
	rows, columns, err := file.gridSize()
	if err != nil {
		return nil, err
	}
	var card cellSet
	for row := range rows {
		if err := file.gridRow(row, columns, &card); err != nil {
			return nil, err
		}
	}
	if len(file.lines) > rows+1 {
		return nil, file.errorAt(rows+2, 1, "nothing may follow the %d rows", rows)
	}
	if n := card.size(); n%2 == 0 {
		return nil, file.errorAt(rows+1, columns, "the number of card cells must be odd, not %d", n).
			With("cardCells", n)
	}
	return newGrid(rows, columns, card), nil
}

// gridSize reads the first line.
func (f textFile) gridSize() (rows, columns int, err error) {
	words := f.words(1)
	if rows, err = f.gridNumber(words, "rows", MaxRows); err != nil {
		return 0, 0, err
	}
	if columns, err = f.gridNumber(words[1:], "columns", MaxColumns); err != nil {
		return 0, 0, err
	}
	if rest := words[2:]; len(rest) > 0 {
		return 0, 0, f.errorAt(1, rest[0].column, "nothing may follow the number of columns")
	}
	return rows, columns, nil
}

// gridNumber reads the first word of the rest of the first line.
func (f textFile) gridNumber(words []word, name string, most int) (int, error) {
	if len(words) == 0 {
		return 0, f.errorAt(1, f.end(1), "the number of %s is missing", name)
	}
	n, ok := wholeNumber(words[0].text)
	if !ok || n < 1 || n > most {
		return 0, f.errorAtWord(1, words[0], "the number of %s must be 1 to %d, not %s",
			name, most, quote(words[0].text))
	}
	return n, nil
}

// gridRow reads one row and adds its card cells to the set.
func (f textFile) gridRow(row, columns int, card *cellSet) error {
	line := row + 2
	if line > len(f.lines) {
		return f.errorAt(line, 1, "row %d of the grid is missing", row)
	}
	column := 0
	for _, letter := range f.lines[line-1] {
		switch {
		case column == columns:
			return f.errorAt(line, column+1, "a row must have %d cells, not more", columns)
		case letter == cardLetter:
			card.add(row*columns + column)
		case letter != holeLetter:
			return f.errorAt(line, column+1, "a cell must be %c (card cell) or %c (hole), not %q",
				cardLetter, holeLetter, letter).With("value", string(letter))
		}
		column++
	}
	if column < columns {
		return f.errorAt(line, column+1, "a row must have %d cells, not %d", columns, column)
	}
	return nil
}

// newGrid returns the grid with these card cells.
func newGrid(rows, columns int, card cellSet) *Grid {
	g := &Grid{rows: rows, columns: columns, card: card, next: make([][directions]int16, rows*columns)}
	for at := range g.next {
		for d := range directions {
			g.next[at][d] = int16(g.neighbour(at, d))
		}
	}
	return g
}

// neighbour returns the card cell next to a cell, or nowhere.
func (g *Grid) neighbour(at int, d Direction) int {
	row, column := at/g.columns, at%g.columns
	to := g.index(row+steps[d].down, column+steps[d].right)
	if to == nowhere || !g.card.has(to) {
		return nowhere
	}
	return to
}

// index returns the index of a cell in reading order, or nowhere if it is off the grid.
func (g *Grid) index(row, column int) int {
	if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
		return nowhere
	}
	return row*g.columns + column
}

// indexOf returns the index of a cell in reading order, or nowhere if it is hexagonal or off the
// grid.
func (g *Grid) indexOf(c rules.Cell) int {
	if c.Hexagonal() {
		return nowhere
	}
	return g.index(c.RowColumn())
}

func (g *Grid) cell(at int) rules.Cell { return rules.SquareCell(at/g.columns, at%g.columns) }

// String returns the grid as a grid file, with a newline after every line.
func (g *Grid) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d\n", g.rows, g.columns)
	for at := range g.next {
		letter := byte(holeLetter)
		if g.card.has(at) {
			letter = cardLetter
		}
		b.WriteByte(letter)
		if at%g.columns == g.columns-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
