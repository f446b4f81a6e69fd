package othello

// expandPortable is expand for every processor.
func expandPortable(p, o, moves uint64, into *[64]move) {
	for i := 0; moves != 0; moves &= moves - 1 {
		m := &into[i&63]
		m.x = first(moves)
		m.flips = flipsPortable(p, o, m.x)
		m.replies = legalMovesPortable(o^m.flips, p^m.flips|1<<(m.x&63))
		i++
	}
}

// innerFiles holds the files b to g. A run of opponent discs along a rank or a diagonal that is
// flanked on both ends never includes a cell of the outer files, so masking these keeps a shift
// from wrapping to the next rank.
const innerFiles = 0x7e7e7e7e7e7e7e7e

// legalMovesPortable is legalMoves for every processor.
func legalMovesPortable(p, o uint64) uint64 {
	inner := o & innerFiles
	past := pastUp(p, inner, 1) | pastDown(p, inner, 1) | pastUp(p, o, 8) | pastDown(p, o, 8) |
		pastUp(p, inner, 7) | pastDown(p, inner, 7) | pastUp(p, inner, 9) | pastDown(p, inner, 9)
	return past &^ (p | o)
}

// pastUp returns the cells just past a run of o that starts beside p, in the direction where the
// bit number grows by step.
//
// It fills the run by parallel prefix (Kogge-Stone): one cell, then two at a time, so that six
// discs take four operations. pastUp and pastDown are small enough for the compiler to inline them,
// which makes the shifts constant and saves 12 % of the time of Perft.
func pastUp(p, o uint64, step uint) uint64 {
	run := o & (p << step)
	run |= o & (run << step)
	pairs := o & (o << step)
	run |= pairs & (run << (2 * step))
	run |= pairs & (run << (2 * step))
	return run << step
}

// pastDown is pastUp in the opposite direction.
func pastDown(p, o uint64, step uint) uint64 {
	run := o & (p >> step)
	run |= o & (run >> step)
	pairs := o & (o >> step)
	run |= pairs & (run >> (2 * step))
	run |= pairs & (run >> (2 * step))
	return run >> step
}
