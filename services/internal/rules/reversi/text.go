package reversi

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Text draws the board with X for black, O for white and _ for empty, a row a line; the rows of a
// hexagon are indented to their shape. Labels add what a player needs to name a cell: on squares the letters
// above and the numbers at the left, on hexagons the row's r at the left and the range of its q at the right.
func (p *Position) Text(options rules.TextOptions) string {
	var lines []string
	if options.Labels && p.board.shape == Square {
		lines = append(lines, p.board.columnLetters())
	}
	for i, line := range p.board.rows {
		text := strings.Repeat(" ", p.board.indent(i)) + p.rowText(line, options)
		if options.Labels {
			text = p.board.label(i, text)
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// indent is what makes a hexagon of its rows: half a cell for every row away from the middle.
func (b *Board) indent(row int) int {
	if b.shape == Hexagon {
		return abs(row - b.rowsAbove())
	}
	return 0
}

func (p *Position) rowText(line row, options rules.TextOptions) string {
	tokens := make([]string, line.length)
	for i := range tokens {
		tokens[i] = p.token(line.start+i, options)
	}
	return strings.Join(tokens, " ")
}

func (p *Position) token(at int, options rules.TextOptions) string {
	c, mark := p.board.cells[at], p.discs[at:at+1]
	if hint := options.Hints[c]; hint != "" && p.discs[at] == empty {
		mark = hint
	}
	if options.Selected != nil && *options.Selected == c {
		mark = "(" + mark + ")"
	}
	return mark
}

func (b *Board) columnLetters() string {
	letters := make([]string, b.size)
	for i := range letters {
		letters[i] = string(rune('a' + i))
	}
	return fmt.Sprintf("%*s %s", b.labelWidth(), "", strings.Join(letters, " "))
}

func (b *Board) label(row int, text string) string {
	if b.shape == Square {
		return fmt.Sprintf("%*d %s", b.labelWidth(), row+1, text)
	}
	line, widest := b.rows[row], 4*b.size+1
	return fmt.Sprintf("%*d %-*s  q %d..%d", b.labelWidth(), row-b.size, widest, text, line.column, line.column+line.length-1)
}

// labelWidth is the width of the widest row label: the last on a square, the first on a hexagon.
func (b *Board) labelWidth() int {
	if b.shape == Square {
		return len(fmt.Sprint(b.size))
	}
	return len(fmt.Sprint(-b.size))
}
