package pattern

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
	t := &w.tables[Phase(empties)]
	m, o := &p.Mover, &p.Opponent
	last := m[11] + 2*o[11]
	return int(w.bias[empties&63]) +
		t[0].four(m[0]+2*o[0]) + t[1].four(m[1]+2*o[1]) + t[2].four(m[2]+2*o[2]) +
		t[3].four(m[3]+2*o[3]) + t[3].four(m[4]+2*o[4]) + t[4].four(m[5]+2*o[5]) +
		t[5].four(m[6]+2*o[6]) + t[6].four(m[7]+2*o[7]) + t[7].four(m[8]+2*o[8]) +
		t[8].four(m[9]+2*o[9]) + t[9].four(m[10]+2*o[10]) +
		int(t[10][uint16(last)]) + int(t[10][uint16(last>>16)])
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
