package triosearch

import (
	"math"
	"math/bits"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy/hashtable"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// table is a transposition table, which all threads of a search share. Entries of earlier searches
// of the game stay valid: a value depends only on the cards, the side to move and the depth.
type table struct{ hashtable.Aged }

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

// newTable returns a table of 2^bits entries of 16 bytes.
func newTable(bits int) *table { return &table{hashtable.NewAged(limits.EntryBytes << bits)} }

// probe returns the entry of a position, or an empty one.
func (t *table) probe(key uint64) entry { return unpack(t.Bucket(key).Find(key)) }

// store replaces the entry of the same position unless that one is deeper, or else the one of the
// lowest priority in its bucket.
func (t *table) store(key uint64, e entry) {
	bucket := t.Bucket(key)
	replaced, lowest := 0, uint64(1<<63)
	for i := range bucket {
		check, data := bucket[i].Load()
		if check == key && data != 0 {
			if unpack(data).depth > e.depth {
				return
			}
			replaced = i
			break
		}
		if priority := t.priority(data); priority < lowest {
			replaced, lowest = i, priority
		}
	}
	bucket[replaced].Store(key, t.Mark(e.pack()))
}

// priority returns the priority of an entry for replacement: its depth, and more than any depth for
// an entry of this search.
func (t *table) priority(data uint64) uint64 {
	priority := data >> 32 & 0xff
	if t.IsCurrent(data) {
		priority |= 1 << 8
	}
	return priority
}

// pack encodes an entry, without its age.
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

// A table has 2^minTableBits to 2^maxTableBits entries: 64 KiB to 64 MiB.
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

// tableFor returns the table for the next search: a new one if there is none, or none of at least
// about its size.
func (e *Engine) tableFor(p *threetrios.Position, o limits.Options) *table {
	size := tableBits(p, o)
	if e.table == nil || !e.table.Suffices(limits.EntryBytes<<size) {
		e.table = newTable(size)
	} else {
		e.table.NextAge()
	}
	return e.table
}

// tableBits returns the binary logarithm of the number of entries. A table that is larger than
// needed does not fit into the processor's cache, which makes each probe slower.
func tableBits(p *threetrios.Position, o limits.Options) int {
	if o.Nodes > 0 {
		o.Nodes = 1 << bits.Len64(uint64(o.Nodes-1)) // the next power of two
	}
	bytes := min(o.Table, o.TableBytes(LogNodes(p, o.Depth), o.Threads))
	return max(minTableBits, bits.Len(uint(bytes/limits.EntryBytes))-1)
}
