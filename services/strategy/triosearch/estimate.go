package triosearch

// A card is worth cardValue in every value of a position; the value of a finished game is its lead times that.
const (
	cardValue = 100
	infinity  = 1 << 15
)

// final returns the value of a finished game to the side to move.
func (b *board) final() int { return cardValue * b.ahead() }

// ahead returns how many more cards the side to move owns.
func (b *board) ahead() int {
	if b.turn == second {
		return -b.lead
	}
	return b.lead
}

// estimate returns what a position is thought to be worth to the side to move.
func (b *board) estimate() int {
	var exposed [4]int
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for d, at := range b.next[cell] {
			if owner := b.owner[at]; owner < nobody {
				other := &b.hands[1-owner]
				exposed[owner&3] += int(b.risk[other.size][other.reach.of(opposite(d), b.cards[at].at(opposite(d)))])
			}
		}
	}
	me := b.turn
	v := b.final() + (exposed[1-me]*mineToTake-exposed[me]*hisToTake)>>8
	return max(-infinity+1, min(v, infinity-1))
}

var mineToTake, hisToTake = 60, 100
