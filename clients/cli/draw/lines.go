package draw

import (
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/flipside-games/flipside/clients/cli/layout"
)

// lines draws the lines between cells.
func (p *discPainter) lines() {
	for _, marked := range []bool{false, true} { // lines of marked cells cover the others
		for row := range p.grid.Rows {
			for index := range p.grid.Length(row) {
				cell := layout.Cell{Row: row, Index: index}
				x, y := p.grid.Corner(cell)
				switch {
				case p.grid.Rings == 0 && !marked:
					p.square(row, index, x, y)
				case p.grid.Rings > 0 && !marked:
					p.hexagon(cell, x, y)
				case p.grid.Rings > 0 && p.color(cell) != p.theme.palette.board:
					p.slanted(x, y, p.theme.style(p.theme.palette.line, p.color(cell), 0))
				}
			}
		}
	}
	if p.grid.Rings == 0 && p.grid.Columns > 4 {
		p.dots()
	}
}

// line draws a character of a line.
func (p *discPainter) line(x, y int, char string) {
	p.canvas.Char(x, y, char, p.theme.style(p.theme.palette.line, p.theme.palette.board, 0))
}

// hexagon draws the lines around a hexagon. Lines at the edge of the board have no background.
func (p *discPainter) hexagon(cell layout.Cell, x, y int) {
	style := p.theme.style(p.theme.palette.line, p.theme.palette.board, 0)
	outside := style
	outside.Bg = nil
	q, r := p.grid.Axial(cell)
	for _, side := range []struct {
		q, r, x, y int
		char       string
	}{
		{q, r - 1, x + 1, y, p.theme.Rising}, {q + 1, r - 1, x + 3, y, p.theme.Falling},
		{q - 1, r, x, y + 1, p.theme.Vertical}, {q + 1, r, x + 4, y + 1, p.theme.Vertical},
		{q - 1, r + 1, x + 1, y + 2, p.theme.Falling}, {q, r + 1, x + 3, y + 2, p.theme.Rising},
	} {
		if p.grid.HasAxial(side.q, side.r) {
			p.canvas.Char(side.x, side.y, side.char, style)
		} else {
			p.canvas.Char(side.x, side.y, side.char, outside)
		}
	}
}

// slanted draws the four slanted lines around a hexagon.
func (p *discPainter) slanted(x, y int, style uv.Style) {
	p.canvas.Char(x+1, y, p.theme.Rising, style)
	p.canvas.Char(x+3, y, p.theme.Falling, style)
	p.canvas.Char(x+1, y+2, p.theme.Falling, style)
	p.canvas.Char(x+3, y+2, p.theme.Rising, style)
}

// square draws the lines around a square.
func (p *discPainter) square(row, index, x, y int) {
	for dy := range p.grid.PitchY + 1 {
		for dx := range p.grid.PitchX + 1 {
			horizontal, vertical := dy%p.grid.PitchY == 0, dx%p.grid.PitchX == 0
			switch {
			case horizontal && vertical:
				kinds := p.theme.Grid[edge(row+dy/p.grid.PitchY, p.grid.Rows)]
				p.line(x+dx, y+dy, kinds[edge(index+dx/p.grid.PitchX, p.grid.Columns)])
			case horizontal:
				p.line(x+dx, y+dy, p.theme.Horizontal)
			case vertical:
				p.line(x+dx, y+dy, p.theme.Vertical)
			}
		}
	}
}

// edge returns 0 for the first line, 2 for the last and 1 for the others.
func edge(line, last int) int {
	switch line {
	case 0:
		return 0
	case last:
		return 2
	}
	return 1
}

// dots draws the four dots of a square board.
func (p *discPainter) dots() {
	for _, row := range []int{2, p.grid.Rows - 2} {
		for _, index := range []int{2, p.grid.Columns - 2} {
			x, y := p.grid.Corner(layout.Cell{Row: row, Index: index})
			p.line(x, y, p.theme.Dot)
		}
	}
}
