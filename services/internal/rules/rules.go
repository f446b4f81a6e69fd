// Package rules is the vocabulary that every game shares: sides, cells, moves, flips and positions.
// It plays no game itself; each game is a package below this one, and package games is the table of
// them. Everything here and below is pure: no I/O, no clock, no randomness but from a given seed.
package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Side is one of the two players of a game: First is Black or Red, Second is White or Blue.
type Side uint8

// NoSide is the side to move of an ended game, and the winner of a drawn one.
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

// Kind names a game.
type Kind string

// The games there are.
const (
	Reversi    Kind = "reversi"
	ThreeTrios Kind = "threetrios"
)

// SideName is what the players of the game call a side.
func (k Kind) SideName(s Side) string {
	names := [...]string{"nobody", "Black", "White"}
	if k == ThreeTrios {
		names = [...]string{"nobody", "Red", "Blue"}
	}
	return names[s]
}

// Cell is one cell of a board, on it or off it: axial (q, r) on a hexagonal board, (row, column) on
// any other. The zero value is the square cell in row 0, column 0. Cells are comparable.
type Cell struct {
	hexagonal bool
	a, b      int32
}

// HexCell returns the cell with the axial coordinates q, to the right along a row, and r, downwards;
// (0, 0) is the centre.
func HexCell(q, r int) Cell { return Cell{true, clamp(q), clamp(r)} }

// SquareCell returns the cell in the given row and column, both from 0 at the top left.
func SquareCell(row, column int) Cell { return Cell{false, clamp(row), clamp(column)} }

// clamp keeps a coordinate that is off every board off every board, without overflow.
func clamp(n int) int32 { return int32(max(-1<<30, min(n, 1<<30))) }

// Hexagonal reports whether the cell has axial coordinates.
func (c Cell) Hexagonal() bool { return c.hexagonal }

// Axial returns q and r of a hexagonal cell.
func (c Cell) Axial() (q, r int) { return int(c.a), int(c.b) }

// RowColumn returns the row and column of a cell that is not hexagonal.
func (c Cell) RowColumn() (row, column int) { return int(c.a), int(c.b) }

// MarshalText writes a cell so that it is stored without knowing its board: q-1r2 or r2c3.
func (c Cell) MarshalText() ([]byte, error) {
	format := "r%dc%d"
	if c.hexagonal {
		format = "q%dr%d"
	}
	return fmt.Appendf(nil, format, c.a, c.b), nil
}

// UnmarshalText reads what MarshalText writes.
func (c *Cell) UnmarshalText(text []byte) error {
	read := func(first, second string, cell func(a, b int) Cell) bool {
		rest, named := strings.CutPrefix(string(text), first)
		before, after, cut := strings.Cut(rest, second)
		a, err := strconv.Atoi(before)
		b, err2 := strconv.Atoi(after)
		*c = cell(a, b)
		return named && cut && err == nil && err2 == nil
	}
	if read("q", "r", HexCell) || read("r", "c", SquareCell) {
		return nil
	}
	return fmt.Errorf("%q is not a cell", text)
}

// MoveKind tells what a move does.
type MoveKind uint8

// The kinds of move. PlaceDisc uses Cell, PlayCard uses Cell and Card, PassTurn neither.
const (
	PlaceDisc MoveKind = iota + 1
	PlayCard
	PassTurn
)

// Move is what a player does in a turn. It is a comparable value that says nothing about being legal.
type Move struct {
	Kind MoveKind `json:"kind"`
	Cell Cell     `json:"cell,omitzero"`
	// Card is the name of the card to play.
	Card string `json:"card,omitempty"`
}

// Pass is the move that gives the turn away.
var Pass = Move{Kind: PassTurn}

// Place returns the move that places a disc.
func Place(c Cell) Move { return Move{Kind: PlaceDisc, Cell: c} }

// Play returns the move that plays the card of that name.
func Play(card string, c Cell) Move { return Move{Kind: PlayCard, Cell: c, Card: card} }

// Cause is the rule that made a card flip. Discs flip for NoCause but being outflanked.
type Cause uint8

// The causes in order of precedence: a flip that several rules explain has the first of them.
const (
	NoCause Cause = iota
	CauseGreater
	CauseLess
	CauseFallenAce
	CauseSame
	CausePlus
)

// Flip is one piece that changed sides. Wave is 0 for what the move itself flipped and counts the
// steps of a chain from there.
type Flip struct {
	Cell  Cell  `json:"cell"`
	Wave  int   `json:"wave,omitempty"`
	Cause Cause `json:"cause,omitempty"`
}

// Score counts what each side owns.
type Score struct {
	First  int `json:"first"`
	Second int `json:"second"`
}

// Leader returns the side with more, or NoSide when they are level.
func (s Score) Leader() Side {
	switch {
	case s.First > s.Second:
		return First
	case s.Second > s.First:
		return Second
	}
	return NoSide
}

// Margin returns the score from a side's point of view: what it owns less what its opponent owns.
func (s Score) Margin(side Side) int {
	if side == Second {
		return s.Second - s.First
	}
	return s.First - s.Second
}

// Position is one immutable state of a game: the board, whose turn it is, and the rules in force.
// It may be used from many goroutines.
type Position interface {
	Kind() Kind

	// Turn returns the side to move, NoSide once the game is over.
	Turn() Side

	// Legal returns every legal move in reading order, for cards then by hand index, and pass last. It is
	// empty only when the game is over. The caller owns the slice.
	Legal() []Move

	// Play returns the position after the move and what flipped, wave by wave and in reading order inside a wave. A move
	// that is not legal leaves everything as it was and returns a *fault.Error.
	Play(Move) (Position, []Flip, error)

	// WithTurn returns the same position with side to move, which is how to ask what the side not on turn could
	// do. An ended position stays ended.
	WithTurn(Side) Position

	// Score returns what each side owns now.
	Score() Score

	// FinalScore returns the score by which an ended game is judged: Score, with the empty cells added
	// where the rules in force award them.
	FinalScore() Score

	// Notation returns the canonical line of text, which the game's Parse reads back to an equal position.
	Notation() string

	// Contains reports whether a cell is on the board; a hole is.
	Contains(Cell) bool

	// MoveNotation and CellNotation write a move or a cell as this game's players do. ParseMove and
	// ParseCell read it back; what they accept is well formed, not necessarily legal or on the board.
	MoveNotation(Move) string
	CellNotation(Cell) string
	ParseMove(string) (Move, error)
	ParseCell(string) (Cell, error)

	// Text draws the position for people, without a trailing newline.
	Text(TextOptions) string
}

// TextOptions changes how Position.Text draws.
type TextOptions struct {
	// Selected is shown in parentheses; nil for none.
	Selected *Cell
	// Labels adds row and column names.
	Labels bool
	// Hints marks cells with a text of its own, such as the number of discs a placement would flip. It
	// should be short: it takes the place of the mark of an empty cell.
	Hints map[Cell]string
}

// MustPass reports whether pass is the only legal move.
func MustPass(p Position) bool {
	legal := p.Legal()
	return len(legal) == 1 && legal[0] == Pass
}

// KindOf returns the game a notation claims to be of: the word before the first slash.
func KindOf(notation string) Kind {
	word, _, _ := strings.Cut(notation, "/")
	return Kind(word)
}
