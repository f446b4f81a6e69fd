package triosearch

import "sync/atomic"

// table remembers what was found out about positions, by their keys. Threads share it without locks: an entry is two
// words, the first of which is the key mixed with the second, so that two halves of different entries match no key.
type table struct {
	entries []entry
	shift   uint
}

type entry struct{ check, data atomic.Uint64 }

// known is what the table knows about a position.
type known struct {
	value int
	// depth is how many plies were searched.
	depth int
	bound bound
	best  move
}

// bound tells what a value is: unknown, at least, at most, or both.
type bound uint8

const (
	atLeast bound = 1 << iota
	atMost
	exactly = atLeast | atMost
)

// decides reports whether a value is all that a search between alpha and beta could find out.
func (k known) decides(alpha, beta int) bool {
	return k.bound == exactly || k.bound == atLeast && k.value >= beta || k.bound == atMost && k.value <= alpha
}

// remember returns what a search between alpha and beta has found out.
func remember(value, alpha, beta, depth int, best move) known {
	k := known{value, depth, exactly, best}
	if value >= beta {
		k.bound = atLeast
	} else if value <= alpha {
		k.bound = atMost
	}
	return k
}

// bucket is how many entries a position may be in, side by side in one line of the processor's cache.
const bucket = 4

// newTable returns a table of 2^bits entries of 16 bytes.
func newTable(bits int) *table {
	return &table{entries: make([]entry, 1<<bits), shift: uint(64 - bits)}
}

func (t *table) bucket(key uint64) []entry {
	i := key >> t.shift &^ (bucket - 1)
	return t.entries[i : i+bucket : i+bucket]
}

// find returns what is known about a position; a bound of 0 is nothing.
func (t *table) find(key uint64) known {
	in := t.bucket(key)
	for i := range in {
		if data := in[i].data.Load(); in[i].check.Load()^data == key && data != 0 {
			return unpack(data)
		}
	}
	return known{}
}

// keep stores what was found out in place of what is known about the same position, or else of what took the least
// depth to find out.
func (t *table) keep(key uint64, k known) {
	in := t.bucket(key)
	worst, least := 0, uint64(1<<63)
	for i := range in {
		data := in[i].data.Load()
		if in[i].check.Load()^data == key {
			worst = i
			break
		}
		if depth := data >> 32 & 0xff; depth < least {
			worst, least = i, depth
		}
	}
	data := pack(k)
	in[worst].check.Store(key ^ data)
	in[worst].data.Store(data)
}

func pack(k known) uint64 {
	return uint64(uint16(int16(k.value))) | uint64(k.best)<<16 | uint64(uint8(k.depth))<<32 | uint64(k.bound)<<40
}

func unpack(data uint64) known {
	return known{
		value: int(int16(data)),
		best:  move(data >> 16),
		depth: int(data >> 32 & 0xff),
		bound: bound(data >> 40 & 3),
	}
}
