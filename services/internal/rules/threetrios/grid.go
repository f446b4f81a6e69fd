package threetrios

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// Bounds on grids. A grid has 1 to MaxRows rows and 1 to MaxColumns columns; its file has at most
// MaxGridBytes bytes.
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

// Grid is a rectangle of card cells and holes with an odd number of card cells, which need not be
// connected. It is immutable and may be used from many goroutines.
type Grid struct {
	rows, columns int
	card          cellSet
	// next holds, for every cell, the card cell in each direction, or nowhere beside an edge or a hole.
	next [][directions]int16
}

// Direction is one side of a cell or of a card.
type Direction int

// The directions, in the order in which a deck names the values of a card.
const (
	North Direction = iota
	South
	East
	West
	directions
)

var steps = [directions]struct{ down, right int }{North: {-1, 0}, South: {1, 0}, East: {0, 1}, West: {0, -1}}

// Opposite returns the direction back.
func (d Direction) Opposite() Direction { return d ^ 1 }

// nowhere is what lies beyond the edge of a grid and in its holes.
const nowhere = -1

// ParseGrid reads a grid file: rows and columns on the first line, then one line a row of C (card cell)
// and X (hole). Lines may end in CRLF, and blank lines may follow. Anything else is INVALID_GRID, which
// names the line and the column of the first character at fault, both from 1.
func ParseGrid(text string) (*Grid, error) {
	if len(text) > MaxGridBytes {
		return nil, fault.New(fault.InvalidGrid, "a grid has at most %d bytes, not %d", MaxGridBytes, len(text)).
			With("limit", MaxGridBytes)
	}
	file := file{reason: fault.InvalidGrid, lines: splitLines(text)}
	rows, columns, err := file.gridSize()
	if err != nil {
		return nil, err
	}
	var card cellSet
	for row := range rows {
		if card, err = file.gridRow(row, columns, card); err != nil {
			return nil, err
		}
	}
	if len(file.lines) > rows+1 {
		return nil, file.errorAt(rows+2, 1, "nothing may follow the %d rows", rows)
	}
	if n := card.size(); n%2 == 0 {
		return nil, file.errorAt(rows+1, columns, "the number of card cells must be odd, not %d", n).With("cardCells", n)
	}
	return newGrid(rows, columns, card), nil
}

// gridSize reads the first line, which has two numbers and nothing else.
func (f file) gridSize() (rows, columns int, err error) {
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

// gridNumber reads the first of the words that are left of the first line.
func (f file) gridNumber(words []word, what string, most int) (int, error) {
	if len(words) == 0 {
		return 0, f.errorAt(1, f.end(1), "the number of %s is missing", what)
	}
	n, ok := wholeNumber(words[0].text)
	switch {
	case !ok:
		return 0, f.errorAtWord(1, words[0], "the number of %s must be a whole number, not %s", what, quote(words[0].text))
	case n < 1 || n > most:
		return 0, f.errorAtWord(1, words[0], "the number of %s must be 1 to %d, not %s", what, most, shorten(words[0].text))
	}
	return n, nil
}

// gridRow adds the card cells of a row to the set.
func (f file) gridRow(row, columns int, card cellSet) (cellSet, error) {
	line := row + 2
	if line > len(f.lines) {
		return card, f.errorAt(line, 1, "row %d of the grid is missing", row)
	}
	column := 0
	for _, letter := range f.lines[line-1] {
		switch {
		case column == columns:
			return card, f.errorAt(line, column+1, "a row has %d cells, not more", columns)
		case letter == cardLetter:
			card.add(row*columns + column)
		case letter != holeLetter:
			return card, f.errorAt(line, column+1, "a cell is %c or %c, not %q", cardLetter, holeLetter, letter).
				With("value", string(letter))
		}
		column++
	}
	if column < columns {
		return card, f.errorAt(line, column+1, "a row has %d cells, not %d", columns, column)
	}
	return card, nil
}

// newGrid returns the grid with these card cells, given by their index in reading order.
func newGrid(rows, columns int, card cellSet) *Grid {
	g := &Grid{rows: rows, columns: columns, card: card, next: make([][directions]int16, rows*columns)}
	for at := range g.next {
		for d := range directions {
			g.next[at][d] = int16(g.beyond(at, d))
		}
	}
	return g
}

// beyond returns the card cell on the given side of a cell, or nowhere.
func (g *Grid) beyond(at int, d Direction) int {
	row, column := at/g.columns, at%g.columns
	to := g.index(row+steps[d].down, column+steps[d].right)
	if to == nowhere || !g.card.has(to) {
		return nowhere
	}
	return to
}

// index returns where a cell is in reading order, or nowhere if it is off the grid.
func (g *Grid) index(row, column int) int {
	if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
		return nowhere
	}
	return row*g.columns + column
}

// find returns where a cell of any kind is in reading order, or nowhere.
func (g *Grid) find(c rules.Cell) int {
	if c.Hexagonal() {
		return nowhere
	}
	return g.index(c.RowColumn())
}

func (g *Grid) cell(at int) rules.Cell { return rules.SquareCell(at/g.columns, at%g.columns) }

// String returns the grid as a file, with a newline after every row.
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
