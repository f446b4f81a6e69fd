// Package hashtable keeps a word of data for each position that a search has visited, in a table of
// fixed size. It knows no game, and not what the words mean.
package hashtable

import (
	"math/bits"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/hugepages"
)

// Table is a hash table without locks: all threads of a search may use it at once, and no method
// blocks. A thread chooses the slot of a bucket in which it stores a position.
type Table struct {
	buckets []Bucket
	shift   uint
}

// Bucket holds the positions with the same upper bits of their hash. It is one cache line.
type Bucket [4]Slot

// BucketBytes is the size of a [Bucket].
const BucketBytes = 64

// New returns the largest table of at most this many bytes, but of one bucket at least.
func New(bytes int) *Table {
	logarithm := bits.Len(uint(max(1, bytes/BucketBytes))) - 1
	return &Table{hugepages.Make[Bucket](1 << logarithm), uint(64 - logarithm)}
}

// Len returns the number of buckets.
func (t *Table) Len() int { return len(t.buckets) }

// Suffices reports whether a search that wants a table of this many bytes can use this one: a new
// table would be less than twice as large.
func (t *Table) Suffices(bytes int) bool { return bytes < 2*len(t.buckets)*BucketBytes }

// Bucket returns the bucket that the upper bits of a hash select.
func (t *Table) Bucket(hash uint64) *Bucket { return &t.buckets[hash>>t.shift] }

// Prefetch starts to load the bucket of a hash into the processor's cache and does not wait for it.
// On processors without such an instruction it does nothing.
func (t *Table) Prefetch(hash uint64) { prefetch(t.Bucket(hash)) }

// Find returns the data that was stored with this check, or 0.
func (b *Bucket) Find(check uint64) (data uint64) {
	for i := range b {
		if found, data := b[i].Load(); found == check && data != 0 {
			return data
		}
	}
	return 0
}

// Slot holds the data of one position, and the check that identifies the position in its bucket. It
// stores the check combined with the data by exclusive or. Each of the two words is atomic, so a
// reader of words from two writers finds a check that matches no position (Hyatt and Mann, "A
// Lock-less Transposition Table Implementation for Parallel Search Chess Engines", 2002).
type Slot struct{ mixed, data atomic.Uint64 }

// Load returns the check and the data. Data 0 marks an empty slot.
func (s *Slot) Load() (check, data uint64) {
	data = s.data.Load()
	return s.mixed.Load() ^ data, data
}

// Store replaces the position of the slot. The data must not be 0.
func (s *Slot) Store(check, data uint64) { storeWords(s, check^data, data) }
