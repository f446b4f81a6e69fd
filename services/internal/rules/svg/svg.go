// Package svg draws positions as SVG: a header with the score and the side to move, and below it
// the board; in Three Trios with a hand at either side. A drawing is one self-contained document
// without scripts, styles and fonts. It scales to any size. Its title and description contain the
// same in words, for people who cannot see it. Marks differ in shape, not only in colour.
//
// The package knows only the position. The caller passes the end of a game that the position does
// not show, such as a resignation.
package svg

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Options adds to the drawing of a position. Cells off the board are ignored.
type Options struct {
	// TextOptions are the options of a text drawing. Hints are cut after about three characters.
	rules.TextOptions
	// Last is the cell of the last move; nil for none and after a pass.
	Last *rules.Cell
	// Flips are the flips of the last move.
	Flips []rules.Flip
	// Status replaces the side to move or the winner in the header, for games that did not end by
	// score, such as "White resigned". It is cut after about 25 characters.
	Status string
	// Theme is Light by default.
	Theme Theme
}

// Draw returns the SVG document of a position. The same position and options give the same bytes.
func Draw(p rules.Position, o Options) []byte {
	s := &sheet{position: p, options: o, palette: o.Theme.palette(), width: pageWidth, height: headerHeight}
	switch p := p.(type) {
	case *reversi.Position:
		s.drawBoard(p)
	case *threetrios.Position:
		s.drawTable(p)
	}
	return s.document()
}

// sheet is a drawing in progress. It grows from the top down: height is the height of the drawing
// so far, in pixels of a drawing of the usual width.
type sheet struct {
	canvas
	width, height float64
	palette       palette
	position      rules.Position
	options       Options
}

// pageWidth is the usual width of a drawing, margin the space at its edges.
const (
	pageWidth = 480
	margin    = 12
)

// document returns the finished drawing.
func (s *sheet) document() []byte {
	var page canvas
	page.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" width="%v" height="%v" role="img" `+
		`font-family="system-ui,sans-serif" font-weight="600" text-anchor="middle">`, s.width, s.height, s.width, s.height)
	page.put("\n<title>%v</title>\n<desc>%v</desc>\n%v\n", s.title(), s.description(), definitions)
	page.put(`<rect width="%v" height="%v" rx="14" fill="%v"/>`+"\n", s.width, s.height, s.palette.page)
	page.put("%v%v</svg>\n", s.header(), markup(s.canvas))
	return page
}

// marks are the marks on one cell, besides its disc or card.
type marks struct {
	last, selected bool
	flip           *rules.Flip
	hint           string
}

// marksOn returns the marks of a cell. Only empty cells have hints.
func (s *sheet) marksOn(c rules.Cell, empty bool) marks {
	m := marks{last: equals(s.options.Last, c), selected: equals(s.options.Selected, c)}
	for i := range s.options.Flips {
		if s.options.Flips[i].Cell == c {
			m.flip = &s.options.Flips[i]
		}
	}
	if empty {
		m.hint = s.options.Hints[c]
	}
	return m
}

// equals reports whether an optional cell is c.
func equals(optional *rules.Cell, c rules.Cell) bool { return optional != nil && *optional == c }
