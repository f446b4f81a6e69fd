package search

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/limits"
)

// table remembers what is known of positions searched before. It is of a fixed size, belongs to one request, and is
// shared by the goroutines that work on it without a lock: an entry torn by two writers does not match its check.
//
// Keys are compared in all their 64 bits. A probe sees four entries, so that a search of a thousand million positions
// takes one for another with a probability of about one in four thousand million.
type table struct {
	sets []entrySet
	// shift leaves of a key the number of a set.
	shift int
}

// entrySet is one line of the cache.
type entrySet [4]entry

type entry struct {
	// check is the key, exclusive or with data.
	check, data atomic.Uint64
}

// bounds is what a table knows of a position: that its value lies between lower and upper, seen from depth, and
// which move was best.
type bounds struct {
	lower, upper int16
	depth        uint8
	// best is a cell, or noMove.
	best int16
}

// toEnd is the depth of bounds that hold for good, in discs; others are in units of the evaluation.
const toEnd = 255

// noMove stands for a pass, or for no move that is known of.
const noMove = -1

// unbounded is beyond every value.
const unbounded = 32000

// newTable makes the largest table that takes no more than so many bytes.
func newTable(size int) *table {
	sets := max(1, size/(len(entrySet{})*limits.EntryBytes))
	logarithm := bits.Len(uint(sets)) - 1
	return &table{make([]entrySet, 1<<logarithm), wordBits - logarithm}
}

// pack puts what makes bounds worth keeping on top, so that to compare them is to compare words: first the depth they
// were seen from, then the empty cells, which tell what it took to search to the end of the game.
func (b bounds) pack(empties int32) uint64 {
	worth := uint64(b.depth)<<8 | uint64(min(empties, math.MaxUint8))
	return uint64(uint16(b.lower)) | uint64(uint16(b.upper))<<16 | uint64(uint16(b.best))<<32 | worth<<48
}

func unpack(data uint64) bounds {
	return bounds{int16(data), int16(data >> 16), uint8(data >> 56), int16(data >> 32)}
}

func (t *table) set(key uint64) *entrySet { return &t.sets[key*spread>>t.shift] }

// spread makes every bit of a key count for the number of its set.
const spread = 0x9e3779b97f4a7c15

// get returns what is known of a position.
func (t *table) get(key uint64) (bounds, bool) {
	set := t.set(key)
	for i := range set {
		data := set[i].data.Load()
		if set[i].check.Load()^data == key && data != 0 {
			return unpack(data), true
		}
	}
	return bounds{best: noMove}, false
}

// put remembers that the value of a position with so many empty cells, seen from depth, is at least or at most this,
// and adds it to what is known from the same depth. What is known from a greater depth, or for good, does not give way:
// the shallow searches that cuts go by would wipe out what the deep ones found. In a full set the entry that took the
// least to find gives way, even to one that took less: three then hold what took long and the fourth what comes about
// now.
func (t *table) put(key uint64, empties int32, depth uint8, value int, atLeast bool, best int16) {
	set := t.set(key)
	place, least := &set[0], uint64(math.MaxUint64)
	known := bounds{-unbounded, unbounded, depth, best}
	for i := range set {
		data := set[i].data.Load()
		old := unpack(data)
		if set[i].check.Load()^data == key && data != 0 {
			place = &set[i]
			if old.depth > depth {
				return
			}
			known = known.after(old)
			break
		}
		if worth := data >> 48; worth < least {
			place, least = &set[i], worth
		}
	}
	if atLeast {
		known.lower = max(known.lower, int16(value))
	} else {
		known.upper = min(known.upper, int16(value))
	}
	data := known.pack(empties)
	place.check.Store(key ^ data)
	place.data.Store(data)
}

// after keeps of older bounds what still holds.
func (b bounds) after(old bounds) bounds {
	if old.depth == b.depth {
		b.lower, b.upper = old.lower, old.upper
	}
	if b.best == noMove {
		b.best = old.best
	}
	return b
}
