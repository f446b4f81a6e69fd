package wire

import (
	"strconv"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// Cell writes a cell.
func Cell(c rules.Cell) *rulesv1.Cell {
	if c.Hexagonal() {
		q, r := c.Axial()
		return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Hex{Hex: &rulesv1.HexCell{Q: int32(q), R: int32(r)}}}
	}
	row, column := c.RowColumn()
	return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Square{Square: &rulesv1.SquareCell{Row: int32(row), Column: int32(column)}}}
}

// ReadCell reads a cell. Cube coordinates that do not add up to 0 are no cell.
func ReadCell(c *rulesv1.Cell) (rules.Cell, error) {
	switch at := c.GetCoordinates().(type) {
	case *rulesv1.Cell_Hex:
		q, r := int(at.Hex.GetQ()), int(at.Hex.GetR())
		if at.Hex != nil && at.Hex.S != nil && q+r+int(at.Hex.GetS()) != 0 {
			return rules.Cell{}, fault.New(fault.InvalidField, "q + r + s must be 0, not %d", q+r+int(at.Hex.GetS())).At("hex.s")
		}
		return rules.HexCell(q, r), nil
	case *rulesv1.Cell_Square:
		return rules.SquareCell(int(at.Square.GetRow()), int(at.Square.GetColumn())), nil
	}
	return rules.Cell{}, fault.New(fault.InvalidField, "a cell needs hex or square coordinates")
}

// Move writes a move.
func Move(m rules.Move) *rulesv1.Move {
	switch m.Kind {
	case rules.PlaceDisc:
		return &rulesv1.Move{Kind: &rulesv1.Move_Place_{Place: &rulesv1.Move_Place{Cell: Cell(m.Cell)}}}
	case rules.PlayCard:
		return &rulesv1.Move{Kind: &rulesv1.Move_PlayCard_{PlayCard: &rulesv1.Move_PlayCard{Card: m.Card, Cell: Cell(m.Cell)}}}
	case rules.PassTurn:
	}
	return &rulesv1.Move{Kind: &rulesv1.Move_PassTurn_{PassTurn: &rulesv1.Move_PassTurn{}}}
}

// ReadMove reads the move of a request, which has it either way: as a message or in notation. It is one of the
// game of p, not necessarily legal there.
func ReadMove(p rules.Position, message *rulesv1.Move, notation string) (rules.Move, error) {
	switch {
	case message != nil && notation != "":
		return rules.Move{}, fault.New(fault.InvalidField, "give the move or its notation, not both").At("notation")
	case notation != "":
		m, err := p.ParseMove(notation)
		return m, fault.At(err, "notation")
	case message == nil:
		return rules.Move{}, fault.New(fault.InvalidField, "a move is required").At("move")
	}
	m, err := readMove(message)
	if err == nil {
		err = checkForm(p, m)
	}
	return m, fault.At(err, "move")
}

// checkForm refuses a move of another game, and one on a board of another form.
func checkForm(p rules.Position, m rules.Move) error {
	hexagonal := false
	if board, ok := p.(*reversi.Position); ok {
		hexagonal = board.Board().Shape() == reversi.Hexagon
	}
	switch {
	case (m.Kind == rules.PlayCard) != (p.Kind() == rules.ThreeTrios):
		return fault.New(fault.InvalidField, "there is no such move in %s", p.Kind()).With("game", p.Kind())
	case m.Kind == rules.PassTurn || m.Cell.Hexagonal() == hexagonal:
		return nil
	}
	field := "place.cell"
	if m.Kind == rules.PlayCard {
		field = "playCard.cell"
	}
	if hexagonal {
		return fault.New(fault.InvalidField, "a cell of this board is hex, with q and r").At(field)
	}
	return fault.New(fault.InvalidField, "a cell of this board is square, with row and column").At(field)
}

func readMove(message *rulesv1.Move) (rules.Move, error) {
	switch kind := message.GetKind().(type) {
	case *rulesv1.Move_Place_:
		cell, err := ReadCell(kind.Place.GetCell())
		return rules.Place(cell), fault.At(err, "place.cell")
	case *rulesv1.Move_PlayCard_:
		cell, err := ReadCell(kind.PlayCard.GetCell())
		if kind.PlayCard.GetCard() == "" {
			return rules.Move{}, fault.New(fault.InvalidField, "a card is required").At("playCard.card")
		}
		return rules.Play(kind.PlayCard.GetCard(), cell), fault.At(err, "playCard.cell")
	case *rulesv1.Move_PassTurn_:
		return rules.Pass, nil
	}
	return rules.Move{}, fault.New(fault.InvalidField, "a move is place, playCard or passTurn")
}

// Flips writes what flipped on the board of p.
func Flips(p rules.Position, flips []rules.Flip) []*rulesv1.Flip {
	out := make([]*rulesv1.Flip, len(flips))
	for i, f := range flips {
		out[i] = &rulesv1.Flip{
			Cell:     Cell(f.Cell),
			Notation: p.CellNotation(f.Cell),
			Wave:     int32(f.Wave),
			Cause:    rulesv1.Cause(f.Cause),
		}
	}
	return out
}

// LegalMoves writes one page of the legal moves of p with what each would do, and the token of the next page. card selects
// the moves that play it; "" is all.
func LegalMoves(p rules.Position, card string, page Page) ([]*rulesv1.LegalMove, string, error) {
	moves := p.Legal()
	if card != "" {
		kept := moves[:0]
		for _, m := range moves {
			if m.Card == card {
				kept = append(kept, m)
			}
		}
		moves = kept
	}
	from, err := page.offset()
	if err != nil {
		return nil, "", err
	}
	moves = moves[min(from, len(moves)):]
	next := ""
	if size := page.Limit(); len(moves) > size {
		moves, next = moves[:size], strconv.Itoa(from+size)
	}
	out := make([]*rulesv1.LegalMove, len(moves))
	for i, m := range moves {
		out[i] = legalMove(p, m)
	}
	return out, next, nil
}

func legalMove(p rules.Position, m rules.Move) *rulesv1.LegalMove {
	_, flips, err := p.Play(m)
	if err != nil {
		panic(err) // the rules list legal moves only
	}
	return &rulesv1.LegalMove{
		Move:      Move(m),
		Notation:  p.MoveNotation(m),
		FlipCount: int32(len(flips)),
		Flips:     Flips(p, flips),
	}
}

// Page is the part of a list that a request asks for.
type Page struct {
	Size  int32
	Token string
}

// The sizes of pages.
const defaultPage, largestPage = 100, 1000

// Limit returns how many items a page has at most. Sizes were checked not to be negative.
func (p Page) Limit() int {
	if p.Size == 0 {
		return defaultPage
	}
	return int(min(p.Size, largestPage))
}

// offset reads a token that counts the items before the page.
func (p Page) offset() (int, error) {
	if p.Token == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(p.Token)
	if err != nil || n < 0 {
		return 0, InvalidPageToken()
	}
	return n, nil
}

// InvalidPageToken is the error for a token that no answer held.
func InvalidPageToken() error {
	return fault.New(fault.InvalidField, "not a token of an earlier page").At("pageToken")
}
