package drawing

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// layout holds the places of a board's cells, in units of which a cell is cellWidth wide. Labels
// and the frame lie between the corners low and high.
type layout struct {
	low, high point
	cell      shape
	centre    func(rules.Cell) point
	frame     []node // shapes that cover the board; the frame is their outline
	labels    []node
	dots      []point
}

// cellWidth is the width of a cell in a layout, lineWidth that of the line between two cells, rim
// that of the frame around all cells. maxScale limits the enlargement of small boards.
const (
	cellWidth = 20
	lineWidth = 0.9
	rim       = 1.7
	maxScale  = 4.4
)

// labelSize returns the font size of labels on a board with this many cells in its longest row:
// about 16 pixels in the SVG, but not larger than a cell.
func labelSize(cells int) float64 {
	return max(4.5, min(9.5, 16*cellWidth*float64(cells)/(pageWidth-2*margin)))
}

// drawBoard draws a position of Reversi.
func (d *Drawing) drawBoard(p *reversi.Position) []node {
	l := d.square(p.Board())
	if p.Board().Shape() == reversi.Hexagon {
		l = d.hexagon(p.Board())
	}
	size := l.high.minus(l.low)
	scale := min(maxScale, (d.width-2*margin)/size.x)
	board := node{
		at:    point{d.width/2 - scale*(l.low.x+l.high.x)/2, headerHeight - scale*l.low.y},
		scale: scale,
		children: append(d.drawCells(p, l),
			append(l.labels, d.drawDiscs(p, l)...)...),
	}
	d.height = headerHeight + scale*size.y + margin
	return []node{board}
}

// drawCells draws the empty board. The title of a cell, which browsers show as a tooltip, is its
// name.
func (d *Drawing) drawCells(p *reversi.Position, l layout) []node {
	line := style{fill: d.palette.line, stroke: d.palette.line, width: 2 * rim}
	frame := node{style: line, children: l.frame}
	cells := node{style: style{fill: d.palette.cell}}
	for _, c := range p.Board().Cells() {
		cell := node{at: l.centre(c), shape: l.cell, title: p.CellNotation(c)}
		if d.legal[c] && p.At(c) == rules.NoSide {
			cell.fill = d.palette.legal
		}
		cells.children = append(cells.children, cell)
	}
	dots := node{style: style{fill: d.palette.line}}
	for _, at := range l.dots {
		dots.children = append(dots.children, node{at: at, shape: circle(1.5)})
	}
	return []node{frame, cells, dots}
}

// drawDiscs draws the discs of each side, then the marks.
func (d *Drawing) drawDiscs(p *reversi.Position, l layout) []node {
	discs := [3]node{rules.First: d.disc(rules.First), rules.Second: d.disc(rules.Second)}
	marked := []node{}
	for _, c := range p.Board().Cells() {
		owner, at := p.At(c), l.centre(c)
		if owner != rules.NoSide {
			discs[owner].children = append(discs[owner].children, node{at: at, shape: circle(8)})
		}
		m := d.marksOn(c, owner == rules.NoSide)
		marked = append(marked, d.discMarks(m, l.cell, at)...)
	}
	return []node{discs[rules.First], discs[rules.Second], {children: marked}}
}

// disc returns the group for the discs of a side.
func (d *Drawing) disc(side rules.Side) node {
	class, fill, stroke := "fs-white", d.palette.white, d.palette.whiteRim
	if side == rules.First {
		class, fill, stroke = "fs-black", d.palette.black, d.palette.blackRim
	}
	return node{class: class, style: style{fill: fill, stroke: stroke, width: 0.7}}
}

// discMarks draws the marks of a cell: a dot on the last disc, a ring on a disc that flipped, two
// rings in a selected cell, and a hint or a dot on a legal cell.
func (d *Drawing) discMarks(m marks, cell shape, at point) (nodes []node) {
	ring := func(class string, width float64) {
		nodes = append(nodes, node{at: at, shape: circle(3.4), class: class,
			style: style{fill: "none", stroke: d.palette.accent, width: width}})
	}
	if m.flip != nil {
		ring("fs-flip", 1.4)
	}
	if m.last {
		nodes = append(nodes, node{at: at, shape: circle(3.2), class: "fs-last",
			style: style{fill: d.palette.accent}})
	}
	if m.selected {
		nodes = append(nodes, d.selection(cell, at))
	}
	switch {
	case m.hint != "":
		hint := label(fit(m.hint, 2), at, 9, d.palette.cardInk)
		hint.class = "fs-hint"
		if m.legal {
			hint.fill = d.palette.legalInk
		}
		nodes = append(nodes, hint)
	case m.legal:
		nodes = append(nodes, node{at: at, shape: circle(2.2), class: "fs-legal",
			style: style{fill: d.palette.legalInk}})
	}
	return nodes
}
