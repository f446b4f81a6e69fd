package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// The sides of square boards, which are even.
const (
	minSide     = 4
	maxSide     = 16
	othelloSide = 8
)

// Square is a position on a square board, without passes before it.
type Square struct {
	Side    int      // the number of cells of a row
	Cells   string   // row by row, in letters of a notation: X, O and _
	Turn    byte     // X or O, or - once the game is over
	Options []string // of the rules, as in a notation
}

// emptiesToWinner is the option that adds the empty cells to the winner's score, as is the rule of
// Othello federations.
const emptiesToWinner = "empties_to_winner=true"

// StandardSquare returns the start of a game of Othello, or of the same game on a board with another
// side, at least 2.
func StandardSquare(side int) Square {
	cells := []byte(strings.Repeat("_", side*side))
	for i, letter := range "OXXO" {
		row, column := side/2-1+i/2, side/2-1+i%2
		cells[row*side+column] = byte(letter)
	}
	return Square{Side: side, Cells: string(cells), Turn: 'X'}
}

// Notation returns the notation of the position.
func (s Square) Notation() string {
	var rows []string
	for row := range s.Side {
		rows = append(rows, s.Row(row))
	}
	words := []string{fmt.Sprintf("reversi/square:%d", s.Side), strings.Join(rows, "/"),
		string(rune(s.Turn)), "0"}
	return strings.Join(append(words, s.Options...), " ")
}

// Row returns the cells of a row, counted from 0.
func (s Square) Row(row int) string { return s.Cells[row*s.Side : (row+1)*s.Side] }

// setup returns the setup of a game that starts here.
func (s Square) setup() *rulesv1.Setup {
	board := &rulesv1.SquareBoard{Side: int32(s.Side)}
	reversi := &rulesv1.ReversiSetup{Board: &rulesv1.ReversiSetup_Square{Square: board}}
	if slices.Contains(s.Options, emptiesToWinner) {
		reversi.EmptiesToWinner = new(true)
	}
	standard := StandardSquare(s.Side)
	if s.Cells != standard.Cells || s.Turn != standard.Turn {
		reversi.StartFrom = s.Notation()
	}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: reversi}}
}

// ParseSquare reads a notation. It drops the number of passes before the position, and returns false
// for a notation of another board.
func ParseSquare(notation string) (Square, bool) {
	words := strings.Fields(notation)
	if len(words) < 4 {
		return Square{}, false
	}
	size, ok := strings.CutPrefix(words[0], "reversi/square:")
	side, err := strconv.Atoi(size)
	cells := strings.ReplaceAll(words[1], "/", "")
	if !ok || err != nil || side < minSide || side > maxSide || len(cells) != side*side {
		return Square{}, false
	}
	return Square{Side: side, Cells: cells, Turn: words[2][0], Options: words[4:]}, true
}

// record returns a record without moves that starts here.
func (s Square) record() *Record { return &Record{Setup: s.setup(), Start: s.Notation()} }

// allowedCells describes the letters of cells, for error messages.
const allowedCells = "X or * for black, O for white, - for an empty cell"

// letterOf returns the letter of a cell in a notation, and false for another letter. Files have X, *
// or b for black, O, 0 or w for white, and -, . or _ for empty cells.
func letterOf(letter byte) (byte, bool) {
	switch letter {
	case 'X', 'x', '*', 'B', 'b':
		return 'X', true
	case 'O', 'o', '0', 'W', 'w':
		return 'O', true
	case '-', '.', '_':
		return '_', true
	}
	return 0, false
}

// pass is the notation of a pass.
const pass = "pass"

// IsPass reports whether a word is one of the usual spellings of a pass.
func IsPass(word string) bool {
	switch strings.ToLower(word) {
	case pass, "pa", "ps", "--", "@@":
		return true
	}
	return false
}

// parseSquareMove reads a cell such as d3, or a pass, in upper or lower case. It returns the
// notation of the move.
func parseSquareMove(word string, side int) (string, bool) {
	if IsPass(word) {
		return pass, true
	}
	word = strings.ToLower(word)
	if len(word) < 2 || word[0] < 'a' || int(word[0]-'a') >= side {
		return "", false
	}
	row, err := strconv.Atoi(word[1:])
	return word, err == nil && word[1] != '0' && word[1] != '+' && row >= 1 && row <= side
}

// allowedMove describes the moves on a square, for error messages.
func allowedMove(side int) string {
	return fmt.Sprintf("use a cell from a1 to %c%d, or a pass: pass, pa, ps, -- or @@",
		'a'+side-1, side)
}
