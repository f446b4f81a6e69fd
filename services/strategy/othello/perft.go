package othello

import "math/bits"

// Perft counts the leaves of the game tree at this depth. A pass counts as a ply, and a game that
// ends earlier counts as one leaf.
func Perft(b Board, depth int) int64 {
	moves := b.Moves()
	switch {
	case depth == 0, moves == 0 && b.Pass().Moves() == 0:
		return 1
	case moves == 0:
		return Perft(b.Pass(), depth-1)
	case depth == 1:
		return int64(bits.OnesCount64(moves))
	}
	var leaves int64
	if depth == 2 {
		return perft2(b, moves)
	}
	for ; moves != 0; moves &= moves - 1 {
		leaves += Perft(b.Play(first(moves)), depth-1)
	}
	return leaves
}

// perft2 is Perft to depth two: it counts the replies to each move.
func perft2(b Board, moves uint64) (leaves int64) {
	var list [64]move
	expand(b.Mover, b.Opponent, moves, &list)
	for i := range bits.OnesCount64(moves) {
		m := &list[i&63]
		if m.replies != 0 {
			leaves += int64(bits.OnesCount64(m.replies))
		} else {
			leaves += Perft(b.makeMove(m.x, m.flips), 1)
		}
	}
	return leaves
}
