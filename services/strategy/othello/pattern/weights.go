package pattern

import "math/bits"

// Unit is the weight of one disc.
const Unit = 128

// Phases is the number of sets of weights. Two plies share one.
const Phases = 29

// Phase returns the index of the set of weights for a number of empty cells.
func Phase(empties int) int { return min(max(0, (60-empties)/2), Phases-1) }

// tables holds the weights of all patterns in one phase, pattern after pattern.
type tables [3*59049 + 19683 + 4*6561 + 2187 + 729 + 243]int16

// offsets holds the index of the first weight of each pattern in tables. The assembly code has the
// same numbers.
var offsets = makeOffsets()

func makeOffsets() (table [Count]int) {
	next := 0
	for i, p := range patterns {
		table[i] = next
		next += p.size()
	}
	return table
}

// Weights holds the value of each content of each pattern by phase, and a constant by number of
// empty cells. All methods but [Weights.Set] and [Weights.SetBias] are safe for concurrent use.
type Weights struct {
	phases [Phases]tables
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
		return int(w.bias[empties&63]) + valueAfterAVX2(&w.phases[Phase(empties)], before, x, flipped)
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
	t, o := &w.phases[Phase(empties)], &offsets
	return int(w.bias[empties&63]) +
		t.four(o[0], k[0]) + t.four(o[1], k[1]) + t.four(o[2], k[2]) + t.four(o[3], k[3]) +
		t.four(o[3], k[4]) + t.four(o[4], k[5]) + t.four(o[5], k[6]) + t.four(o[6], k[7]) +
		t.four(o[7], k[8]) + t.four(o[8], k[9]) + t.four(o[9], k[10]) +
		int(t[o[10]+int(uint16(k[11]))]) + int(t[o[10]+int(uint16(k[11]>>16))])
}

// four returns the sum of the weights of the four contents in a word, of the pattern at an offset.
func (t *tables) four(offset int, k uint64) int {
	return int(t[offset+int(uint16(k))]) + int(t[offset+int(uint16(k>>16))]) +
		int(t[offset+int(uint16(k>>32))]) + int(t[offset+int(uint16(k>>48))])
}

// Set sets the weight of a content of a pattern, and of its mirror image, in units. Values are
// clamped to 16 bits.
func (w *Weights) Set(phase, pattern, content, value int) {
	t := w.phases[phase][offsets[pattern]:]
	t[content], t[mirrors()[pattern][content]] = clamp(value), clamp(value)
}

// Bias returns the constant for a number of empty cells, in units.
func (w *Weights) Bias(empties int) int { return int(w.bias[empties]) }

// SetBias sets the constant for a number of empty cells, in units. Values are clamped to 16 bits.
func (w *Weights) SetBias(empties, value int) { w.bias[empties] = clamp(value) }

func clamp(value int) int16 { return int16(min(max(value, -1<<15), 1<<15-1)) }
