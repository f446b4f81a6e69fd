package search

import "math/bits"

// expand pushes the positions after each placement, marked with how early to look at them: the one that was best
// before comes first.
func (s *searcher[W]) expand(b *board[W], depth int, best int16) {
	to := s.landings(&b.own, &b.opp)
	var seen W
	for i := range len(to) {
		for word := to[i]; word != 0; word &= word - 1 {
			at := s.cellOf[i*wordBits+bits.TrailingZeros64(word)]
			home := s.cells[at].home
			if seen[home.word]&home.bit != 0 {
				continue
			}
			seen[home.word] |= home.bit
			f := s.flips(b, int(at))
			if int(f.count) < s.rules.minFlips {
				continue
			}
			c := child[W]{board: s.place(b, int(at), &f), at: at}
			switch {
			case at == best:
				c.order = 1
			case depth != 1:
				c.order = -s.replies(&c.board)
			}
			s.stack = append(s.stack, c)
		}
	}
}

// replies counts the slots to go to: moves that leave the opponent few come first. Without that order three rings take
// 5.7 times as many positions to solve, five rings 1.8 times with 18 cells empty, and a depth of nine 1.9 times. To
// count cells, each once, saves nothing worth its time, nor does to put safe cells first or to go by the evaluation.
func (l *layout[W]) replies(b *board[W]) (count int32) {
	to := l.landings(&b.own, &b.opp)
	for i := range len(to) {
		count += ones(to[i])
	}
	return count
}

// next brings the most promising child from i on to i, and returns it.
func (s *searcher[W]) next(i int) *child[W] {
	best := i
	for j := i + 1; j < len(s.stack); j++ {
		if s.stack[j].order > s.stack[best].order {
			best = j
		}
	}
	if best != i {
		s.stack[i], s.stack[best] = s.stack[best], s.stack[i]
	}
	return &s.stack[i]
}

// canPlace reports whether the side to move can place a disc.
func (l *layout[W]) canPlace(b *board[W]) bool {
	to := l.landings(&b.own, &b.opp)
	for i := range len(to) {
		for word := to[i]; word != 0; word &= word - 1 {
			if l.rules.minFlips == 1 {
				return true
			}
			at := l.cellOf[i*wordBits+bits.TrailingZeros64(word)]
			if int(l.countFlips(b, int(at))) >= l.rules.minFlips {
				return true
			}
		}
	}
	return false
}
