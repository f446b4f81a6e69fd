package adapters

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/clients/records"
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

// square is a position on a square board.
type square struct{ records.Square }

func emptySquare(side int) square {
	cells := strings.Repeat(string(empty), side*side)
	return square{records.Square{Side: side, Cells: cells, Turn: black}}
}

// discs returns the number of discs.
func (s square) discs() int { return len(s.Cells) - s.count(empty) }

func (s square) count(letter byte) int { return strings.Count(s.Cells, string(rune(letter))) }

// index returns the index of a cell in cells, and false for a text that is no cell of the board.
func (s square) index(cell string) (int, bool) {
	if len(cell) < 2 || cell[0] < 'a' || int(cell[0]-'a') >= s.Side {
		return 0, false
	}
	row, err := strconv.Atoi(cell[1:])
	if err != nil || row < 1 || row > s.Side || cell[1] == '+' {
		return 0, false
	}
	return (row-1)*s.Side + int(cell[0]-'a'), true
}

// cell returns the notation of the cell with an index.
func (s square) cell(index int) string {
	return fmt.Sprintf("%c%d", 'a'+index%s.Side, index/s.Side+1)
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
	p.Square, _ = records.ParseSquare(p.notation) // nothing for another board
	for _, legal := range answer.GetMoves() {
		p.legal = append(p.legal, legal.GetNotation())
	}
	return p, nil
}
