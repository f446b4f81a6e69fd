package reversi

import (
	"bytes"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Start is the pattern of the four discs in the middle of a square board at the start.
type Start string

// The starts of a square board.
const (
	// Standard has White on the falling diagonal, d4 and e5 on eight by eight cells, as in Othello.
	Standard Start = "standard"
	// Mirrored has Black on the falling diagonal.
	Mirrored Start = "mirrored"
)

// startDiscs returns the discs at the start of a game. On a hexagon, three discs of each side
// surround the empty centre alternately. On a square, two discs of each side lie in the middle.
func (b *Board) startDiscs(start Start) []byte {
	discs := bytes.Repeat([]byte{empty}, len(b.cells))
	put := func(letter byte, cells ...rules.Cell) {
		for _, c := range cells {
			discs[b.index(c)] = letter
		}
	}
	if b.shape == Hexagon {
		put(black, rules.HexCell(0, -1), rules.HexCell(1, 0), rules.HexCell(-1, 1))
		put(white, rules.HexCell(1, -1), rules.HexCell(0, 1), rules.HexCell(-1, 0))
		return discs
	}
	falling, rising := byte(white), byte(black)
	if start == Mirrored {
		falling, rising = rising, falling
	}
	right := b.size / 2
	left := right - 1
	put(falling, rules.SquareCell(left, left), rules.SquareCell(right, right))
	put(rising, rules.SquareCell(left, right), rules.SquareCell(right, left))
	return discs
}

// startsAs reports whether the discs of the position are those of a start.
func (p *Position) startsAs(start Start) bool {
	if p.board.shape != Square || start != Standard && start != Mirrored {
		return false
	}
	return p.discs[:len(p.board.cells)] == string(p.board.startDiscs(start))
}
