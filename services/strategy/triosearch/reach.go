package triosearch

import "github.com/flipside-games/flipside/services/internal/rules/threetrios"

// reach counts, for every side and value a card may show to an empty cell, the cards of a hand that would beat it from
// there by the base rule: a byte each, eight to a word, so that a card is added or taken away in five steps. No hand
// has more than 128 cards.
type reach [directions * threetrios.Ace / 8]uint64

func (r *reach) add(s *reach) {
	for i := range r {
		r[i] += s[i]
	}
}

func (r *reach) subtract(s *reach) {
	for i := range r {
		r[i] -= s[i]
	}
}

// of returns how many cards beat a value, 1 to 10, on side d of a card.
func (r *reach) of(d int, value uint8) uint8 {
	i := uint(d)*threetrios.Ace + uint(value) - 1
	return uint8(r[i/8] >> (i % 8 * 8))
}

// reachOf returns the reach of a single card.
func (g *game) reachOf(v values) reach {
	var r reach
	for d := range directions {
		for value := uint(1); value <= threetrios.Ace; value++ {
			i := uint(d)*threetrios.Ace + value - 1
			r[i/8] |= uint64(g.beats[v.at(opposite(d))]>>value&1) << (i % 8 * 8)
		}
	}
	return r
}
