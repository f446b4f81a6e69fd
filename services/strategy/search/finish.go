package search

import "math/bits"

// fewest is how many empty cells are few enough to try each, without looking for moves, order or memory. It is that
// few because lines meet seldom on a hexagon, so that the same position comes about in many ways: to remember it
// with four cells left, too, halves the positions looked at and saves a third of the time; with three it saves none.
const fewest = 3

// left are the empty cells of a position that has few.
type left struct {
	cells [fewest]int16
	count int
}

func (l left) without(i int) left {
	l.count--
	l.cells[i] = l.cells[l.count]
	return l
}

func (s *searcher[W]) finish(b *board[W], alpha int) int {
	var empty left
	for i := range len(s.home) {
		for word := s.home[i] &^ (b.own[i] | b.opp[i]); word != 0; word &= word - 1 {
			empty.cells[empty.count] = s.cellOf[i*wordBits+bits.TrailingZeros64(word)]
			empty.count++
		}
	}
	return s.try(b, empty, alpha, false)
}

// try is scout for the last few cells; passed tells that the opponent has just passed.
func (s *searcher[W]) try(b *board[W], empty left, alpha int, passed bool) int {
	if empty.count == 1 {
		return s.last(b, int(empty.cells[0]))
	}
	s.Nodes++
	best := -unbounded
	for i := range empty.count {
		at := int(empty.cells[i])
		f := s.flips(b, at)
		if int(f.count) < s.rules.minFlips {
			continue
		}
		next := s.place(b, at, &f)
		if value := -s.try(&next, empty.without(i), -alpha-1, false); value > best {
			if best = value; best > alpha {
				return best
			}
		}
	}
	switch {
	case best > -unbounded:
		return best
	case passed || empty.count == 0:
		return s.final(b.lead, b.empties)
	}
	other := b.passed()
	return -s.try(&other, empty, -alpha-1, true)
}

// last is the score if one cell is left, whoever can fill it.
func (s *searcher[W]) last(b *board[W], at int) int {
	s.Nodes++
	if count := s.countFlips(b, at); int(count) >= s.rules.minFlips {
		return s.final(b.lead+1+2*count, 0)
	}
	other := b.passed()
	if count := s.countFlips(&other, at); int(count) >= s.rules.minFlips {
		return s.final(b.lead-1-2*count, 0)
	}
	return s.final(b.lead, b.empties)
}
