package search

import (
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/limits"
)

// searcher is one goroutine's search of one request.
type searcher[W words] struct {
	*layout[W]
	limits.Counter
	table *table
	// stack holds the children of every node on the way to the current one.
	stack []child[W]
	// selective is set once any thread has made a selective cut.
	selective *atomic.Bool
	// estimated tells that some value since it was last cleared is not that of a finished game.
	estimated bool
	// ahead is how many depths a helper leaves out at first, so as to be where the others are not.
	ahead int
	// cutTo is the greatest depth at which branches may be cut; 0 forbids it.
	cutTo int
}

// child is a position after a move.
type child[W words] struct {
	board board[W]
	at    int16
	// order is higher for moves to look at earlier.
	order int32
}

// scout tells whether the value of a position, to the side to move, is above alpha. What it returns is above alpha if
// it is, and then no more than the value; otherwise it is no less than the value. From a depth of toEnd values are in
// discs, otherwise in units.
func (s *searcher[W]) scout(b *board[W], depth, alpha int) int {
	switch {
	case depth == toEnd:
		if b.empties <= fewest {
			return s.finish(b, alpha)
		}
	case depth >= int(b.empties):
		return s.scout(b, toEnd, floorDiv(alpha, unit)) * unit
	case depth == 0:
		return s.leaf(b)
	}
	if !s.Visit() {
		return 0
	}
	address := s.addressOf(b, depth)
	known, found := s.recall(address)
	if found {
		if value, enough := known.settles(depth, alpha); enough {
			s.estimated = s.estimated || known.depth != toEnd
			return value
		}
	}
	if depth >= ProbCutDepth && depth <= s.cutTo {
		value, cut := s.probCut(b, depth, alpha)
		if cut || s.Stopped() {
			return value
		}
		known, _ = s.recall(address) // the shallower search may have found a best move
	}
	first := len(s.stack)
	s.expand(b, depth, known.best)
	if len(s.stack) == first {
		return s.pass(b, depth, alpha)
	}
	if value, refuted := s.refuted(b, first, depth, alpha); refuted {
		s.stack = s.stack[:first]
		return value
	}
	best, bestAt := -unbounded, int16(noMove)
	for i := first; i < len(s.stack) && best <= alpha; i++ {
		c := s.next(i)
		at := c.at
		value := -s.scout(&c.board, below(depth), -alpha-1)
		if s.Stopped() {
			break
		}
		if value > best {
			best, bestAt = value, at
		}
	}
	s.stack = s.stack[:first]
	if !s.Stopped() {
		s.remember(address, b, depth, best, best > alpha, bestAt)
	}
	return best
}

// refuted looks for a child from first on that is known to be good enough already, which takes less than to search
// another that comes before it. That saves a tenth of all positions; near the leaves it does not pay.
func (s *searcher[W]) refuted(b *board[W], first, depth, alpha int) (int, bool) {
	if depth < refuteFrom || depth == toEnd && b.empties < refuteEmpties {
		return 0, false
	}
	for i := first; i < len(s.stack); i++ {
		known, _ := s.recall(s.addressOf(&s.stack[i].board, below(depth)))
		if value, enough := known.settles(below(depth), -alpha-1); enough && -value > alpha {
			s.estimated = s.estimated || known.depth != toEnd
			return -value, true
		}
	}
	return 0, false
}

// refuteFrom and refuteEmpties are how far from the leaves refuted looks: in depth, and in empty cells at the end.
const (
	refuteFrom    = 3
	refuteEmpties = 7
)

func (s *searcher[W]) leaf(b *board[W]) int {
	s.Visit()
	value, over := s.evaluate(b)
	s.estimated = s.estimated || !over
	return value
}

// settles returns a value that answers a scout's question, if the bounds are from deep enough and tell.
func (b bounds) settles(depth, alpha int) (int, bool) {
	lower, upper := int(b.lower), int(b.upper)
	if b.depth == toEnd && depth != toEnd {
		lower, upper = lower*unit, upper*unit
	}
	switch {
	case int(b.depth) < depth:
		return 0, false
	case lower > alpha:
		return lower, true
	case upper <= alpha:
		return upper, true
	}
	return 0, false
}

// pass is scout where the side to move cannot place.
func (s *searcher[W]) pass(b *board[W], depth, alpha int) int {
	passed := b.passed()
	if !s.canPlace(&passed) {
		return s.over(b, depth)
	}
	return -s.scout(&passed, depth, -alpha-1)
}

// over is the value of a finished game.
func (s *searcher[W]) over(b *board[W], depth int) int {
	score := s.final(b.lead, b.empties)
	if depth != toEnd {
		score *= unit
	}
	return score
}

// below is the depth of a node's children.
func below(depth int) int {
	if depth == toEnd {
		return toEnd
	}
	return depth - 1
}

// floorDiv is division that rounds down.
func floorDiv(a, b int) int {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}
