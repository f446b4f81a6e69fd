package triosearch

import "github.com/flipside-games/flipside/services/internal/rules/threetrios"

// A card is worth cardValue in the value of a position. The value of a finished game is cardValue
// times its lead. All values lie within infinity.
const (
	cardValue = 100
	infinity  = 1 << 15
)

// The weights of the evaluation. They started as a least-squares fit to the results of 120 games of
// the search against itself on five by five, and were rounded. With 30,000 nodes a move on five by
// five they won 61 and lost 30 of a hundred games against an evaluation without chains, and won 90
// and lost 8 against one that also ignores the cards in hand.
const (
	// leadWeight is for each card of the lead: a little less than a card of the final score.
	leadWeight = 85
	// takeWeight is for each opposing card that the side to move threatens to flip, and fearWeight
	// for each of its own cards that the opponent threatens, times the probability. The latter is
	// higher since the side to move can carry out only one of its threats before the opponent
	// moves.
	takeWeight = 45
	fearWeight = 70
	// powerWeight is for the power of the cards in hand.
	powerWeight = 6
)

// final returns the value of a finished game for the side to move.
func (b *board) final() int { return cardValue * b.ownLead() }

// ownLead returns the lead of the side to move, in cards.
func (b *board) ownLead() int {
	if b.turn == second {
		return -b.lead
	}
	return b.lead
}

// powerOf returns the power of a card: how many of all possible values its sides beat, less how
// many beat them.
func (g *game) powerOf(v values) int {
	power := 0
	for d := range directions {
		for other := uint8(1); other <= threetrios.Ace; other++ {
			power += int(g.beats[v.at(d)&15]>>other&1) - int(g.beats[other]>>v.at(d)&1)
		}
	}
	return power
}

// evaluation is scratch memory of evaluate.
type evaluation struct {
	// safety is, for each card, the probability that no card flips it from an empty neighbour cell,
	// in units of 1/safe.
	safety [256]uint32
	// exposed lists the cells whose card is not safe.
	exposed []uint8
	// seen holds for each card the number of the last chain that it was part of.
	seen  [256]uint32
	chain uint32
	queue []uint8
}

// safe is the probability 1.
const safe = 1 << 8

func newEvaluation() evaluation {
	e := evaluation{exposed: make([]uint8, 0, 256), queue: make([]uint8, 0, 256)}
	for cell := range e.safety {
		e.safety[cell] = safe
	}
	return e
}

// evaluate returns the static evaluation for the side to move: the cards that each side owns, the
// power of its hand, and the cards that it can lose. A card that can be flipped from an empty cell
// counts for all cards that would flip with it.
func (b *board) evaluate() int {
	e := &b.evaluation
	e.exposed = e.exposed[:0]
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for d, at := range b.next[cell] {
			if b.owner[at] < emptyCell {
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
	value := leadWeight*b.ownLead() +
		(takeWeight*danger[other]-fearWeight*danger[me])/safe +
		powerWeight*(b.hands[me].power-b.hands[other].power)
	return max(1-infinity, min(value, infinity-1))
}

// expose lowers the safety of a card by the opponent's cards that beat it from the empty cell at
// side d.
func (b *board) expose(cell uint8, d int) {
	hand := &b.hands[1-b.owner[cell]]
	beating := uint32(hand.attackers.count(d, b.cards[cell].at(d)))
	if beating == 0 {
		return
	}
	safety := &b.evaluation.safety[cell]
	if *safety == safe {
		b.evaluation.exposed = append(b.evaluation.exposed, cell)
	}
	*safety -= (*safety*beating + uint32(hand.size) - 1) / uint32(hand.size)
}

// chainFrom returns the number of cards of its side that flip if a card flips: the card itself,
// those that it then beats, and so on.
func (b *board) chainFrom(cell uint8) int {
	e, side := &b.evaluation, b.owner[cell]
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
