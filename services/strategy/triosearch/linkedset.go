package triosearch

// linkedSet is a set of numbers from 1 to 255 as a doubly linked list in ascending order. A removed
// number keeps its links, so that restoring it takes constant time; numbers must be restored in the
// reverse order of their removal. next[0] is the first number, and 0 follows the last one.
type linkedSet struct{ next, previous [256]uint8 }

// newLinkedSet returns the set of the numbers from 1 to n that satisfy accept.
func newLinkedSet(n int, accept func(int) bool) linkedSet {
	var s linkedSet
	last := uint8(0)
	for i := 1; i <= n; i++ {
		if accept(i) {
			s.next[last], s.previous[i] = uint8(i), last
			last = uint8(i)
		}
	}
	s.previous[0] = last
	return s
}

func (s *linkedSet) remove(i uint8) {
	before, after := s.previous[i], s.next[i]
	s.next[before], s.previous[after] = after, before
}

func (s *linkedSet) restore(i uint8) {
	s.next[s.previous[i]], s.previous[s.next[i]] = i, i
}
