//go:build !amd64

package othello

const hasAVX2 = false

// flips returns the discs of o that p outflanks by playing x, an empty cell. If there are none, x
// is no legal move.
func flips(p, o uint64, x Square) uint64 { return flipsPortable(p, o, x) }

// legalMoves returns the empty cells where p, to move against o, flips at least one disc.
func legalMoves(p, o uint64) uint64 { return legalMovesPortable(p, o) }

// expand sets the squares, the flips and the replies of a set of legal moves, in the order of their
// squares.
func expand(p, o, moves uint64, into *[64]move) { expandPortable(p, o, moves, into) }
