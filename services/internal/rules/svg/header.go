package svg

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// The header holds two pills, one for the score of each side.
const (
	headerHeight = 58
	pillHeight   = 36
	pillWidth    = 92
	statusSize   = 16
)

// header draws the score of each side, framed for the side to move, and the status between them.
func (s *sheet) header() markup {
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
	stroke, thickness := s.palette.quiet, 1.5
	if s.position.Turn() == side {
		stroke, thickness = s.palette.ink, 3
	}
	c.put(`<g transform="translate(%v 11)"><rect width="%v" height="%v" rx="18" fill="none" stroke="%v" stroke-width="%v"/>`,
		x, pillWidth, pillHeight, stroke, thickness)
	c.put(`<g transform="translate(21 18)">%v</g>`, s.piece(side))
	c.put(`<text x="61" y="25.5" font-size="21" fill="%v">%v</text></g>`+"\n", s.palette.ink, score)
}

// piece draws a disc or a card of a side around the origin.
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

// status returns the status of the options, or the side to move, or the result.
func (s *sheet) status() string {
	turn, final := s.position.Turn(), s.position.FinalScore()
	high, low := max(final.First, final.Second), min(final.First, final.Second)
	switch {
	case s.options.Status != "":
		return s.options.Status
	case turn == rules.NoSide && high == low:
		return fmt.Sprintf("Draw, %d–%d", high, low)
	case turn == rules.NoSide:
		return fmt.Sprintf("%s wins, %d–%d", s.name(final.Leader()), high, low)
	case rules.MustPass(s.position):
		return s.name(turn) + " must pass"
	}
	return s.name(turn) + " to move"
}

func (s *sheet) name(side rules.Side) string { return s.position.Kind().SideName(side) }
