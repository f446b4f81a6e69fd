package othello

import "golang.org/x/sys/cpu"

// hasAVX2 and hasAVX512 are set if the processor has the instructions of avx2_amd64.s and
// avx512_amd64.s.
var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasBMI1
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512CD
)

//go:noescape
func flipsAVX2(p, o uint64, x Square) uint64

//go:noescape
func flipsAVX512(p, o uint64, x Square) uint64

//go:noescape
func legalMovesAVX2(p, o uint64) uint64

//go:noescape
func legalMovesAVX512(p, o uint64) uint64

//go:noescape
func expandAVX2(p, o, moves uint64, into *[64]move)

//go:noescape
func expandAVX512(p, o, moves uint64, into *[64]move)

// flips returns the discs of o that p outflanks by playing x, an empty cell. If there are none, x
// is no legal move.
func flips(p, o uint64, x Square) uint64 {
	switch {
	case hasAVX512:
		return flipsAVX512(p, o, x)
	case hasAVX2:
		return flipsAVX2(p, o, x)
	default:
		return flipsPortable(p, o, x)
	}
}

// legalMoves returns the empty cells where p, to move against o, flips at least one disc.
func legalMoves(p, o uint64) uint64 {
	switch {
	case hasAVX512:
		return legalMovesAVX512(p, o)
	case hasAVX2:
		return legalMovesAVX2(p, o)
	default:
		return legalMovesPortable(p, o)
	}
}

// expand sets the squares, the flips and the replies of a set of legal moves, in the order of their
// squares.
func expand(p, o, moves uint64, into *[64]move) {
	switch {
	case hasAVX512:
		expandAVX512(p, o, moves, into)
	case hasAVX2:
		expandAVX2(p, o, moves, into)
	default:
		expandPortable(p, o, moves, into)
	}
}
