package search

import (
	"math"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/hashtable"
)

// table is a transposition table of fixed size, which all threads of a search share.
//
// It compares all 64 bits of a key with four entries, so that a search of a thousand million nodes
// takes one position for another with a probability of about one in four thousand million.
type table struct {
	hashtable.Aged
	// selective is set after the first selective cut of any search: from then on, every value can
	// depend on one.
	selective atomic.Bool
	// visited is the number of nodes that the first thread visited in the search before.
	visited int64
}

// entry holds the bounds on the value of a position at a depth, and its best move.
type entry struct {
	lower, upper int16
	depth        uint8
	// bestMove is a cell, or noMove.
	bestMove int16
}

// toEnd is the depth of a search to the end of the game. Its values are in discs; those at other
// depths are in units of the evaluation.
const toEnd = 255

// noMove stands for a pass or for an unknown move.
const noMove = -1

// unbounded is beyond all values.
const unbounded = 32000

// newTable returns the largest table of at most size bytes.
func newTable(size int) *table { return &table{Aged: hashtable.NewAged(size)} }

// pack encodes an entry, without its age. The upper bits are its priority for replacement among the
// entries of its age: first its depth, then the number of empty cells, which stands for the cost of
// a search to the end of the game.
func (e entry) pack(empties int32) uint64 {
	priority := uint64(e.depth)<<8 | uint64(min(empties, math.MaxUint8))
	return uint64(uint16(e.lower)) | uint64(uint16(e.upper))<<16 |
		uint64(e.bestMove&moveMask)<<32 | priority<<48
}

// moveMask selects the twelve bits of a move.
const moveMask = 1<<12 - 1

func unpack(data uint64) entry {
	return entry{int16(data), int16(data >> 16), uint8(data >> 56), int16(data>>28) >> 4}
}

// priority returns the priority of an entry for replacement. Any entry of this search has a higher
// one than those of earlier searches.
func (t *table) priority(data uint64) uint64 {
	p := data >> 48
	if t.IsCurrent(data) {
		p |= 1 << 16
	}
	return p
}

func (t *table) bucket(key uint64) *hashtable.Bucket { return t.Bucket(key * spread) }

// spread makes all bits of a key affect its bucket.
const spread = 0x9e3779b97f4a7c15

// prefetch starts to load the entry of a position into the processor's cache. A search that does so
// when it makes the moves of a node takes a fifth less time.
func (t *table) prefetch(key uint64) { t.Prefetch(key * spread) }

// probe returns the entry of a position.
func (t *table) probe(key uint64) (e entry, found bool) {
	if data := t.bucket(key).Find(key); data != 0 {
		return unpack(data), true
	}
	return entry{bestMove: noMove}, false
}

// store adds a bound to the entry of a position with so many empty cells: a lower bound, or an
// upper one. It keeps an entry of a greater depth, which the shallow searches of probCut would
// otherwise replace. In a full bucket it replaces the entry of the lowest priority, even by one of
// a lower priority: so three entries hold expensive results and the fourth recent ones.
func (t *table) store(
	key uint64, empties int32, depth uint8, value int, isLower bool, bestMove int16,
) {
	bucket := t.bucket(key)
	replaced, lowest := &bucket[0], uint64(math.MaxUint64)
	e := entry{-unbounded, unbounded, depth, bestMove}
	for i := range bucket {
		check, data := bucket[i].Load()
		old := unpack(data)
		if check == key && data != 0 {
			replaced = &bucket[i]
			if old.depth > depth {
				return
			}
			e = e.merge(old)
			break
		}
		if priority := t.priority(data); priority < lowest {
			replaced, lowest = &bucket[i], priority
		}
	}
	if isLower {
		e.lower = max(e.lower, int16(value))
	} else {
		e.upper = min(e.upper, int16(value))
	}
	replaced.Store(key, t.Mark(e.pack(empties)))
}

// merge adds what remains valid of an older entry of the same position.
func (e entry) merge(old entry) entry {
	if old.depth == e.depth {
		e.lower, e.upper = old.lower, old.upper
	}
	if e.bestMove == noMove {
		e.bestMove = old.bestMove
	}
	return e
}
