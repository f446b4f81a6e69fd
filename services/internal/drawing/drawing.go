// Package drawing draws positions as SVG and as PNG: a header with the score and the side to move,
// and below it the board; in Three Trios with a hand at either side. The title and the description
// of an SVG contain the same in words, for people who cannot see it. Marks differ in shape, not
// only in colour.
//
// The package knows only the position. The caller passes the end of a game that the position does
// not show, such as a resignation.
package drawing

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Options adds to the drawing of a position. Cells off the board are ignored.
type Options struct {
	// TextOptions are the options of a text drawing. Hints are cut after about three characters.
	rules.TextOptions
	// Card is the name of the selected card of a hand; "" for none.
	Card string
	// Last is the cell of the last move; nil for none and after a pass.
	Last *rules.Cell
	// Flips are the flips of the last move.
	Flips []rules.Flip
	// Legal marks the cells on which the side to move can place a disc. Three Trios needs no such
	// marks: every empty card cell is legal.
	Legal bool
	// Status replaces the side to move or the winner in the header, for games that did not end by
	// score, such as "White resigned". It is cut after about 25 characters.
	Status string
	// Theme is Light by default.
	Theme Theme
}

// Drawing is the drawing of a position. It is safe for concurrent use.
type Drawing struct {
	width, height float64 // in pixels of the SVG
	nodes         []node
	palette       palette
	position      rules.Position
	options       Options
	legal         map[rules.Cell]bool
}

// pageWidth is the usual width of a drawing, margin the space at its edges.
const (
	pageWidth = 480
	margin    = 12
)

// New draws a position. The same position and options give the same bytes.
func New(p rules.Position, o Options) *Drawing {
	d := &Drawing{
		width: pageWidth, palette: o.Theme.palette(), position: p, options: o,
		legal: map[rules.Cell]bool{},
	}
	if o.Legal && p.Kind() == rules.Reversi {
		for _, m := range p.Legal() {
			if m.Kind != rules.PassTurn {
				d.legal[m.Cell] = true
			}
		}
	}
	var board []node
	switch p := p.(type) {
	case *reversi.Position:
		board = d.drawBoard(p)
	case *threetrios.Position:
		board = d.drawTable(p)
	}
	d.nodes = append(d.header(), board...)
	return d
}

// marks are the marks on one cell, besides its disc or card.
type marks struct {
	last, selected, legal bool
	flip                  *rules.Flip
	hint                  string
}

// marksOn returns the marks of a cell. Only empty cells have hints.
func (d *Drawing) marksOn(c rules.Cell, empty bool) marks {
	m := marks{last: equals(d.options.Last, c), selected: equals(d.options.Selected, c)}
	for i := range d.options.Flips {
		if d.options.Flips[i].Cell == c {
			m.flip = &d.options.Flips[i]
		}
	}
	if empty {
		m.hint, m.legal = d.options.Hints[c], d.legal[c]
	}
	return m
}

// equals reports whether an optional cell is c.
func equals(optional *rules.Cell, c rules.Cell) bool { return optional != nil && *optional == c }

// label returns a text whose middle is at a point.
func label(text string, at point, size float64, fill string) node {
	const middle = 0.36 // of the height of capitals and digits, in units of the font size
	return node{at: point{at.x, at.y + middle*size}, text: text, size: size, style: style{fill: fill}}
}

// selection returns the mark of a selected cell or card: a bright ring on its outline between two
// dark ones, so that it contrasts with everything.
func (d *Drawing) selection(s shape, at point) node {
	return node{class: "fs-selected", style: style{fill: "none"}, children: []node{
		{at: at, shape: s, style: style{stroke: d.palette.shadow, width: 4.4}},
		{at: at, shape: s, style: style{stroke: d.palette.selected, width: 2.4}},
	}}
}
