// Package othello is the engine for 8x8 Reversi: bitboards of one word a side, an exact endgame solver, and a
// midgame search over pattern tables trained by self-play (package train, cmd/flipside-train). It knows nothing of
// games, services or other boards: callers translate their position into a Board and squares back into moves.
//
// Its rules are the common ones: moves flip at least one disc, passes are forced and never made by choice, and the
// game ends when neither side can move. Boards of other sizes and rules are the business of other packages.
package othello

import "math/bits"

// Square numbers the cells from the top left, along the rows: a1 = 0, b1 = 1, a2 = 8, h8 = 63. Pass is no cell.
type Square uint8

// Pass stands in a line of moves where the side to move had none.
const Pass Square = 64

// String is the square in the usual notation, file then rank: "a1" to "h8", or "pass".
func (x Square) String() string {
	if x >= Pass {
		return "pass"
	}
	return string([]byte{'a' + byte(x%8), '1' + byte(x/8)})
}

// Board is a position without colours: the discs of the side to move and those of its opponent, bit i for Square i.
// A pass swaps the two words.
type Board struct{ Mover, Opponent uint64 }

// Start is the first position of the game: black, to move, holds e4 and d5.
func Start() Board { return Board{Mover: 1<<28 | 1<<35, Opponent: 1<<27 | 1<<36} }

// Empty is the set of cells without a disc.
func (b Board) Empty() uint64 { return ^(b.Mover | b.Opponent) }

// Empties counts the cells without a disc.
func (b Board) Empties() int { return bits.OnesCount64(b.Empty()) }

// Moves is the set of cells where the side to move can play.
func (b Board) Moves() uint64 { return legalMoves(b.Mover, b.Opponent) }

// Pass gives the turn to the opponent.
func (b Board) Pass() Board { return Board{Mover: b.Opponent, Opponent: b.Mover} }

// Play is the board after the side to move plays x, seen by its opponent. The caller knows that x is legal.
func (b Board) Play(x Square) Board {
	return b.after(x, flips(b.Mover, b.Opponent, x))
}

// after is Play where the flipped discs are known already.
func (b Board) after(x Square, flipped uint64) Board {
	return Board{Mover: b.Opponent ^ flipped, Opponent: b.Mover ^ flipped | 1<<(x&63)}
}

// Over reports that neither side can move.
func (b Board) Over() bool { return b.Moves() == 0 && b.Pass().Moves() == 0 }

// Scoring says how discs become a score when the game ends before the board is full.
type Scoring int8

// The two conventions in use: the bare disc difference, and the one of tournaments and of published endgames, which
// gives the cells left empty to the winner.
const (
	DiscDifference Scoring = iota
	EmptiesToWinner
)

// Final is the score, for the side to move, of a board where the game is over.
func (s Scoring) Final(b Board) int { return s.final(b.Mover, b.Opponent) }

// final is the score, for the side to move, of a game that ended on these discs. A draw stays one either way.
func (s Scoring) final(p, o uint64) int {
	score := bits.OnesCount64(p) - bits.OnesCount64(o)
	left := int(s) * bits.OnesCount64(^(p | o))
	switch {
	case score > 0:
		return score + left
	case score < 0:
		return score - left
	default:
		return 0
	}
}
