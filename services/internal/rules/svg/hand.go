package svg

import (
	"fmt"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// A hand is a column of entries, one for each card, entryPitch apart. There is always room for
// fullHand cards, the hand at the start on five by five cells. A longer hand needs a high grid.
const (
	handWidth   = 108
	handGap     = 8
	entryHeight = 38
	entryPitch  = 42
	fullHand    = 13
	nameSize    = 13.5
)

// drawHand draws the hand of a side and returns its height. room is the height of the grid. If the
// hand does not fit, it ends with the number of cards left out.
func (s *sheet) drawHand(p *threetrios.Position, side rules.Side, x, room float64) (height float64) {
	hand, omitted := p.Hand(side), 0
	if places := max(fullHand, int(room/entryPitch)); len(hand) > places {
		hand, omitted = hand[:places-1], len(hand)-places+1
	}
	for i, card := range hand {
		s.drawEntry(side, i, card, point{x, s.height + height})
		height += entryPitch
	}
	if omitted > 0 {
		s.put(`<text x="%v" y="%v" font-size="14" fill="%v">%v</text>`+"\n",
			x+handWidth/2, s.height+height+24, s.palette.ink, fmt.Sprintf("and %d more", omitted))
		height += entryPitch
	}
	return height
}

// drawEntry draws one card of a hand: its index, its name, and each value beside an arrow to its
// side. The entry clips a name that is wider than the estimate.
func (s *sheet) drawEntry(side rules.Side, index int, card threetrios.Card, at point) {
	s.put(`<svg x="%v" y="%v" width="%v" height="%v"><title>%v</title>`, at.x, at.y, handWidth, entryHeight, card.String())
	s.put(`<use href="#fs-entry" fill="%v"/><g fill="%v">`, s.colour(side), s.palette.cardInk)
	s.put(`<text x="12" y="24" font-size="14">%v</text>`, index)
	s.put(`<text x="30" y="15.5" font-size="%v" text-anchor="start">%v</text>`,
		nameSize, fit(card.Name, (handWidth-32)/nameSize))
	s.put(`<text x="41 61 81 101" y="32.2" font-size="13">%v</text></g></svg>`+"\n", card.Values())
}
