package othello

import "math/bits"

// move is a legal move with what its making costs to find out: the discs it flips and the replies it leaves.
type move struct {
	flips, replies uint64
	rank           int32
	x              Square
}

// moveList is the moves of one board, best first.
type moveList struct {
	size  int
	moves [64]move
}

const corners uint64 = 0x8100000000000081

// add puts a move in its place by rank.
func (l *moveList) add(m move) {
	i := l.size
	for ; i > 0 && l.moves[i-1].rank < m.rank; i-- {
		l.moves[i] = l.moves[i-1]
	}
	l.moves[i] = m
	l.size++
}

// The ranks of moves when the replies decide.
const (
	rankTableFirst  = 1 << 20
	rankTableSecond = 1 << 19
	rankReply       = -16
	rankCorner      = 6
	rankOdd         = 4
	rankFrontier    = -3
)

// fastestFirst lists the moves so that those leaving the opponent the fewest replies come first, a corner counting
// double: few replies make a small tree and are good in themselves. It is the biggest single saving of the solver.
// Cells beside the mover's discs, future moves of the opponent, and cells of even quadrants count a little.
// Moves the table suggests come before all others.
func (l *moveList) fastestFirst(p, o, moves uint64, suggested [2]Square) {
	l.size = 0
	odd := oddQuadrants(^(p | o))
	for ; moves != 0; moves &= moves - 1 {
		x := first(moves)
		f := flips(p, o, x)
		m := move{x: x, flips: f, replies: legalMoves(o^f, p^f|1<<x)}
		m.rank = rankReply * int32(bits.OnesCount64(m.replies)+bits.OnesCount64(m.replies&corners))
		m.rank += rankFrontier * int32(bits.OnesCount64(around(p^f|1<<x)&^(p|o)))
		if corners>>x&1 != 0 {
			m.rank += rankCorner
		}
		if odd>>x&1 != 0 {
			m.rank += rankOdd
		}
		switch x {
		case suggested[0]:
			m.rank += rankTableFirst
		case suggested[1]:
			m.rank += rankTableSecond
		}
		l.add(m)
	}
}

// around is the neighbourhood of a set, the set included.
func around(set uint64) uint64 {
	set |= set<<1&^firstFile | set>>1&^(firstFile<<7)
	return set | set<<8 | set>>8
}

// The ranks of moves when the evaluation decides, in its units.
const (
	rankValuedReply = -384
	rankFirstValued = 1 << 28
)

// order lists the moves by the value of the boards they lead to, deep searches by that of a short search; replies
// count a little. Moves the table suggests come before all others.
func (w *worker) order(l *moveList, p, o, moves uint64, n, depth int, suggested [2]Square) {
	l.size = 0
	for ; moves != 0; moves &= moves - 1 {
		x := first(moves)
		f := flips(p, o, x)
		m := move{x: x, flips: f, replies: legalMoves(o^f, p^f|1<<x)}
		switch {
		case x == suggested[0], f == o:
			m.rank = rankFirstValued
		case x == suggested[1]:
			m.rank = rankFirstValued / 2
		default:
			m.rank = w.rank(p, o, &m, n, depth)
		}
		l.add(m)
	}
}

// lookAheadDepth is the least depth at which moves are ordered by the best reply to them instead of the board after.
const lookAheadDepth = 14

// rank is how good a move looks.
func (w *worker) rank(p, o uint64, m *move, n, depth int) int32 {
	w.advance(m, n)
	count := rankValuedReply * int32(bits.OnesCount64(m.replies)+bits.OnesCount64(m.replies&corners))
	if depth < lookAheadDepth || m.replies == 0 {
		return count - int32(w.weights.Value(&w.frames[n-1], n-1))
	}
	return count - w.bestReply(o^m.flips, p^m.flips|1<<(m.x&63), m.replies, n-1)
}

// bestReply is the value of the best of these moves for p, in the units of the evaluation.
func (w *worker) bestReply(p, o, moves uint64, n int) int32 {
	best := int32(-rankFirstValued)
	for ; moves != 0; moves &= moves - 1 {
		x := first(moves)
		w.frames[n-1].After(&w.frames[n], int(x), flips(p, o, x))
		best = max(best, -int32(w.weights.Value(&w.frames[n-1], n-1)))
	}
	return best
}
