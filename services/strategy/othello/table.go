package othello

import (
	"math/bits"
	"sync/atomic"
)

// bound is what is known of a board: its score lies in [lower, upper], as far as a search of this depth and
// precision can tell; moves are the best one found and the best one before, Pass for none.
type bound struct {
	lower, upper int8
	depth        uint8
	precision    precision
	moves        [2]Square
}

// unknown is the bound of a board never met.
var unknown = bound{lower: -64, upper: 64, moves: [2]Square{Pass, Pass}}

// pack is the bound as one word. A zero age marks an entry never written.
func (b bound) pack(age uint8) uint64 {
	return uint64(uint8(b.lower)) | uint64(uint8(b.upper))<<8 | uint64(b.depth)<<16 | uint64(b.precision)<<24 |
		uint64(b.moves[0])<<32 | uint64(b.moves[1])<<40 | uint64(age)<<48
}

func unpack(data uint64) bound {
	return bound{
		lower: int8(data), upper: int8(data >> 8), depth: uint8(data >> 16), precision: precision(data >> 24),
		moves: [2]Square{Square(data >> 32), Square(data >> 40)},
	}
}

// cost ranks entries for replacement: those of this age before older ones, then the more expensive to find again.
func cost(data uint64, age uint8) int {
	c := int(uint8(data>>16))*8 + int(uint8(data>>24))
	if uint8(data>>48) == age {
		c += 1 << 16
	}
	return c
}

// slot is an entry: the whole board, so that two boards are never taken for each other, and its bound. All three words
// are atomic and the board is stored xored with the data: a reader that meets words of two writers finds no board.
type slot struct{ mover, opponent, data atomic.Uint64 }

// ways is the number of slots a board may be in.
const ways = 4

const slotBytes = 24

// table remembers boards, in bounded memory, for any number of workers at once. It never blocks.
type table struct {
	slots []slot
	shift uint
	age   atomic.Uint32
}

// newTable makes the largest table that fits into this many bytes, at least a small one.
func newTable(size int) *table {
	groups := uint(1) << 4
	for int(groups)*2*ways*slotBytes <= size {
		groups *= 2
	}
	t := &table{slots: make([]slot, groups*ways), shift: uint(bits.LeadingZeros(groups)) + 1}
	t.grow()
	return t
}

// grow makes all entries older by one search. Ages wrap round; zero is for slots never written.
func (t *table) grow() {
	if t.age.Add(1)&0xff == 0 {
		t.age.Add(1)
	}
}

// group is the slots this board may be in. One wide multiplication mixes both words.
func (t *table) group(p, o uint64) *[ways]slot {
	high, low := bits.Mul64(p^0x9e3779b97f4a7c15, o^0xd1b54a32d192ed03)
	i := (high ^ low) * 0xbf58476d1ce4e5b9 >> t.shift * ways
	return (*[ways]slot)(t.slots[i : i+ways])
}

// probe is what is known of a board.
func (t *table) probe(p, o uint64) bound {
	for i := range t.group(p, o) {
		s := &t.group(p, o)[i]
		data := s.data.Load()
		if s.mover.Load()^data == p && s.opponent.Load()^data == o && data != 0 {
			return unpack(data)
		}
	}
	return unknown
}

// store keeps what a search of this window has found. A search as deep and as precise as the one before narrows its
// bounds, any other replaces them; the best move before stays as the second to try.
func (t *table) store(b Board, alpha, beta, score int, found bound) {
	p, o := b.Mover, b.Opponent
	age := uint8(t.age.Load())
	group := t.group(p, o)
	victim, least := &group[0], 1<<30
	var old bound
	for i := range group {
		s := &group[i]
		data := s.data.Load()
		if s.mover.Load()^data == p && s.opponent.Load()^data == o && data != 0 {
			victim, old = s, unpack(data)
			break
		}
		if c := cost(data, age); c < least {
			victim, least, old = s, c, unknown
		}
	}
	found.lower, found.upper = -64, 64
	if old.depth == found.depth && old.precision == found.precision {
		found.lower, found.upper = old.lower, old.upper
	}
	found.narrow(alpha, beta, score)
	if found.moves[0] == Pass || found.moves[0] == old.moves[0] {
		found.moves = old.moves
	} else {
		found.moves[1] = old.moves[0]
	}
	data := found.pack(age)
	victim.data.Store(data)
	victim.mover.Store(p ^ data)
	victim.opponent.Store(o ^ data)
}

// narrow draws the conclusion from a fail-soft score of a search with this window. Where selective searches contradict
// each other, the last one is believed.
func (b *bound) narrow(alpha, beta, score int) {
	lower, upper := int8(-64), int8(64)
	if score < beta {
		upper = int8(score)
	}
	if score > alpha {
		lower = int8(score)
	}
	b.lower, b.upper = max(b.lower, lower), min(b.upper, upper)
	if b.lower > b.upper {
		b.lower, b.upper = lower, upper
	}
}
