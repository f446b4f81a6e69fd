package svg

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// layout holds the places of a board's cells around its centre, in units of which a cell is
// cellWidth wide.
type layout struct {
	width, height float64
	frame         string // path data of the frame's outline
	shape         string // id of the definition for a cell
	centre        func(rules.Cell) point
	labels        []label
	dots          []point
}

type point struct{ x, y float64 }

type label struct {
	text string
	at   point
}

// cellWidth is the width of a cell in a layout. maxScale limits the enlargement of small boards.
// rim is the width of the line around the frame; half of it lies outside the outline.
const (
	cellWidth = 20
	maxScale  = 4.4
	rim       = 5
)

// discs are the ids of the definitions for discs.
var discs = [3]string{rules.First: "fs-black", rules.Second: "fs-white"}

// drawBoard draws a position of Reversi.
func (s *sheet) drawBoard(p *reversi.Position) {
	l := square(p.Board(), s.options.Labels)
	if p.Board().Shape() == reversi.Hexagon {
		l = hexagon(p.Board(), s.options.Labels)
	}
	scale := min(maxScale, (s.width-2*margin)/(l.width+rim))
	height := scale * (l.height + rim)
	s.put(`<g transform="translate(%v %v) scale(%v)">`+"\n", s.width/2, s.height+height/2, scale)
	s.put(`<path d="%v" fill="%v" stroke="%v" stroke-width="%v" stroke-linejoin="round"/>`+"\n",
		l.frame, s.palette.frame, s.palette.frame, rim)
	s.drawLabels(l)
	s.drawCells(p, l)
	s.drawDiscs(p, l)
	s.put("</g>\n")
	s.height += height + margin
}

func (s *sheet) drawLabels(l layout) {
	s.put(`<g font-size="8" fill="%v">`, s.palette.frameInk)
	for _, label := range l.labels {
		s.put(`<text x="%v" y="%v">%v</text>`, label.at.x, label.at.y+2.9, label.text)
	}
	s.put("</g>\n")
}

// drawCells draws the empty board. The title of a cell, which browsers show as a tooltip, is its
// name.
func (s *sheet) drawCells(p *reversi.Position, l layout) {
	s.put(`<g fill="%v" stroke="%v" stroke-width=".8">`+"\n", s.palette.cell, s.palette.line)
	for _, c := range p.Board().Cells() {
		at := l.centre(c)
		s.put(`<use href="#%v" x="%v" y="%v"><title>%v</title></use>`+"\n", l.shape, at.x, at.y, p.CellNotation(c))
	}
	s.put("</g>\n")
	for _, at := range l.dots {
		s.put(`<circle cx="%v" cy="%v" r="1.5" fill="%v"/>`+"\n", at.x, at.y, s.palette.frame)
	}
}

// drawDiscs draws discs and marks. They ignore the pointer, so that the tooltips of the cells work.
func (s *sheet) drawDiscs(p *reversi.Position, l layout) {
	s.put(`<g pointer-events="none">` + "\n")
	for _, c := range p.Board().Cells() {
		owner, at := p.At(c), l.centre(c)
		if owner != rules.NoSide {
			s.put(`<use href="#%v" x="%v" y="%v"/>`+"\n", discs[owner], at.x, at.y)
		}
		if m := s.marksOn(c, owner == rules.NoSide); m != (marks{}) {
			s.put(`<g transform="translate(%v %v)">%v</g>`+"\n", at.x, at.y, s.discMarks(m, owner, l.shape))
		}
	}
	s.put("</g>\n")
}

// discMarks draws marks around the origin: a ring in the former colour on a disc that flipped, a
// dot on the last disc, a frame in a selected cell, and a hint.
func (s *sheet) discMarks(m marks, owner rules.Side, shape string) markup {
	var c canvas
	if m.flip != nil {
		before := [3]string{"none", "#fff", "#000"}
		c.put(`<circle class="fs-flip" r="3.4" fill="none" stroke="%v" stroke-width="1.3"/>`, before[owner])
	}
	if m.last {
		c.put(`<circle class="fs-last" r="3" fill="%v"/>`, s.palette.accent)
	}
	if m.selected {
		c.put(`<use class="fs-selected" href="#%v" transform="scale(.9)" fill="none" stroke="%v" stroke-width="2.2"/>`,
			shape, s.palette.selected)
	}
	if m.hint != "" {
		c.put(`<text class="fs-hint" y="3.2" font-size="9" fill="%v">%v</text>`, s.palette.cellInk, fit(m.hint, 2))
	}
	return markup(c)
}
