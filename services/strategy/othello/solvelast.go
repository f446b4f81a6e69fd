package othello

import "math/bits"

// This file solves boards with one to four empty cells. Four nodes in five are here, so the code
// generates no moves: it tries each empty cell, skips those without an opponent's disc beside them,
// and scores the last move without making it. All functions are zero-window searches: a score above
// alpha is a lower bound, any other an upper bound.

// noScore is lower than every score.
const noScore = -127

// neighbours holds the cells around each cell. A move needs an opponent's disc on one of them.
var neighbours = makeNeighbours()

func makeNeighbours() (table [64]uint64) {
	for x := range table {
		cell := uint64(1) << x
		table[x] = around(cell) &^ cell
	}
	return table
}

// quadrant maps each cell to a bit for its quarter of the board.
var quadrant = makeQuadrants()

func makeQuadrants() (table [64]uint8) {
	for x := range 64 {
		table[x] = 1 << (x%8/4 + x/32*2)
	}
	return table
}

// solve1 returns the score for p, to move, when x is the only empty cell. It does not make the
// move: on a full line the flips depend on the mover's discs alone.
func (w *worker) solve1(p uint64, x Square) int {
	w.Nodes++
	score := 2*bits.OnesCount64(p) - 62
	if gain := lastFlips(p, x); gain != 0 {
		return score + gain
	}
	if loss := lastFlips(^p&^(1<<(x&63)), x); loss != 0 {
		return score - 2 - loss
	}
	// Neither side can move. The difference is odd, so the game is no draw.
	if score >= 0 {
		return score - 1 + int(w.scoring)
	}
	return score - 1 - int(w.scoring)
}

// solve2 returns the score for p, to move, with two empty cells.
func (w *worker) solve2(p, o uint64, alpha int, x, y Square) int {
	w.Nodes++
	best := noScore
	if neighbours[x&63]&o != 0 {
		if f := flips(p, o, x); f != 0 {
			if best = -w.solve1(o^f, y); best > alpha {
				return best
			}
		}
	}
	if neighbours[y&63]&o != 0 {
		if f := flips(p, o, y); f != 0 {
			best = max(best, -w.solve1(o^f, x))
		}
	}
	if best != noScore {
		return best
	}
	return w.solve2Passed(p, o, alpha, x, y)
}

// solve2Passed is solve2 for a p without a move: o plays if it can.
func (w *worker) solve2Passed(p, o uint64, alpha int, x, y Square) int {
	best := -noScore
	if f := flips(o, p, x); f != 0 {
		if best = w.solve1(p^f, y); best <= alpha {
			return best
		}
	}
	if f := flips(o, p, y); f != 0 {
		best = min(best, w.solve1(p^f, x))
	}
	if best != -noScore {
		return best
	}
	return w.scoring.final(p, o)
}

// solve3 returns the score for p, to move, with three empty cells. It tries them in the given order
// unless parity suggests another one.
func (w *worker) solve3(p, o uint64, alpha int, x, y, z Square) int {
	w.Nodes++
	// A cell alone in its quadrant goes first: the move there is the last one in the quadrant.
	if qx := quadrant[x&63]; qx == quadrant[y&63] {
		if qx != quadrant[z&63] {
			x, z = z, x
		}
	} else if qx == quadrant[z&63] {
		x, y = y, x
	}
	best := w.bestOf3(p, o, alpha, [3]Square{x, y, z})
	if best != noScore {
		return best
	}
	best = w.bestOf3(o, p, -alpha-1, [3]Square{x, y, z})
	if best != noScore {
		return -best
	}
	return w.scoring.final(p, o)
}

// bestOf3 returns the score of the best move of p, or noScore if p has no move.
func (w *worker) bestOf3(p, o uint64, alpha int, cells [3]Square) int {
	best := noScore
	x, y, z := cells[0], cells[1], cells[2]
	if neighbours[x&63]&o != 0 {
		if f := flips(p, o, x); f != 0 {
			if best = -w.solve2(o^f, p^f|1<<(x&63), -alpha-1, y, z); best > alpha {
				return best
			}
		}
	}
	if neighbours[y&63]&o != 0 {
		if f := flips(p, o, y); f != 0 {
			if best = max(best, -w.solve2(o^f, p^f|1<<(y&63), -alpha-1, x, z)); best > alpha {
				return best
			}
		}
	}
	if neighbours[z&63]&o != 0 {
		if f := flips(p, o, z); f != 0 {
			best = max(best, -w.solve2(o^f, p^f|1<<(z&63), -alpha-1, x, y))
		}
	}
	return best
}

// solve4 returns the score for p, to move, with these four empty cells.
func (w *worker) solve4(p, o, empty uint64, alpha int) int {
	w.Nodes++
	// Parity: cells in quadrants with an odd number of empty cells go first.
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
	best := w.bestOf4(p, o, alpha, &cells)
	if best != noScore {
		return best
	}
	best = w.bestOf4(o, p, -alpha-1, &cells)
	if best != noScore {
		return -best
	}
	return w.scoring.final(p, o)
}

// bestOf4 returns the score of the best move of p, or noScore if p has no move.
func (w *worker) bestOf4(p, o uint64, alpha int, cells *[4]Square) int {
	best := noScore
	for i, x := range cells {
		if neighbours[x&63]&o == 0 {
			continue
		}
		f := flips(p, o, x)
		if f == 0 {
			continue
		}
		// The other cells keep their cyclic order, so that cells of one quadrant stay together.
		v := -w.solve3(o^f, p^f|1<<(x&63), -alpha-1, cells[(i+1)&3], cells[(i+2)&3], cells[(i+3)&3])
		if v > best {
			if best = v; best > alpha {
				return best
			}
		}
	}
	return best
}

// oddQuadrants returns the quarters of the board with an odd number of these cells. The side that
// moves there first tends to move there last.
func oddQuadrants(set uint64) uint64 {
	set ^= set >> 1
	set ^= set >> 2
	set ^= set >> 8
	set ^= set >> 16
	return set & 0x0000001100000011 * 0x0f0f0f0f
}
