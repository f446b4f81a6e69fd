// Package othello is the search engine for 8x8 Reversi. It has bitboards of one word per side, an
// exact endgame solver, and a midgame search over pattern tables that package train fits to games
// of self-play (cmd/flipside-train). The engine searches a [Board], and [Engine.AnalyzePosition] a
// position of package reversi.
//
// The rules are the common ones: a move flips at least one disc, a side passes if and only if it
// has no move, and the game ends when neither side can move. Package search plays on boards of
// other sizes and by other rules.
package othello

import "math/bits"

// Square numbers the cells row by row from the top left: a1 = 0, b1 = 1, a2 = 8, h8 = 63.
type Square uint8

// Pass stands for a pass in a variation. It is no cell.
const Pass Square = 64

// String returns the square in the usual notation, file then rank: "a1" to "h8", or "pass".
func (x Square) String() string {
	if x >= Pass {
		return "pass"
	}
	return string([]byte{'a' + byte(x%8), '1' + byte(x/8)})
}

// Board is a position without colours: the discs of the side to move and those of its opponent. Bit
// i is the cell of Square i. A pass swaps the two words.
type Board struct{ Mover, Opponent uint64 }

// Start returns the first position of the game: Black, to move, has e4 and d5.
func Start() Board { return Board{Mover: 1<<28 | 1<<35, Opponent: 1<<27 | 1<<36} }

// Empty returns the set of cells without a disc.
func (b Board) Empty() uint64 { return ^(b.Mover | b.Opponent) }

// Empties counts the cells without a disc.
func (b Board) Empties() int { return bits.OnesCount64(b.Empty()) }

// Moves returns the set of legal moves of the side to move.
func (b Board) Moves() uint64 { return legalMoves(b.Mover, b.Opponent) }

// Pass returns the board with the opponent to move.
func (b Board) Pass() Board { return Board{Mover: b.Opponent, Opponent: b.Mover} }

// Play returns the board after the side to move plays x, with the opponent to move. The move must
// be legal.
func (b Board) Play(x Square) Board {
	return b.makeMove(x, flips(b.Mover, b.Opponent, x))
}

// makeMove is Play for a caller that has computed the flipped discs.
func (b Board) makeMove(x Square, flipped uint64) Board {
	return Board{Mover: b.Opponent ^ flipped, Opponent: b.Mover ^ flipped | 1<<(x&63)}
}

// playOrPass returns the board after a move or a pass.
func (b Board) playOrPass(x Square) Board {
	if x == Pass {
		return b.Pass()
	}
	return b.Play(x)
}

// Over reports whether neither side can move.
func (b Board) Over() bool { return b.Moves() == 0 && b.Pass().Moves() == 0 }

// first returns the lowest square of a set, which must not be empty.
func first(set uint64) Square { return Square(bits.TrailingZeros64(set)) }

// Scoring defines the score of a game that ends with empty cells.
type Scoring int8

// The two scorings in use. Tournaments and published endgames give the empty cells to the winner.
const (
	DiscDifference Scoring = iota
	EmptiesToWinner
)

// Final returns the score of a finished game, for the side to move.
func (s Scoring) Final(b Board) int { return s.final(b.Mover, b.Opponent) }

// final is Final for the discs p of the side to move and o of its opponent.
func (s Scoring) final(p, o uint64) int {
	score := bits.OnesCount64(p) - bits.OnesCount64(o)
	empties := int(s) * bits.OnesCount64(^(p | o))
	switch {
	case score > 0:
		return score + empties
	case score < 0:
		return score - empties
	default:
		return 0
	}
}
