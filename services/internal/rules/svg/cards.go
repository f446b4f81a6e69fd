package svg

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// A grid lies in a frame between the hands. Its cells are drawn cardUnit wide, then scaled to fill the place
// there is: a width of gridWidth, a height of gridHeight, but not beyond maxCard. They are never narrower than
// minCard; the sheet grows instead.
const (
	cardUnit   = 40
	minCard    = 40
	maxCard    = 76
	framePad   = 5
	labelEdge  = 17
	gridWidth  = pageWidth - 2*(margin+handWidth+handGap+framePad)
	gridHeight = 400
)

// cards and emblems are the definitions that draw the cards of a side and the mark in their middle.
var (
	cards   = [3]string{rules.First: "fs-red", rules.Second: "fs-blue"}
	emblems = [3]string{rules.First: "fs-diamond", rules.Second: "fs-dot"}
)

// drawTable draws a position of Three Trios: the grid, Red's hand at its left and Blue's at its right.
func (s *sheet) drawTable(p *threetrios.Position) {
	rows, columns, edge := float64(p.Rows()), float64(p.Columns()), 0.0
	if s.options.Labels {
		edge = labelEdge
	}
	card := max(minCard, min(maxCard, (gridWidth-edge)/columns, gridHeight/rows))
	wide, high := columns*card+edge+2*framePad, rows*card+edge+2*framePad
	s.width = max(s.width, wide+2*(margin+handWidth+handGap))
	left := (s.width - wide) / 2
	s.put(`<rect x="%v" y="%v" width="%v" height="%v" rx="8" fill="%v"/>`+"\n", left, s.height, wide, high, s.palette.frame)
	s.put(`<g transform="translate(%v %v) scale(%v)">`+"\n", left+edge+framePad, s.height+edge+framePad, card/cardUnit)
	s.drawGrid(p)
	s.put("</g>\n")
	red := s.drawHand(p, rules.First, margin, high)
	blue := s.drawHand(p, rules.Second, s.width-margin-handWidth, high)
	s.height += max(high, red, blue) + margin
}

func (s *sheet) drawGrid(p *threetrios.Position) {
	if s.options.Labels {
		s.drawGridLabels(p)
	}
	for row := range p.Rows() {
		for column := range p.Columns() {
			s.put(`<g transform="translate(%v %v)">`, float64(column*cardUnit), float64(row*cardUnit))
			s.drawSquare(p, rules.SquareCell(row, column))
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

// drawSquare draws a cell of the grid with its corner at the origin. It tells what it is to whoever points at it.
func (s *sheet) drawSquare(p *threetrios.Position, c rules.Cell) {
	square := p.At(c.RowColumn())
	m := s.marksOn(c, !square.Hole && square.Owner == rules.NoSide)
	switch {
	case square.Hole:
		s.put(`<title>%v hole</title><use href="#fs-hole" stroke="%v"/>`, p.CellNotation(c), s.palette.line)
	case square.Owner == rules.NoSide:
		s.put(`<title>%v</title><use href="#fs-slot" fill="%v"/>`, p.CellNotation(c), s.palette.cell)
	default:
		s.put(`<title>%v %v</title>`, p.CellNotation(c), s.cardWords(square))
		s.drawCard(square, m)
	}
	if m.selected {
		s.put(`<rect class="fs-selected" x="2" y="2" width="36" height="36" rx="3" fill="none" stroke="%v" stroke-width="4"/>`,
			s.palette.selected)
	}
	if m.hint != "" {
		s.put(`<text class="fs-hint" x="20" y="25.5" font-size="15" fill="%v">%v</text>`, s.palette.cellInk, fit(m.hint, 2))
	}
}

// drawCard draws a card in its owner's colour and shape, the last one with its colours turned round, and one
// that flipped with a ring in its middle.
func (s *sheet) drawCard(square threetrios.GridCell, m marks) {
	face, ink := s.colour(square.Owner), s.palette.cardInk
	s.put(`<use href="#%v" fill="%v"/>`, cards[square.Owner], face)
	if m.last {
		face, ink = ink, face
		s.put(`<use class="fs-last" href="#%v" fill="%v" transform="translate(2 2) scale(.9)"/>`, cards[square.Owner], face)
	}
	s.put(`<g fill="%v"><use href="#%v"/>`, ink, emblems[square.Owner])
	if m.flip != nil {
		s.put(`<circle class="fs-flip" cx="20" cy="20" r="5.5" fill="none" stroke="%v" stroke-width="1.3"/>`, ink)
	}
	s.put(`<text x="20 20 32.2 7.8" y="12.9 36.4 24.7 24.7" font-size="13">%v</text></g>`, values(square.Card))
}

// values writes the values of a card, a character each, in the order of its deck: north, south, east, west.
func values(card threetrios.Card) string {
	text := ""
	for _, d := range []threetrios.Direction{threetrios.North, threetrios.South, threetrios.East, threetrios.West} {
		if v := card.Value(d); v == threetrios.Ace {
			text += "A"
		} else {
			text += fmt.Sprint(v)
		}
	}
	return text
}

func (s *sheet) colour(side rules.Side) string {
	if side == rules.First {
		return s.palette.first
	}
	return s.palette.second
}
