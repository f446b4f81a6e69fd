package othello

import "math/bits"

// This file solves boards with one to four empty cells. Four nodes in five are here, so the code generates no moves:
// it tries the cells themselves, skips those without an opponent's disc beside them, and counts the last move without
// making it. All functions answer a null window: a score above alpha is a lower bound, any other an upper bound.

// none is below every score.
const none = -127

// near holds the neighbours of each cell: a move needs a disc of the opponent on one of them.
var near = makeNear()

func makeNear() (table [64]uint64) {
	for x := range 64 {
		cell := uint64(1) << x
		sides := (cell<<1|cell<<9|cell>>7)&^0x0101010101010101 | (cell>>1|cell>>9|cell<<7)&^0x8080808080808080
		table[x] = sides | cell<<8 | cell>>8
	}
	return table
}

// quadrant holds a bit for the quarter of the board each cell is in.
var quadrant = makeQuadrants()

func makeQuadrants() (table [64]uint8) {
	for x := range 64 {
		table[x] = 1 << (x%8/4 + x/32*2)
	}
	return table
}

// last1 is the score for p, to move, when x is the only empty cell. The move is not made: on a full line the flips
// depend on the mover's discs alone.
func (w *worker) last1(p uint64, x Square) int {
	w.nodes++
	score := 2*bits.OnesCount64(p) - 62
	if gain := lastFlips(p, x); gain != 0 {
		return score + gain
	}
	if loss := lastFlips(^p&^(1<<(x&63)), x); loss != 0 {
		return score - 2 - loss
	}
	// Nobody can move. The difference is odd, so it is no draw.
	if score >= 0 {
		return score - 1 + int(w.scoring)
	}
	return score - 1 - int(w.scoring)
}

// last2 is the score for p, to move, with two empty cells.
func (w *worker) last2(p, o uint64, alpha int, x, y Square) int {
	w.nodes++
	best := none
	if near[x&63]&o != 0 {
		if f := flips(p, o, x); f != 0 {
			if best = -w.last1(o^f, y); best > alpha {
				return best
			}
		}
	}
	if near[y&63]&o != 0 {
		if f := flips(p, o, y); f != 0 {
			best = max(best, -w.last1(o^f, x))
		}
	}
	if best != none {
		return best
	}
	return w.last2Passed(p, o, alpha, x, y)
}

// last2Passed is last2 when p has no move: o plays, if it can.
func (w *worker) last2Passed(p, o uint64, alpha int, x, y Square) int {
	best := -none
	if f := flips(o, p, x); f != 0 {
		if best = w.last1(p^f, y); best <= alpha {
			return best
		}
	}
	if f := flips(o, p, y); f != 0 {
		best = min(best, w.last1(p^f, x))
	}
	if best != -none {
		return best
	}
	return w.scoring.final(p, o)
}

// last3 is the score for p, to move, with three empty cells, the ones to try first in front.
func (w *worker) last3(p, o uint64, alpha int, x, y, z Square) int {
	w.nodes++
	// A cell alone in its quadrant goes first: whoever fills it has the last move there.
	if qx := quadrant[x&63]; qx == quadrant[y&63] {
		if qx != quadrant[z&63] {
			x, z = z, x
		}
	} else if qx == quadrant[z&63] {
		x, y = y, x
	}
	best := w.lastOf3(p, o, alpha, [3]Square{x, y, z})
	if best != none {
		return best
	}
	best = w.lastOf3(o, p, -alpha-1, [3]Square{x, y, z})
	if best != none {
		return -best
	}
	return w.scoring.final(p, o)
}

// lastOf3 is the best of the moves of p, or none.
func (w *worker) lastOf3(p, o uint64, alpha int, cells [3]Square) int {
	best := none
	x, y, z := cells[0], cells[1], cells[2]
	if near[x&63]&o != 0 {
		if f := flips(p, o, x); f != 0 {
			if best = -w.last2(o^f, p^f|1<<(x&63), -alpha-1, y, z); best > alpha {
				return best
			}
		}
	}
	if near[y&63]&o != 0 {
		if f := flips(p, o, y); f != 0 {
			if best = max(best, -w.last2(o^f, p^f|1<<(y&63), -alpha-1, x, z)); best > alpha {
				return best
			}
		}
	}
	if near[z&63]&o != 0 {
		if f := flips(p, o, z); f != 0 {
			best = max(best, -w.last2(o^f, p^f|1<<(z&63), -alpha-1, x, y))
		}
	}
	return best
}

// last4 is the score for p, to move, with these four empty cells.
func (w *worker) last4(p, o, empty uint64, alpha int) int {
	w.nodes++
	// Cells of odd quadrants first.
	odd := oddQuadrants(empty)
	var cells [4]Square
	i := 0
	for set := empty & odd; set != 0; set &= set - 1 {
		cells[i&3] = first(set)
		i++
	}
	for set := empty &^ odd; set != 0; set &= set - 1 {
		cells[i&3] = first(set)
		i++
	}
	best := w.lastOf4(p, o, alpha, &cells)
	if best != none {
		return best
	}
	best = w.lastOf4(o, p, -alpha-1, &cells)
	if best != none {
		return -best
	}
	return w.scoring.final(p, o)
}

// lastOf4 is the best of the moves of p, or none.
func (w *worker) lastOf4(p, o uint64, alpha int, cells *[4]Square) int {
	best := none
	for i, x := range cells {
		if near[x&63]&o == 0 {
			continue
		}
		f := flips(p, o, x)
		if f == 0 {
			continue
		}
		// The rest keeps its order, rotated: the cells of one quadrant stay together.
		v := -w.last3(o^f, p^f|1<<(x&63), -alpha-1, cells[(i+1)&3], cells[(i+2)&3], cells[(i+3)&3])
		if v > best {
			if best = v; best > alpha {
				return best
			}
		}
	}
	return best
}

// oddQuadrants is the union of the quarters of the board with an odd number of these cells. Who moves first there
// tends to move last there.
func oddQuadrants(set uint64) uint64 {
	set ^= set >> 1
	set ^= set >> 2
	set ^= set >> 8
	set ^= set >> 16
	return set & 0x0000001100000011 * 0x0f0f0f0f
}
