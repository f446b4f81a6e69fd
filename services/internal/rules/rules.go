// Package rules defines the types that all games share: sides, cells, moves, flips and positions.
// Each game implements [Position] in a package of its own below this one; package games lists them.
//
// Everything here and below is pure: no I/O, no clock, no global state, and no randomness except
// from a seed that the caller passes.
package rules

import "strings"

// Kind names a game. It is the word that starts the game's notation.
type Kind string

// The games.
const (
	Reversi    Kind = "reversi"
	ThreeTrios Kind = "threetrios"
)

// KindOf returns the word before the first slash of a notation. It does not check that the game
// exists.
func KindOf(notation string) Kind {
	word, _, _ := strings.Cut(notation, "/")
	return Kind(word)
}

// Side is one of the two players of a game. First moves first: Black in Reversi, Red in Three
// Trios. Second is White or Blue.
type Side uint8

// NoSide is the side to move of a finished game, the winner of a draw and the owner of an empty
// cell.
const (
	NoSide Side = iota
	First
	Second
)

// Other returns the opponent. The opponent of NoSide is NoSide.
func (s Side) Other() Side {
	switch s {
	case First:
		return Second
	case Second:
		return First
	}
	return NoSide
}

// Name returns the name of the game for people.
func (k Kind) Name() string {
	if k == ThreeTrios {
		return "Three Trios"
	}
	return "Reversi"
}

// SideName returns the name of a side in this game, such as Black, and "none" for NoSide.
func (k Kind) SideName(s Side) string {
	names := [...]string{"none", "Black", "White"}
	if k == ThreeTrios {
		names = [...]string{"none", "Red", "Blue"}
	}
	return names[s]
}
