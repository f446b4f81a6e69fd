package triosearch

import "github.com/flipside-games/flipside/services/internal/rules/threetrios"

// attackers counts, for each side and value of a card beside an empty cell, the cards of a hand
// that beat it from that cell by the base rule. A count is a byte and a word holds eight of them,
// so that adding a card takes five steps. No hand has more than 128 cards.
type attackers [directions * threetrios.Ace / 8]uint64

func (a *attackers) add(b *attackers) {
	for i := range a {
		a[i] += b[i]
	}
}

func (a *attackers) subtract(b *attackers) {
	for i := range a {
		a[i] -= b[i]
	}
}

// count returns the number of cards that beat a value, 1 to 10, on side d of a card.
func (a *attackers) count(d int, value uint8) uint8 {
	i := uint(d)*threetrios.Ace + uint(value) - 1
	return uint8(a[i/8] >> (i % 8 * 8))
}

// attackersOf returns the counts of a single card.
func (g *game) attackersOf(v values) attackers {
	var a attackers
	for d := range directions {
		for value := uint(1); value <= threetrios.Ace; value++ {
			i := uint(d)*threetrios.Ace + value - 1
			a[i/8] |= uint64(g.beats[v.at(opposite(d))]>>value&1) << (i % 8 * 8)
		}
	}
	return a
}
