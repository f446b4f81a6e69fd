package threetrios

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Text draws the grid in a frame. A card has its owner, R or B, amid its four values; an empty card cell
// has _ or its hint, and a hole is shaded. Below are both hands, each card with its hand index and its values
// for north, south, east and west, and at last whose turn it is and the score.
func (p *Position) Text(options rules.TextOptions) string {
	d := drawing{Position: p, TextOptions: options, width: 5}
	for _, hint := range options.Hints {
		d.width = max(d.width, (utf8.RuneCountInString(hint)+4)|1)
	}
	lines := append(d.gridLines(), "")
	lines = append(lines, p.handLines()...)
	lines = append(lines, "", p.status())
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// drawing is a position drawn with some options; width is that of a cell inside its
// frame: an odd number with room for the longest mark in parentheses and a value on either side.
type drawing struct {
	*Position
	rules.TextOptions
	width int
}

func (d drawing) gridLines() []string {
	var lines []string
	if d.Labels {
		lines = append(lines, d.columnLabels())
	}
	lines = append(lines, d.border("┌", "┬", "┐"))
	for row := range d.grid.rows {
		if row > 0 {
			lines = append(lines, d.border("├", "┼", "┤"))
		}
		lines = append(lines, d.rowLines(row)...)
	}
	return append(lines, d.border("└", "┴", "┘"))
}

// margin is what stands left of the frame: a label where there are labels.
func (d drawing) margin(label string) string {
	if !d.Labels {
		return ""
	}
	return fmt.Sprintf("%2s ", label)
}

func (d drawing) columnLabels() string {
	labels := d.margin("")
	for column := range d.grid.columns {
		labels += " " + centred(strconv.Itoa(column), d.width, " ")
	}
	return labels
}

func (d drawing) border(left, between, right string) string {
	cells := make([]string, d.grid.columns)
	for i := range cells {
		cells[i] = strings.Repeat("─", d.width)
	}
	return d.margin("") + left + strings.Join(cells, between) + right
}

// rowLines draws the cells of a row side by side.
func (d drawing) rowLines(row int) []string {
	lines := []string{d.margin(""), d.margin(strconv.Itoa(row)), d.margin("")}
	for column := range d.grid.columns {
		for i, part := range d.cellLines(row*d.grid.columns + column) {
			lines[i] += "│" + part
		}
	}
	for i := range lines {
		lines[i] += "│"
	}
	return lines
}

// cellLines draws one cell with each value on its own side.
func (d drawing) cellLines(at int) [3]string {
	square, cell := d.at(at), d.grid.cell(at)
	fill, mark, north, south, east, west := " ", "_", "", "", " ", " "
	switch {
	case square.Hole:
		fill, mark, east, west = shade, shade, shade, shade
	case square.Owner != rules.NoSide:
		c := square.Card
		mark, north, south, east, west = sideLetter(square.Owner), value(c.North), value(c.South), value(c.East), value(c.West)
	case d.Hints[cell] != "":
		mark = d.Hints[cell]
	}
	if d.Selected != nil && *d.Selected == cell {
		mark = "(" + mark + ")"
	}
	return [3]string{
		centred(north, d.width, fill),
		west + centred(mark, d.width-2, fill) + east,
		centred(south, d.width, fill),
	}
}

const shade = "░"

// centred puts a text in the middle of a width, or as near as can be to the left of it.
func centred(text string, width int, fill string) string {
	room := width - utf8.RuneCountInString(text)
	return strings.Repeat(fill, room/2) + text + strings.Repeat(fill, room-room/2)
}

// handLines lists Red's hand at the left and Blue's at the right.
func (p *Position) handLines() []string {
	var page strings.Builder
	table := tabwriter.NewWriter(&page, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "Red\tN S E W\t  \tBlue\tN S E W")
	red, blue := p.Hand(rules.First), p.Hand(rules.Second)
	for i := range max(len(red), len(blue)) {
		fmt.Fprintln(table, handCells(red, i)+"\t  \t"+handCells(blue, i))
	}
	_ = table.Flush() // A strings.Builder takes whatever is written.
	return strings.Split(strings.TrimSuffix(page.String(), "\n"), "\n")
}

// handCells returns the two columns of a hand that show one card, which are empty below the last.
func handCells(hand []Card, i int) string {
	if i >= len(hand) {
		return "\t"
	}
	return fmt.Sprintf("%d: %s\t%s", i, hand[i].Name, hand[i].spacedValues())
}

func (p *Position) status() string {
	turn := "game over"
	if p.turn != rules.NoSide {
		turn = rules.ThreeTrios.SideName(p.turn) + " to move"
	}
	score := p.Score()
	return fmt.Sprintf("Red %d, Blue %d; %s", score.First, score.Second, turn)
}
