package reversi

import (
	"fmt"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Text draws the board, one line for each row: X for black, O for white, _ for empty. The rows of a
// hexagon are indented. Labels add the coordinates: on a square, the column letters above and the
// row numbers at the left; on a hexagon, r at the left and the range of q at the right of each row.
func (p *Position) Text(options rules.TextOptions) string {
	var lines []string
	if options.Labels && p.board.shape == Square {
		lines = append(lines, p.board.columnLetters())
	}
	for i, line := range p.board.rows {
		text := strings.Repeat(" ", p.board.indent(i)) + p.rowText(line, options)
		if options.Labels {
			text = p.board.labelled(i, text)
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// indent returns the blanks before a row: on a hexagon, half a cell for each row away from the
// middle.
func (b *Board) indent(row int) int {
	if b.shape == Hexagon {
		return abs(row - b.rowOffset())
	}
	return 0
}

func (p *Position) rowText(line row, options rules.TextOptions) string {
	marks := make([]string, line.length)
	for i := range marks {
		marks[i] = p.mark(line.start+i, options)
	}
	return strings.Join(marks, " ")
}

func (p *Position) mark(at int, options rules.TextOptions) string {
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

// labelled returns the text of a row with its labels.
func (b *Board) labelled(row int, text string) string {
	if b.shape == Square {
		return fmt.Sprintf("%*d %s", b.labelWidth(), row+1, text)
	}
	line, widest := b.rows[row], 4*b.size+1
	return fmt.Sprintf("%*d %-*s  q %d..%d",
		b.labelWidth(), row-b.size, widest, text, line.column, line.column+line.length-1)
}

// labelWidth returns the width of the widest row label: the last of a square, the first of a
// hexagon.
func (b *Board) labelWidth() int {
	if b.shape == Square {
		return len(fmt.Sprint(b.size))
	}
	return len(fmt.Sprint(-b.size))
}
