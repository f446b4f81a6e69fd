package othello

import "golang.org/x/sys/cpu"

// hasAVX2 is set if the processor has the instructions of the assembly code.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// flipsAVX2 is flipsPortable with vector instructions.
//
//go:noescape
func flipsAVX2(p, o uint64, x Square) uint64

// legalMovesAVX2 is legalMovesPortable with vector instructions.
//
//go:noescape
func legalMovesAVX2(p, o uint64) uint64

// expandAVX2 is expandPortable with vector instructions.
//
//go:noescape
func expandAVX2(p, o, moves uint64, into *[64]child)

// flips returns the discs of o that p outflanks by playing x, an empty cell. If there are none, x
// is no legal move.
func flips(p, o uint64, x Square) uint64 {
	if hasAVX2 {
		return flipsAVX2(p, o, x)
	}
	return flipsPortable(p, o, x)
}

// legalMoves returns the empty cells where p, to move against o, flips at least one disc.
func legalMoves(p, o uint64) uint64 {
	if hasAVX2 {
		return legalMovesAVX2(p, o)
	}
	return legalMovesPortable(p, o)
}

// expand computes the children of a board for a set of legal moves, in the order of their squares.
func expand(p, o, moves uint64, into *[64]child) {
	if hasAVX2 {
		expandAVX2(p, o, moves, into)
	} else {
		expandPortable(p, o, moves, into)
	}
}
