package threetrios

import (
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// deal gives each side half of the cards in play, which are one more than the card cells:
// alternately in the order of the deck, Red first. The rest of the deck is not used. It returns
// INVALID_DECK if the deck is too small.
func deal(deck []Card, g *Grid) (hands [3][]Card, err error) {
	needed := g.card.size() + 1
	if len(deck) < needed {
		return hands, fault.New(fault.InvalidDeck,
			"%d card cells need at least %d cards, but the deck has %d",
			g.card.size(), needed, len(deck)).With("cards", len(deck)).With("needed", needed)
	}
	for i, card := range deck[:needed] {
		side := mover(i)
		hands[side] = append(hands[side], card)
	}
	return hands, nil
}

// shuffle shuffles a deck in an order that depends on the seed alone. From the last card to the
// second, it swaps each with the card at a random index up to and including its own: the next
// number of the generator PCG-DXSM, seeded with the seed and 0, modulo the number of these cards.
// Games store only the seed, so a change here needs a new rules version.
func shuffle(deck []Card, seed int64) {
	random := rand.NewPCG(uint64(seed), 0)
	for i := len(deck) - 1; i > 0; i-- {
		j := random.Uint64() % uint64(i+1)
		deck[i], deck[j] = deck[j], deck[i]
	}
}

// mover returns the side to move after a number of moves. Red moves first, then the sides
// alternate.
func mover(moves int) rules.Side {
	if moves%2 == 0 {
		return rules.First
	}
	return rules.Second
}
