package threetrios

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Text draws the grid in a frame, then both hands, the score and the side to move. A card shows its
// owner, R or B, between its four values. An empty card cell shows _ or its hint. A hole is shaded.
// Each card of a hand shows its hand index and its values for north, south, east and west.
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

// drawing is a position and its options. width is the width of a cell inside its frame: odd, with
// room for the longest mark in parentheses and a value at either side.
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

// margin returns the text at the left of the frame: a label, or nothing without labels.
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

// cellLines draws one cell, with each value at its own side.
func (d drawing) cellLines(at int) [3]string {
	content, cell := d.at(at), d.grid.cell(at)
	fill, mark, north, south, east, west := " ", "_", "", "", " ", " "
	switch {
	case content.Hole:
		fill, mark, east, west = shade, shade, shade, shade
	case content.Owner != rules.NoSide:
		c := content.Card
		mark = sideLetter(content.Owner)
		north, south, east, west = value(c.North), value(c.South), value(c.East), value(c.West)
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

// centred pads a text on both sides to a width, with the odd character at the right.
func centred(text string, width int, fill string) string {
	room := width - utf8.RuneCountInString(text)
	return strings.Repeat(fill, room/2) + text + strings.Repeat(fill, room-room/2)
}

// handLines draws Red's hand at the left and Blue's at the right.
func (p *Position) handLines() []string {
	var page strings.Builder
	table := tabwriter.NewWriter(&page, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "Red\tN S E W\t  \tBlue\tN S E W")
	red, blue := p.Hand(rules.First), p.Hand(rules.Second)
	for i := range max(len(red), len(blue)) {
		fmt.Fprintln(table, handCells(red, i)+"\t  \t"+handCells(blue, i))
	}
	_ = table.Flush() // A strings.Builder returns no errors.
	return strings.Split(strings.TrimSuffix(page.String(), "\n"), "\n")
}

// handCells returns the two columns for one card of a hand. They are empty below the last card.
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
