package adapters

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
)

// The letters of cells in a notation.
const (
	black byte = 'X'
	white byte = 'O'
	empty byte = '_'
)

// passNotation is the notation of a pass.
const passNotation = "pass"

// othelloSide is the side of the board of Othello.
const othelloSide = 8

// square is the content of the notation of a position on a square board.
type square struct {
	side    int
	cells   string // row by row
	turn    byte   // black, white, or another letter once the game is over
	options []string
}

// parseSquare reads a notation. It returns false for other boards than squares.
func parseSquare(notation string) (square, bool) {
	words := strings.Fields(notation)
	if len(words) < 4 {
		return square{}, false
	}
	size, ok := strings.CutPrefix(words[0], "reversi/square:")
	side, err := strconv.Atoi(size)
	cells := strings.ReplaceAll(words[1], "/", "")
	if !ok || err != nil || side < 1 || len(cells) != side*side {
		return square{}, false
	}
	return square{side: side, cells: cells, turn: words[2][0], options: words[4:]}, true
}

// newSquare returns the start of a game of Othello, or of the same game on another board.
func newSquare(side int) square {
	s := emptySquare(side)
	if side < 2 {
		return s
	}
	cells := []byte(s.cells)
	for i, letter := range "OXXO" {
		cells[(side/2-1+i/2)*side+side/2-1+i%2] = byte(letter)
	}
	s.cells = string(cells)
	return s
}

func emptySquare(side int) square {
	return square{side: side, cells: strings.Repeat(string(empty), side*side), turn: black}
}

// notation returns the notation of the position, without passes before it.
func (s square) notation() string {
	var rows []string
	for row := range s.side {
		rows = append(rows, s.row(row))
	}
	words := []string{fmt.Sprintf("reversi/square:%d", s.side), strings.Join(rows, "/"),
		string(rune(s.turn)), "0"}
	return strings.Join(append(words, s.options...), " ")
}

func (s square) row(row int) string { return s.cells[row*s.side : (row+1)*s.side] }

// discs returns the number of discs.
func (s square) discs() int { return len(s.cells) - s.count(empty) }

func (s square) count(letter byte) int { return strings.Count(s.cells, string(rune(letter))) }

// index returns the index of a cell in cells, and false for a text that is no cell of the board.
func (s square) index(cell string) (int, bool) {
	if len(cell) < 2 || cell[0] < 'a' || int(cell[0]-'a') >= s.side {
		return 0, false
	}
	row, err := strconv.Atoi(cell[1:])
	if err != nil || row < 1 || row > s.side || cell[1] == '+' {
		return 0, false
	}
	return (row-1)*s.side + int(cell[0]-'a'), true
}

// cell returns the notation of the cell with an index.
func (s square) cell(index int) string {
	return fmt.Sprintf("%c%d", 'a'+index%s.side, index/s.side+1)
}

// position is a position with its legal moves, as the Strategy service lists them.
type position struct {
	notation string
	square
	legal []string // in notation; none once the game is over
}

func (p *position) over() bool     { return len(p.legal) == 0 }
func (p *position) mustPass() bool { return len(p.legal) == 1 && p.legal[0] == passNotation }

// rules plays moves with the rules of the Strategy service.
type rules struct {
	strategies strategyv1.StrategyServiceClient
}

// after returns the position after a move in another one, "" for the position itself.
func (r rules) after(ctx context.Context, notation, move string) (*position, error) {
	answer, err := r.strategies.ListPositionMoves(ctx, &strategyv1.ListPositionMovesRequest{
		Position: &rulesv1.Position{Notation: notation}, AfterMove: move, PageSize: 1000,
	})
	if err != nil {
		return nil, err
	}
	p := &position{notation: answer.GetPosition().GetNotation()}
	p.square, _ = parseSquare(p.notation)
	for _, legal := range answer.GetMoves() {
		p.legal = append(p.legal, legal.GetNotation())
	}
	return p, nil
}
