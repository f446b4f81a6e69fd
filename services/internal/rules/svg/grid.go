package svg

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// The grid lies in a frame between the hands. Its cells are drawn with a width of cardUnit and then
// scaled to fill gridWidth by gridHeight. A scaled cell is at most maxCard wide and at least
// minCard; for more cells the sheet grows.
const (
	cardUnit   = 40
	minCard    = 40
	maxCard    = 76
	framePad   = 5
	labelEdge  = 17
	gridWidth  = pageWidth - 2*(margin+handWidth+handGap+framePad)
	gridHeight = 400
)

// cards and emblems are the ids of the definitions for the cards of a side and for the mark in
// their middle.
var (
	cards   = [3]string{rules.First: "fs-red", rules.Second: "fs-blue"}
	emblems = [3]string{rules.First: "fs-diamond", rules.Second: "fs-dot"}
)

// drawTable draws a position of Three Trios: Red's hand, the grid and Blue's hand, from left to
// right.
func (s *sheet) drawTable(p *threetrios.Position) {
	rows, columns, edge := float64(p.Rows()), float64(p.Columns()), 0.0
	if s.options.Labels {
		edge = labelEdge
	}
	card := max(minCard, min(maxCard, (gridWidth-edge)/columns, gridHeight/rows))
	width, height := columns*card+edge+2*framePad, rows*card+edge+2*framePad
	s.width = max(s.width, width+2*(margin+handWidth+handGap))
	left := (s.width - width) / 2
	s.put(`<rect x="%v" y="%v" width="%v" height="%v" rx="8" fill="%v"/>`+"\n", left, s.height, width, height, s.palette.frame)
	s.put(`<g transform="translate(%v %v) scale(%v)">`+"\n", left+edge+framePad, s.height+edge+framePad, card/cardUnit)
	s.drawGrid(p)
	s.put("</g>\n")
	red := s.drawHand(p, rules.First, margin, height)
	blue := s.drawHand(p, rules.Second, s.width-margin-handWidth, height)
	s.height += max(height, red, blue) + margin
}

func (s *sheet) drawGrid(p *threetrios.Position) {
	if s.options.Labels {
		s.drawGridLabels(p)
	}
	for row := range p.Rows() {
		for column := range p.Columns() {
			s.put(`<g transform="translate(%v %v)">`, float64(column*cardUnit), float64(row*cardUnit))
			s.drawGridCell(p, rules.SquareCell(row, column))
			s.put("</g>\n")
		}
	}
}

func (s *sheet) drawGridLabels(p *threetrios.Position) {
	s.put(`<g font-size="10" fill="%v">`, s.palette.frameInk)
	for column := range p.Columns() {
		s.put(`<text x="%v" y="-3">%v</text>`, (float64(column)+0.5)*cardUnit, column)
	}
	for row := range p.Rows() {
		s.put(`<text x="-7" y="%v">%v</text>`, (float64(row)+0.5)*cardUnit+3.6, row)
	}
	s.put("</g>\n")
}

// drawGridCell draws a cell of the grid with its corner at the origin. Its title, which browsers
// show as a tooltip, describes its content.
func (s *sheet) drawGridCell(p *threetrios.Position, c rules.Cell) {
	cell := p.At(c.RowColumn())
	m := s.marksOn(c, !cell.Hole && cell.Owner == rules.NoSide)
	switch {
	case cell.Hole:
		s.put(`<title>%v hole</title><use href="#fs-hole" stroke="%v"/>`, p.CellNotation(c), s.palette.line)
	case cell.Owner == rules.NoSide:
		s.put(`<title>%v</title><use href="#fs-slot" fill="%v"/>`, p.CellNotation(c), s.palette.cell)
	default:
		s.put(`<title>%v %v</title>`, p.CellNotation(c), s.describeCard(cell))
		s.drawCard(cell, m)
	}
	if m.selected {
		s.put(`<rect class="fs-selected" x="2" y="2" width="36" height="36" rx="3" fill="none" stroke="%v" stroke-width="4"/>`,
			s.palette.selected)
	}
	if m.hint != "" {
		s.put(`<text class="fs-hint" x="20" y="25.5" font-size="15" fill="%v">%v</text>`, s.palette.cellInk, fit(m.hint, 2))
	}
}

// drawCard draws a card in the colour and the shape of its owner: with swapped colours if it was
// played last, with a ring in its middle if it flipped.
func (s *sheet) drawCard(cell threetrios.GridCell, m marks) {
	face, ink := s.colour(cell.Owner), s.palette.cardInk
	s.put(`<use href="#%v" fill="%v"/>`, cards[cell.Owner], face)
	if m.last {
		face, ink = ink, face
		s.put(`<use class="fs-last" href="#%v" fill="%v" transform="translate(2 2) scale(.9)"/>`, cards[cell.Owner], face)
	}
	s.put(`<g fill="%v"><use href="#%v"/>`, ink, emblems[cell.Owner])
	if m.flip != nil {
		s.put(`<circle class="fs-flip" cx="20" cy="20" r="5.5" fill="none" stroke="%v" stroke-width="1.3"/>`, ink)
	}
	s.put(`<text x="20 20 32.2 7.8" y="12.9 36.4 24.7 24.7" font-size="13">%v</text></g>`, cell.Card.Values())
}

func (s *sheet) colour(side rules.Side) string {
	if side == rules.First {
		return s.palette.first
	}
	return s.palette.second
}
