package search

// full returns the value of a position to the side to move if it lies between alpha and beta, else a bound on that
// side, as scout does. It also writes down the way there: best play to the depth, as far as the value lies between.
func (s *searcher[W]) full(b *board[W], depth, alpha, beta int, way *[]int16) int {
	*way = (*way)[:0]
	switch {
	case depth == 0:
		return s.leaf(b)
	case depth != toEnd && depth >= int(b.empties):
		return s.full(b, toEnd, floorDiv(alpha, unit), -floorDiv(-beta, unit), way) * unit
	}
	if !s.Visit() {
		return 0
	}
	known, _ := s.recall(s.addressOf(b, depth))
	first := len(s.stack)
	s.expand(b, depth, known.best)
	if len(s.stack) == first {
		return s.fullPass(b, depth, alpha, beta, way)
	}
	best, bestAt := -unbounded, int16(noMove)
	var rest []int16
	for i := first; i < len(s.stack) && best < beta; i++ {
		c := s.next(i)
		at := c.at
		value := s.narrow(&c.board, below(depth), max(alpha, best), beta, i == first, &rest)
		if s.Stopped() {
			break
		}
		if value > best {
			best, bestAt = value, at
			if value > alpha {
				*way = append(append((*way)[:0], at), rest...)
			}
		}
	}
	s.stack = s.stack[:first]
	if !s.Stopped() {
		s.rememberFull(b, depth, alpha, beta, best, bestAt)
	}
	return best
}

// narrow returns the value of a move to the side that makes it, given the position after it. All but the first move
// are scouted before they are searched in full: they seldom turn out better.
func (s *searcher[W]) narrow(after *board[W], depth, alpha, beta int, isFirst bool, way *[]int16) int {
	if !isFirst {
		value := -s.scout(after, depth, -alpha-1)
		if value <= alpha || value >= beta || s.Stopped() {
			*way = (*way)[:0]
			return value
		}
	}
	return -s.full(after, depth, -beta, -alpha, way)
}

func (s *searcher[W]) fullPass(b *board[W], depth, alpha, beta int, way *[]int16) int {
	passed := b.passed()
	if !s.canPlace(&passed) {
		return s.over(b, depth)
	}
	var rest []int16
	value := -s.full(&passed, depth, -beta, -alpha, &rest)
	*way = append(append((*way)[:0], noMove), rest...)
	return value
}

func (s *searcher[W]) rememberFull(b *board[W], depth, alpha, beta, value int, best int16) {
	address := s.addressOf(b, depth)
	if value > alpha {
		s.remember(address, b, depth, value, true, best)
	}
	if value < beta {
		s.remember(address, b, depth, value, false, best)
	}
}
