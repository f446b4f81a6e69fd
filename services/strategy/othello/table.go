package othello

import (
	"math/bits"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy/hashtable"
)

// window is the open interval of scores that a search resolves. A fail-soft score at or below alpha
// is an upper bound, one at or above beta a lower bound.
type window struct{ alpha, beta int }

// entry holds the results of searches of one board to a depth with a selectivity: its score lies in
// [lower, upper]. moves are the best move and the best one before it, or Pass.
type entry struct {
	lower, upper int8
	depth        uint8
	selectivity  selectivity
	moves        [2]Square
}

// noEntry is the entry of a board that is not in the table.
var noEntry = entry{lower: -64, upper: 64, moves: [2]Square{Pass, Pass}}

// pack returns the entry as one word. Age zero marks a slot without an entry.
func (e entry) pack(age uint8) uint64 {
	return uint64(uint8(e.lower)) | uint64(uint8(e.upper))<<8 |
		uint64(e.depth)<<16 | uint64(e.selectivity)<<24 |
		uint64(e.moves[0])<<32 | uint64(e.moves[1])<<40 | uint64(age)<<48
}

func unpack(data uint64) entry {
	return entry{
		lower: int8(data), upper: int8(data >> 8),
		depth: uint8(data >> 16), selectivity: selectivity(data >> 24),
		moves: [2]Square{Square(data >> 32), Square(data >> 40)},
	}
}

// cutoff returns the bound of a sufficiently deep entry that resolves a zero window.
func (e *entry) cutoff(alpha, depth int, least selectivity) (score int, cutoff bool) {
	if int(e.depth) < depth || e.selectivity < least {
		return 0, false
	}
	if int(e.lower) > alpha {
		return int(e.lower), true
	}
	if int(e.upper) <= alpha {
		return int(e.upper), true
	}
	return 0, false
}

// narrow updates the bounds with the fail-soft score of a search. If selective searches contradict
// each other, the last one counts.
func (e *entry) narrow(w window, score int) {
	lower, upper := int8(-64), int8(64)
	if score < w.beta {
		upper = int8(score)
	}
	if score > w.alpha {
		lower = int8(score)
	}
	e.lower, e.upper = max(e.lower, lower), min(e.upper, upper)
	if e.lower > e.upper {
		e.lower, e.upper = lower, upper
	}
}

// value orders entries for replacement: an entry of this age is worth more than any older one, then
// the one that takes longer to compute.
func value(data uint64, age uint8) int {
	v := int(uint8(data>>16))*8 + int(uint8(data>>24))
	if uint8(data>>48) == age {
		v += 1 << 16
	}
	return v
}

// key identifies a board. The table compares the 64 bits of check with the four slots of the bucket
// that the upper bits of place select. The two are independent: a search of a thousand million
// nodes takes one board for another with a probability of about one in four thousand million.
type key struct{ place, check uint64 }

// keyOf returns the key of the discs p of the side to move and o of its opponent. A multiplication
// to 128 bits mixes both words. Adding them keeps boards apart where a factor is zero. The
// constants are those of the generator SplitMix64.
func keyOf(p, o uint64) key {
	const c1, c2, c3 = 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03, 0xbf58476d1ce4e5b9
	high, low := bits.Mul64(p^c1, o^c2)
	return key{(high ^ low) * c3, (high ^ bits.RotateLeft64(low, 32)) + p + o*c1}
}

// table is a transposition table of bounded size. All workers may use it at once; it never blocks.
type table struct {
	*hashtable.Table
	age atomic.Uint32
}

// newTable returns the largest table that fits into this many bytes. A minimum of 16 buckets
// applies.
func newTable(size int) *table {
	t := &table{Table: hashtable.New(max(size, 16*hashtable.BucketBytes))}
	t.nextAge()
	return t
}

// nextAge makes every entry one search older. Ages wrap around and skip zero.
func (t *table) nextAge() {
	if t.age.Add(1)&0xff == 0 {
		t.age.Add(1)
	}
}

// probe returns the entry of a board, or noEntry.
func (t *table) probe(k key) entry {
	if data := t.Bucket(k.place).Find(k.check); data != 0 {
		return unpack(data)
	}
	return noEntry
}

// prefetch loads the bucket of a board that the search may probe soon. Without it a search of the
// midgame takes 6 % longer.
func (t *table) prefetch(k key) { t.Prefetch(k.place) }

// store adds the score of a search to the entry of its board. It narrows the bounds of an earlier
// search of the same depth and selectivity and replaces those of any other. The earlier best move
// becomes the second move.
func (t *table) store(k key, w window, score int, e entry) {
	age := uint8(t.age.Load())
	b := t.Bucket(k.place)
	victim, least := &b[0], 1<<30
	var old entry
	for i := range b {
		s := &b[i]
		check, data := s.Load()
		if check == k.check && data != 0 {
			victim, old = s, unpack(data)
			break
		}
		if v := value(data, age); v < least {
			victim, least, old = s, v, noEntry
		}
	}
	e.lower, e.upper = -64, 64
	if old.depth == e.depth && old.selectivity == e.selectivity {
		e.lower, e.upper = old.lower, old.upper
	}
	e.narrow(w, score)
	if e.moves[0] == Pass || e.moves[0] == old.moves[0] {
		e.moves = old.moves
	} else {
		e.moves[1] = old.moves[0]
	}
	victim.Store(k.check, e.pack(age))
}
