package svg

import "github.com/flipside-games/flipside/services/internal/rules"

// The strip is as high as it is, and holds a pill for the score of either side.
const (
	stripHeight = 58
	pillHeight  = 36
	pillWidth   = 92
	statusSize  = 16
)

// strip draws the score of either side, framed for the side to move, and the status between them.
func (s *sheet) strip() markup {
	var c canvas
	score := s.position.Score()
	s.pill(&c, rules.First, margin, score.First)
	s.pill(&c, rules.Second, s.width-margin-pillWidth, score.Second)
	room := s.width - 2*(margin+pillWidth+4)
	c.put(`<text x="%v" y="35" font-size="%v" fill="%v">%v</text>`+"\n", s.width/2, statusSize, s.palette.ink,
		fit(s.status(), room/statusSize))
	return markup(c)
}

func (s *sheet) pill(c *canvas, side rules.Side, x float64, score int) {
	stroke, thick := s.palette.quiet, 1.5
	if s.position.Turn() == side {
		stroke, thick = s.palette.ink, 3
	}
	c.put(`<g transform="translate(%v 11)"><rect width="%v" height="%v" rx="18" fill="none" stroke="%v" stroke-width="%v"/>`,
		x, pillWidth, pillHeight, stroke, thick)
	c.put(`<g transform="translate(21 18)">%v</g>`, s.piece(side))
	c.put(`<text x="61" y="25.5" font-size="21" fill="%v">%v</text></g>`+"\n", s.palette.ink, score)
}

// piece draws what a side plays with, around the origin.
func (s *sheet) piece(side rules.Side) markup {
	var c canvas
	if s.position.Kind() == rules.Reversi {
		c.put(`<circle r="14" fill="%v"/><use href="#%v" transform="scale(1.25)"/>`, s.palette.cell, discs[side])
	} else {
		c.put(`<g transform="scale(.62) translate(-20 -20)"><use href="#%v" fill="%v"/>`, cards[side], s.colour(side))
		c.put(`<use href="#%v" fill="%v" transform="translate(-18 -18) scale(1.9)"/></g>`, emblems[side], s.palette.cardInk)
	}
	return markup(c)
}
