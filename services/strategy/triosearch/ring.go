package triosearch

// ring is the members of a fixed list of small numbers from 1, in order, that can be taken out and put back. A
// number is put back where it was, which takes no search as long as the last one taken out is put back first.
// next[0] is the first member; after the last comes 0.
type ring struct{ next, previous [256]uint8 }

// newRing returns the ring of the numbers from 1 to n that are wanted.
func newRing(n int, wanted func(int) bool) ring {
	var r ring
	last := uint8(0)
	for i := 1; i <= n; i++ {
		if wanted(i) {
			r.next[last], r.previous[i] = uint8(i), last
			last = uint8(i)
		}
	}
	r.previous[0] = last
	return r
}

func (r *ring) takeOut(i uint8) {
	before, after := r.previous[i], r.next[i]
	r.next[before], r.previous[after] = after, before
}

func (r *ring) putBack(i uint8) {
	r.next[r.previous[i]], r.previous[r.next[i]] = i, i
}
