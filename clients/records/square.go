package records

import (
	"fmt"
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

// squareStart is a position on a square board at the start of a game.
type squareStart struct {
	side  int
	cells string // row by row, in letters of a notation: X, O and _
	turn  byte   // X or O
	// emptiesToWinner adds the empty cells to the winner's score, as is the rule of Othello
	// federations.
	emptiesToWinner bool
}

// standardStart returns the usual start of Othello.
func standardStart(side int) squareStart {
	cells := []byte(strings.Repeat("_", side*side))
	for i, letter := range "OXXO" {
		row, column := side/2-1+i/2, side/2-1+i%2
		cells[row*side+column] = byte(letter)
	}
	return squareStart{side: side, cells: string(cells), turn: 'X'}
}

// notation returns the notation of the position.
func (s squareStart) notation() string {
	var rows []string
	for row := range s.side {
		rows = append(rows, s.cells[row*s.side:(row+1)*s.side])
	}
	text := fmt.Sprintf("reversi/square:%d %s %c 0", s.side, strings.Join(rows, "/"), s.turn)
	if s.emptiesToWinner {
		text += " empties_to_winner=true"
	}
	return text
}

// setup returns the setup of a game that starts here.
func (s squareStart) setup() *rulesv1.Setup {
	board := &rulesv1.SquareBoard{Side: int32(s.side)}
	reversi := &rulesv1.ReversiSetup{Board: &rulesv1.ReversiSetup_Square{Square: board}}
	if s.emptiesToWinner {
		reversi.EmptiesToWinner = &s.emptiesToWinner
	}
	standard := standardStart(s.side)
	if s.cells != standard.cells || s.turn != standard.turn {
		reversi.StartFrom = s.notation()
	}
	return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: reversi}}
}

// parseSquare reads a position on a square from its notation. It returns false for a notation of
// another board, or in the middle of a series of passes.
func parseSquare(notation string) (squareStart, bool) {
	words := strings.Fields(notation)
	if len(words) < 4 {
		return squareStart{}, false
	}
	size, ok := strings.CutPrefix(words[0], "reversi/square:")
	side, err := strconv.Atoi(size)
	if !ok || err != nil {
		return squareStart{}, false
	}
	s := squareStart{side: side, cells: strings.ReplaceAll(words[1], "/", ""), turn: words[2][0]}
	for _, option := range words[4:] {
		s.emptiesToWinner = s.emptiesToWinner || option == "empties_to_winner=true"
	}
	return s, len(s.cells) == side*side
}

// record returns a record without moves that starts here.
func (s squareStart) record() *Record { return &Record{Setup: s.setup(), Start: s.notation()} }

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
