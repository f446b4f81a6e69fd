package othello

import "math/bits"

// Perft counts the ways the game can go on for this many plies. A pass is a ply of its own, and a game that ends
// sooner counts once.
func Perft(b Board, depth int) int64 {
	moves := b.Moves()
	switch {
	case depth == 0:
		return 1
	case moves == 0 && b.Pass().Moves() == 0:
		return 1
	case moves == 0:
		return Perft(b.Pass(), depth-1)
	case depth == 1:
		// The last ply is counted, not played.
		return int64(bits.OnesCount64(moves))
	}
	var leaves int64
	for ; moves != 0; moves &= moves - 1 {
		leaves += Perft(b.Play(first(moves)), depth-1)
	}
	return leaves
}

// first is the lowest square of a set that is not empty.
func first(set uint64) Square { return Square(bits.TrailingZeros64(set)) }
