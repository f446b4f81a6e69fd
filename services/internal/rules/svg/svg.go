// Package picture draws positions as SVG: a strip with the score and whose turn it is, and below it the
// board, with a hand at either side in Three Trios. A picture is one self-contained document without scripts, styles
// or fonts, scales to any size, and says what it shows in words for those who cannot see it. Marks differ from each
// other in shape and not only in colour. The package knows a game by its position alone: who plays, and how
// a game ended otherwise than by its rules, the caller has to say.
package svg

import (
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Options says what a picture shows beside the position. Cells that are not on the board are not shown.
type Options struct {
	// TextOptions are what a picture and a text have in common. A hint of more than some three characters is cut.
	rules.TextOptions
	// Last is the cell of the last move; nil for none, and after a pass.
	Last *rules.Cell
	// Flips are the pieces that the last move flipped.
	Flips []rules.Flip
	// Status is said in place of whose turn it is or who won, which is all that a position can tell. It is for
	// games that ended otherwise, as in "White resigned". The picture cuts it to some twenty-five characters.
	Status string
	// Theme is Light unless said otherwise.
	Theme Theme
}

// SVG draws a position. The same position and options give the same bytes.
func Draw(p rules.Position, o Options) []byte {
	s := &sheet{position: p, options: o, palette: o.Theme.palette(), width: pageWidth, height: stripHeight}
	switch p := p.(type) {
	case *reversi.Position:
		s.drawBoard(p)
	case *threetrios.Position:
		s.drawTable(p)
	}
	return s.document()
}

// A sheet is a picture in the making: what is drawn so far, from the top down, and how far down that is. Its
// unit is the pixel of a picture of the usual width.
type sheet struct {
	canvas
	width, height float64
	palette       palette
	position      rules.Position
	options       Options
}

// The usual width of a picture, and the space around what is on it.
const (
	pageWidth = 480
	margin    = 12
)

func (s *sheet) document() []byte {
	var page canvas
	page.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" width="%v" height="%v" role="img" `+
		`font-family="system-ui,sans-serif" font-weight="600" text-anchor="middle">`, s.width, s.height, s.width, s.height)
	title, description := s.words()
	page.put("\n<title>%v</title>\n<desc>%v</desc>\n%v\n", title, description, definitions)
	page.put(`<rect width="%v" height="%v" rx="14" fill="%v"/>`+"\n", s.width, s.height, s.palette.page)
	page.put("%v%v</svg>\n", s.strip(), markup(s.canvas))
	return page
}

// marks is what is shown on one cell beside what lies there.
type marks struct {
	last, selected bool
	flip           *rules.Flip
	hint           string
}

// marksOn returns the marks of a cell. Only an empty cell has a hint.
func (s *sheet) marksOn(c rules.Cell, empty bool) marks {
	m := marks{last: is(s.options.Last, c), selected: is(s.options.Selected, c)}
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

// is reports whether an optional cell is that one.
func is(optional *rules.Cell, c rules.Cell) bool { return optional != nil && *optional == c }
