package triosearch

import "github.com/flipside-games/flipside/services/internal/rules/threetrios"

// A card is worth cardValue in every value of a position. The value of a finished game is its lead times that; no value is
// outside of infinity.
const (
	cardValue = 100
	infinity  = 1 << 15
)

// The weights of an estimate. They began as a least-squares fit to how 120 games of the search against itself on five by
// five ended, and were rounded. With 30,000 positions a move on five by five they won 61 to 30 of a hundred games against an
// estimate that does not follow chains, and 90 to 8 against one that does not look at the cards in hand either.
const (
	// leadWeight is for each card that one side owns more than the other: a little less than it is worth in the end.
	leadWeight = 85
	// takeWeight is for each opposing card that the side to move threatens to flip, and fearWeight for each card of
	// its own that is threatened, times how likely it is. The threats to the side to move count for more: of his own
	// he can carry out only one, and then it is the opponent's turn.
	takeWeight = 45
	fearWeight = 70
	// powerWeight is for the power of the cards in hand.
	powerWeight = 6
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

// powerOf returns what a card is worth to hold: how many of all values those of its sides beat, less how many they are
// beaten by.
func (g *game) powerOf(v values) int {
	power := 0
	for d := range directions {
		for other := uint8(1); other <= threetrios.Ace; other++ {
			power += int(g.beats[v.at(d)&15]>>other&1) - int(g.beats[other]>>v.at(d)&1)
		}
	}
	return power
}

// estimating is room that an estimate needs while it is made.
type estimating struct {
	// safety is how likely a card is not to be flipped from an empty cell beside it, in parts of safe.
	safety [256]uint32
	// exposed are the cells where that is less than certain.
	exposed []uint8
	// seen marks the cards of a chain with its number, which is the latest.
	seen  [256]uint32
	chain uint32
	queue []uint8
}

// safe is certainty.
const safe = 1 << 8

func newEstimating() estimating {
	e := estimating{exposed: make([]uint8, 0, 256), queue: make([]uint8, 0, 256)}
	for cell := range e.safety {
		e.safety[cell] = safe
	}
	return e
}

// estimate returns what a position is thought to be worth to the side to move: what each side owns and holds, and
// what it stands to lose. A card that can be flipped from an empty cell stands for all that would flip with it.
func (b *board) estimate() int {
	e := &b.estimating
	e.exposed = e.exposed[:0]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for d, at := range b.next[cell] {
			if b.owner[at] < nobody {
				b.expose(at, opposite(d))
			}
		}
	}
	var danger [2]int
	for _, cell := range e.exposed {
		danger[b.owner[cell]&1] += int(safe-e.safety[cell]) * b.chainFrom(cell)
		e.safety[cell] = safe
	}
	me, other := b.turn, 1-b.turn
	value := leadWeight*b.ahead() +
		(takeWeight*danger[other]-fearWeight*danger[me])/safe +
		powerWeight*(b.hands[me].power-b.hands[other].power)
	return max(1-infinity, min(value, infinity-1))
}

// expose makes a card less safe by the cards of the other side that beat it from the empty cell at side d.
func (b *board) expose(cell uint8, d int) {
	hand := &b.hands[1-b.owner[cell]]
	beating := uint32(hand.reach.of(d, b.cards[cell].at(d)))
	if beating == 0 {
		return
	}
	safety := &b.estimating.safety[cell]
	if *safety == safe {
		b.estimating.exposed = append(b.estimating.exposed, cell)
	}
	*safety -= (*safety*beating + uint32(hand.size) - 1) / uint32(hand.size)
}

// chainFrom returns how many cards of its side flip if one does: that one, those it then beats, and so on.
func (b *board) chainFrom(cell uint8) int {
	e, side := &b.estimating, b.owner[cell]
	e.chain++
	e.seen[cell] = e.chain
	e.queue = append(e.queue[:0], cell)
	for i := 0; i < len(e.queue); i++ {
		at := e.queue[i]
		for d, to := range b.next[at] {
			if b.owner[to] == side && e.seen[to] != e.chain &&
				b.beats[b.cards[at].at(d)&15]>>b.cards[to].at(opposite(d))&1 != 0 {
				e.seen[to] = e.chain
				e.queue = append(e.queue, to)
			}
		}
	}
	return len(e.queue)
}
