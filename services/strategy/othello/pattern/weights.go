package pattern

import "math/bits"

// Unit is the weight of one disc.
const Unit = 128

// Phases is the number of sets of weights. Three plies share one.
const Phases = 20

// Phase returns the index of the set of weights for a number of empty cells.
func Phase(empties int) int { return min(max(0, (60-empties)/3), Phases-1) }

// table holds the weights of one pattern. It is larger than any pattern needs, so that a lookup
// needs no bounds check. The unused part takes address space, but no memory.
type table [1 << 16]int16

// Weights holds the value of each content of each pattern by phase, and a constant by number of
// empty cells. All methods but [Weights.Set] and [Weights.SetBias] are safe for concurrent use.
type Weights struct {
	tables [Phases][Count]table
	bias   [65]int16
}

// Value returns the expected final disc difference for the side to move, in units of 1/128 disc.
func (w *Weights) Value(p *Pair, empties int) int {
	contents := p.contents()
	return w.of(&contents, empties)
}

// ValueAfter returns the value for the opponent after a move on x that flips these discs, at least
// one. It is faster than [Pair.Play] and Value. It takes the result of [Pair.Passed] before the
// move and the number of empty cells after it.
func (w *Weights) ValueAfter(before *Vector, x int, flipped uint64, empties int) int {
	if hasAVX2 {
		return int(w.bias[empties&63]) + valueAfterAVX2(&w.tables[Phase(empties)], before, x, flipped)
	}
	return w.valueAfterPortable(before, x, flipped, empties)
}

// valueAfterPortable is ValueAfter for every processor.
func (w *Weights) valueAfterPortable(before *Vector, x int, flipped uint64, empties int) int {
	after := *before
	for ; flipped != 0; flipped &= flipped - 1 {
		after.add(&terms[bits.TrailingZeros64(flipped)&63])
	}
	placed := &terms[x&63]
	for i := range after {
		after[i] += 2 * placed[i]
	}
	return w.of(&after, empties)
}

// of returns the value of the contents from the view of the side to move.
func (w *Weights) of(k *Vector, empties int) int {
	t := &w.tables[Phase(empties)]
	return int(w.bias[empties&63]) +
		t[0].four(k[0]) + t[1].four(k[1]) + t[2].four(k[2]) + t[3].four(k[3]) + t[3].four(k[4]) +
		t[4].four(k[5]) + t[5].four(k[6]) + t[6].four(k[7]) + t[7].four(k[8]) + t[8].four(k[9]) +
		t[9].four(k[10]) + int(t[10][uint16(k[11])]) + int(t[10][uint16(k[11]>>16)])
}

// four returns the sum of the weights of the four contents in a word.
func (t *table) four(k uint64) int {
	return int(t[uint16(k)]) + int(t[uint16(k>>16)]) + int(t[uint16(k>>32)]) + int(t[uint16(k>>48)])
}

// Set sets the weight of a content of a pattern, and of its mirror image, in units. Values are
// clamped to 16 bits.
func (w *Weights) Set(phase, pattern, content, value int) {
	t := &w.tables[phase][pattern]
	t[content&0xffff], t[mirrors()[pattern][content]] = clamp(value), clamp(value)
}

// SetBias sets the constant for a number of empty cells, in units. Values are clamped to 16 bits.
func (w *Weights) SetBias(empties, value int) { w.bias[empties] = clamp(value) }

func clamp(value int) int16 { return int16(min(max(value, -1<<15), 1<<15-1)) }
