package threetrios

import (
	"iter"
	"math/bits"
)

// cellSet is a set of cells, by their index in reading order.
type cellSet [MaxRows * MaxColumns / 64]uint64

func (s *cellSet) has(at int) bool { return s[uint(at)/64]>>(uint(at)%64)&1 != 0 }
func (s *cellSet) add(at int)      { s[uint(at)/64] |= 1 << (uint(at) % 64) }
func (s *cellSet) remove(at int)   { s[uint(at)/64] &^= 1 << (uint(at) % 64) }

func (s *cellSet) size() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// all iterates over the cells in reading order.
func (s *cellSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// union returns the cells that are in s, in t or in both.
func union(s, t cellSet) cellSet {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}
