package triosearch

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy/hugepages"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// table is a transposition table. All threads of a search share it without locks: a slot is two
// words, the first of which is the key combined with the second by exclusive or, so that the halves
// of two different writes match no key.
type table struct {
	slots []tableSlot
	shift uint
}

type tableSlot struct{ check, data atomic.Uint64 }

// entry holds the value and the best move of a position.
type entry struct {
	value int
	// depth is the depth of the search in plies.
	depth    int
	bound    bound
	bestMove move
}

// bound is the kind of an entry's value. An empty entry has none.
type bound uint8

const (
	lower bound = 1 << iota
	upper
	exact = lower | upper
)

// newEntry returns the entry for the result of a search with a window from alpha to beta.
func newEntry(value, alpha, beta, depth int, bestMove move) entry {
	e := entry{value, depth, exact, bestMove}
	if value >= beta {
		e.bound = lower
	} else if value <= alpha {
		e.bound = upper
	}
	return e
}

// cutoff reports whether the value answers a search with a window from alpha to beta.
func (e entry) cutoff(alpha, beta int) bool {
	return e.bound == exact || e.bound == lower && e.value >= beta ||
		e.bound == upper && e.value <= alpha
}

// bucketSize is the number of slots that can hold a position. They share one cache line.
const bucketSize = 4

// newTable returns a table of 2^bits slots of 16 bytes.
func newTable(bits int) *table {
	return &table{slots: hugepages.Make[tableSlot](1 << bits), shift: uint(64 - bits)}
}

func (t *table) bucket(key uint64) []tableSlot {
	i := key >> t.shift &^ (bucketSize - 1)
	return t.slots[i : i+bucketSize : i+bucketSize]
}

// probe returns the entry of a position, or an empty one.
func (t *table) probe(key uint64) entry {
	bucket := t.bucket(key)
	for i := range bucket {
		if data := bucket[i].data.Load(); bucket[i].check.Load()^data == key && data != 0 {
			return unpack(data)
		}
	}
	return entry{}
}

// store replaces the entry of the same position, or else the one of the least depth in its bucket.
func (t *table) store(key uint64, e entry) {
	bucket := t.bucket(key)
	replaced, least := 0, uint64(1<<63)
	for i := range bucket {
		data := bucket[i].data.Load()
		if bucket[i].check.Load()^data == key {
			replaced = i
			break
		}
		if depth := data >> 32 & 0xff; depth < least {
			replaced, least = i, depth
		}
	}
	data := e.pack()
	bucket[replaced].check.Store(key ^ data)
	bucket[replaced].data.Store(data)
}

func (e entry) pack() uint64 {
	return uint64(uint16(int16(e.value))) | uint64(e.bestMove)<<16 | uint64(uint8(e.depth))<<32 |
		uint64(e.bound)<<40
}

func unpack(data uint64) entry {
	return entry{
		value:    int(int16(data)),
		bestMove: move(data >> 16),
		depth:    int(data >> 32 & 0xff),
		bound:    bound(data >> 40 & 3),
	}
}

// A table has 2^minTableBits to 2^maxTableBits slots: 64 KiB to 64 MiB.
const minTableBits, maxTableBits = 12, 22

// visitedShare is the share of the bits that number all variations which suffices to number the
// nodes of a search. It was measured on solving three by three.
const visitedShare = 0.6

// LogNodes estimates the binary logarithm of the number of nodes of a search to a depth in plies;
// depth 0 means to the end of the game.
func LogNodes(p *threetrios.Position, depth int) float64 {
	variations, hand, other := 0.0, len(p.Hand(p.Turn())), len(p.Hand(p.Turn().Other()))
	left := movesLeft(p)
	for ply := range (limits.Limits{Depth: depth}).Plies(left) {
		variations += math.Log2(float64((left - ply) * hand))
		hand, other = other, hand-1
	}
	return max(minTableBits, min(math.Ceil(visitedShare*variations), maxTableBits))
}

// tableBits returns the binary logarithm of the number of slots. A table that is larger than needed
// does not fit into the processor's cache, which makes each probe slower.
func tableBits(p *threetrios.Position, o limits.Options) int {
	if o.Nodes > 0 {
		o.Nodes = 1 << bits.Len64(uint64(o.Nodes-1)) // the next power of two
	}
	bytes := min(o.Table, o.TableBytes(LogNodes(p, o.Depth), o.Threads))
	return max(minTableBits, bits.Len(uint(bytes/limits.EntryBytes))-1)
}
