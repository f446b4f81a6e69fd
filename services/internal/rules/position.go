package rules

// Position is one state of a game: the board, the side to move and the rules in force. Positions
// are immutable and safe for concurrent use.
type Position interface {
	// Kind returns the game.
	Kind() Kind

	// Turn returns the side to move, or NoSide once the game is over.
	Turn() Side

	// Legal returns every legal move: by cell in reading order, then by hand index, pass last. It
	// is empty only when the game is over. The caller owns the slice.
	Legal() []Move

	// Play returns the position after a move, and the flips: wave by wave, in reading order inside
	// a wave. An illegal move returns a *fault.Error and changes nothing.
	Play(Move) (Position, []Flip, error)

	// WithTurn returns the same position with another side to move. It serves questions about the
	// moves of the side that is not on turn. A finished game stays finished.
	WithTurn(Side) Position

	// Score returns the pieces that each side owns now.
	Score() Score

	// FinalScore returns the score that decides a finished game: Score plus the empty cells, if the
	// rules in force award them.
	FinalScore() Score

	// Notation returns the position as one canonical line of text. The game's Parse reads it back
	// to an equal position.
	Notation() string

	// Contains reports whether a cell is on the board. Holes are on the board.
	Contains(Cell) bool

	// MoveNotation and CellNotation return a move or a cell as players of this game write it.
	MoveNotation(Move) string
	CellNotation(Cell) string

	// ParseMove and ParseCell read a move or a cell as players write it. The result need not be
	// legal or on the board. Malformed text returns a *fault.Error with the reason
	// INVALID_NOTATION.
	ParseMove(string) (Move, error)
	ParseCell(string) (Cell, error)

	// Bytes estimates the memory of the position with everything that it does not share with all
	// positions.
	Bytes() int

	// Text returns a drawing of the position, without a trailing newline.
	Text(TextOptions) string
}

// TextOptions changes the drawing of Position.Text.
type TextOptions struct {
	// Selected is the cell to draw in parentheses; nil for none.
	Selected *Cell
	// Labels adds the names of rows and columns.
	Labels bool
	// Hints replaces the mark of empty cells by a short text, such as the number of flips.
	Hints map[Cell]string
}

// MustPass reports whether pass is the only legal move.
func MustPass(p Position) bool {
	legal := p.Legal()
	return len(legal) == 1 && legal[0] == Pass
}

// Score counts the pieces of each side.
type Score struct {
	First  int `json:"first"`
	Second int `json:"second"`
}

// Leader returns the side with more pieces, or NoSide if both have the same number.
func (s Score) Leader() Side {
	switch {
	case s.First > s.Second:
		return First
	case s.Second > s.First:
		return Second
	}
	return NoSide
}

// Margin returns the pieces of a side minus those of its opponent.
func (s Score) Margin(side Side) int {
	if side == Second {
		return s.Second - s.First
	}
	return s.First - s.Second
}
