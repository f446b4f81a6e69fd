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
	rankReply       = 16
	rankCorner      = 6
	rankOdd         = 4
)

// fastestFirst lists the moves so that those leaving the opponent the fewest replies come first, a corner counting
// double: few replies make a small tree and are good in themselves. It is the biggest single saving of the solver.
// Moves the table suggests come before all others.
func (l *moveList) fastestFirst(p, o, moves uint64, suggested [2]Square) {
	l.size = 0
	odd := oddQuadrants(^(p | o))
	for ; moves != 0; moves &= moves - 1 {
		x := first(moves)
		f := flips(p, o, x)
		m := move{x: x, flips: f, replies: legalMoves(o^f, p^f|1<<x)}
		m.rank = -rankReply * int32(bits.OnesCount64(m.replies)+bits.OnesCount64(m.replies&corners))
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
