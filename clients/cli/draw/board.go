package draw

import (
	"image/color"
	"strconv"

	uv "github.com/charmbracelet/ultraviolet"

	"github.com/flipside-games/flipside/clients/cli/layout"
)

// Discs is a board with discs.
type Discs struct {
	// Rows holds the rows from the top, with one letter for each cell: X black, O white, _ empty.
	Rows     []string
	Selected *layout.Cell
	Legal    map[layout.Cell]bool
	Hints    map[layout.Cell]int // the number of flips, drawn on empty cells
	Last     *layout.Cell        // the last placement
	Flipped  map[layout.Cell]bool
}

// disc returns the side of the disc on a cell, -1 if the cell is empty.
func (d *Discs) disc(cell layout.Cell) int {
	if cell.Row >= len(d.Rows) || cell.Index >= len(d.Rows[cell.Row]) {
		return -1
	}
	switch d.Rows[cell.Row][cell.Index] {
	case 'X':
		return 0
	case 'O':
		return 1
	}
	return -1
}

func (d *Discs) isSelected(cell layout.Cell) bool {
	return d.Selected != nil && *d.Selected == cell
}
func (d *Discs) isLast(cell layout.Cell) bool { return d.Last != nil && *d.Last == cell }

// Discs draws a board in the top left corner of the canvas.
func (c *Canvas) Discs(t Theme, g layout.Grid, d *Discs) {
	p := discPainter{canvas: c, theme: t, grid: g, discs: d}
	if t.Color {
		p.background()
	}
	if g.Lines {
		p.lines()
	}
	if g.Labels {
		p.labels()
	}
	for row := range g.Rows {
		for index := range g.Length(row) {
			p.cell(layout.Cell{Row: row, Index: index})
		}
	}
	if d.Selected != nil {
		p.brackets(*d.Selected, "[", "]")
	}
}

type discPainter struct {
	canvas *Canvas
	theme  Theme
	grid   layout.Grid
	discs  *Discs
}

func (p *discPainter) background() {
	for y := range p.grid.Height() {
		for x := range p.grid.Width() {
			if cell, ok := p.grid.At(x, y); ok {
				p.canvas.Char(x, y, " ", uv.Style{Bg: p.color(cell)})
			}
		}
	}
}

// color returns the background of a cell.
func (p *discPainter) color(cell layout.Cell) color.Color {
	switch {
	case p.discs.isSelected(cell):
		return p.theme.palette.chosen
	case p.discs.isLast(cell):
		return p.theme.palette.last
	case p.discs.Flipped[cell]:
		return p.theme.palette.flip
	case p.discs.Legal[cell]:
		return p.theme.palette.legal
	case p.grid.Lines:
		return p.theme.palette.board
	case p.grid.Rings > 0: // three shades: neighbours on a hexagon differ
		q, r := p.grid.Axial(cell)
		return p.theme.palette.shades[((q-r)%3+3)%3]
	default:
		return p.theme.palette.shades[(cell.Row+cell.Index)%2]
	}
}

// cell draws the content of a cell.
func (p *discPainter) cell(cell layout.Cell) {
	x, y := p.grid.Centre(cell)
	side := p.discs.disc(cell)
	text := p.theme.style(p.theme.palette.hint, p.color(cell), uv.AttrBold)
	switch hint, hinted := p.discs.Hints[cell]; {
	case side >= 0:
		p.disc(x, y, side, p.color(cell))
		p.mark(cell)
	case hinted && hint > 9 && p.grid.PitchX < 4:
		p.canvas.Char(x, y, "+", text) // there is no room for two digits
	case hinted:
		p.canvas.Text(x, y, 2, strconv.Itoa(hint), text)
	case p.discs.Legal[cell]:
		p.canvas.Char(x, y, p.theme.Legal, text)
	case !p.grid.Lines && !p.theme.Color:
		p.canvas.Char(x, y, p.theme.Empty, uv.Style{})
	}
}

func (p *discPainter) disc(x, y, side int, background color.Color) {
	style := p.theme.style(p.theme.discColor(side), background, 0)
	if p.grid.PitchX < 8 {
		p.canvas.Char(x, y, p.theme.DiscOf(side), style)
		return
	}
	for i, line := range p.theme.bigDiscOf(side) {
		p.canvas.Text(x-2, y-1+i, 5, line, style)
	}
}

// mark marks the last placement and its flips where colours do not.
func (p *discPainter) mark(cell layout.Cell) {
	switch {
	case p.theme.Color:
	case p.discs.isLast(cell):
		p.brackets(cell, "(", ")")
	case p.discs.Flipped[cell]:
		x, y := p.grid.Centre(cell)
		p.canvas.Char(x+p.side(), y, "'", uv.Style{})
	}
}

// side returns the distance of marks from the centre of a cell.
func (p *discPainter) side() int {
	if p.grid.PitchX >= 8 {
		return 3
	}
	return 1
}

func (p *discPainter) brackets(cell layout.Cell, left, right string) {
	x, y := p.grid.Centre(cell)
	style := p.theme.style(p.theme.palette.black, p.color(cell), uv.AttrBold)
	p.canvas.Char(x-p.side(), y, left, style)
	p.canvas.Char(x+p.side(), y, right, style)
}

// labels draws the names of rows and columns: letters and numbers on a square; q along the upper
// left edges of a hexagon, and r along its right edges.
func (p *discPainter) labels() {
	style := p.theme.Muted()
	if p.grid.Rings == 0 {
		for row := range p.grid.Rows {
			_, y := p.grid.Centre(layout.Cell{Row: row})
			left, _ := p.grid.Corner(layout.Cell{Row: row})
			number := strconv.Itoa(row + 1)
			p.canvas.Text(left-1-len(number), y, 2, number, style)
			x, _ := p.grid.Centre(layout.Cell{Index: row})
			p.canvas.Text(x, 0, 1, string(rune('a'+row)), style)
		}
		return
	}
	for row := range p.grid.Rows {
		last := layout.Cell{Row: row, Index: p.grid.Length(row) - 1}
		q, r := p.grid.Axial(layout.Cell{Row: row})
		x, y := p.grid.Centre(last)
		p.canvas.Text(x+p.grid.PitchX/2+1, y, 3, strconv.Itoa(r), style)
		if row > 0 && row <= p.grid.Rings {
			x, y = p.grid.Corner(layout.Cell{Row: row})
			number := strconv.Itoa(q)
			p.canvas.Text(x-len(number), y, 3, number, style)
		}
	}
	for q := range min(p.grid.Rings+1, 10) {
		x, y := p.grid.Centre(layout.Cell{Index: q})
		p.canvas.Text(x, y-1, 1, strconv.Itoa(q), style)
	}
}
