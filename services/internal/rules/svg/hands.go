package svg

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// A hand is a column of entries, one a card, entryPitch apart. A hand of fullHand cards, which is that of a
// grid of five by five, has room beside any grid, a longer one beside a grid that is high enough.
const (
	handWidth   = 108
	handGap     = 8
	entryHeight = 38
	entryPitch  = 42
	fullHand    = 13
	nameSize    = 13.5
)

// drawHand draws the hand of a side and returns how high it is. The room there is lets it be at least as
// high as a full hand. If it is too long for that, it ends in a count of the cards left out.
func (s *sheet) drawHand(p *threetrios.Position, side rules.Side, x, room float64) (height float64) {
	hand, rest := p.Hand(side), 0
	if places := max(fullHand, int(room/entryPitch)); len(hand) > places {
		hand, rest = hand[:places-1], len(hand)-places+1
	}
	for i, card := range hand {
		s.drawEntry(side, i, card, point{x, s.height + height})
		height += entryPitch
	}
	if rest > 0 {
		s.put(`<text x="%v" y="%v" font-size="14" fill="%v">%v</text>`+"\n",
			x+handWidth/2, s.height+height+24, s.palette.ink, fmt.Sprintf("and %d more", rest))
		height += entryPitch
	}
	return height
}

// drawEntry draws one card of a hand: its index, its name, and its values, each beside an arrow to its side.
// Names differ in width from font to font; what is wider than foreseen is clipped.
func (s *sheet) drawEntry(side rules.Side, index int, card threetrios.Card, at point) {
	s.put(`<svg x="%v" y="%v" width="%v" height="%v"><title>%v</title>`, at.x, at.y, handWidth, entryHeight, card.String())
	s.put(`<use href="#fs-entry" fill="%v"/><g fill="%v">`, s.colour(side), s.palette.cardInk)
	s.put(`<text x="12" y="24" font-size="14">%v</text>`, index)
	s.put(`<text x="30" y="15.5" font-size="%v" text-anchor="start">%v</text>`,
		nameSize, fit(card.Name, (handWidth-32)/nameSize))
	s.put(`<text x="41 61 81 101" y="32.2" font-size="13">%v</text></g></svg>`+"\n", values(card))
}
