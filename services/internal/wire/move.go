package wire

import (
	"slices"
	"strconv"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Cell converts a cell to its message.
func Cell(c rules.Cell) *rulesv1.Cell {
	if c.Hexagonal() {
		q, r := c.Axial()
		hex := &rulesv1.HexCell{Q: int32(q), R: int32(r)}
		return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Hex{Hex: hex}}
	}
	row, column := c.RowColumn()
	square := &rulesv1.SquareCell{Row: int32(row), Column: int32(column)}
	return &rulesv1.Cell{Coordinates: &rulesv1.Cell_Square{Square: square}}
}

// readCell converts a message to a cell. It rejects cube coordinates whose sum is not 0.
func readCell(c *rulesv1.Cell) (rules.Cell, error) {
	switch at := c.GetCoordinates().(type) {
	case *rulesv1.Cell_Hex:
		q, r := int(at.Hex.GetQ()), int(at.Hex.GetR())
		if sum := q + r + int(at.Hex.GetS()); at.Hex != nil && at.Hex.S != nil && sum != 0 {
			return rules.Cell{}, fault.Invalid("q + r + s must be 0, not %d", sum).At("hex.s")
		}
		return rules.HexCell(q, r), nil
	case *rulesv1.Cell_Square:
		return rules.SquareCell(int(at.Square.GetRow()), int(at.Square.GetColumn())), nil
	}
	return rules.Cell{}, fault.Invalid("set one of: hex, square")
}

// Move converts a move to its message.
func Move(m rules.Move) *rulesv1.Move {
	switch m.Kind {
	case rules.PlaceDisc:
		return &rulesv1.Move{Kind: &rulesv1.Move_Place_{Place: &rulesv1.Move_Place{Cell: Cell(m.Cell)}}}
	case rules.PlayCard:
		card := &rulesv1.Move_PlayCard{Card: m.Card, Cell: Cell(m.Cell)}
		return &rulesv1.Move{Kind: &rulesv1.Move_PlayCard_{PlayCard: card}}
	case rules.PassTurn:
	}
	return &rulesv1.Move{Kind: &rulesv1.Move_PassTurn_{PassTurn: &rulesv1.Move_PassTurn{}}}
}

// ReadMove returns the move of a request, which has either a message or a notation. The move fits
// the game and the board of p but may be illegal.
func ReadMove(p rules.Position, message *rulesv1.Move, notation string) (rules.Move, error) {
	switch {
	case message != nil && notation != "":
		return rules.Move{}, fault.Invalid("set only one of: move, notation").At("notation")
	case notation != "":
		m, err := p.ParseMove(notation)
		return m, fault.At(err, "notation")
	case message == nil:
		return rules.Move{}, fault.Invalid("set one of: move, notation").At("move")
	}
	m, err := readMove(message)
	if err == nil {
		err = validateBoard(p, m)
	}
	return m, fault.At(err, "move")
}

func readMove(message *rulesv1.Move) (rules.Move, error) {
	switch kind := message.GetKind().(type) {
	case *rulesv1.Move_Place_:
		cell, err := readCell(kind.Place.GetCell())
		return rules.Place(cell), fault.At(err, "place.cell")
	case *rulesv1.Move_PlayCard_:
		cell, err := readCell(kind.PlayCard.GetCell())
		return rules.Play(kind.PlayCard.GetCard(), cell), fault.At(err, "playCard.cell")
	case *rulesv1.Move_PassTurn_:
		return rules.Pass, nil
	}
	return rules.Move{}, fault.Invalid("set one of: place, playCard, passTurn")
}

// validateBoard rejects a move of another game and a cell of another board shape.
func validateBoard(p rules.Position, m rules.Move) error {
	hexagonal := false
	if board, ok := p.(*reversi.Position); ok {
		hexagonal = board.Board().Shape() == reversi.Hexagon
	}
	field, allowed := "place", "place or passTurn"
	if p.Kind() == rules.ThreeTrios {
		field, allowed = "playCard", "playCard"
	}
	switch {
	case (m.Kind == rules.PlayCard) != (p.Kind() == rules.ThreeTrios):
		return fault.Invalid("not a move of %s: use %s", p.Kind().Name(), allowed).
			With("game", p.Kind())
	case m.Kind == rules.PassTurn || m.Cell.Hexagonal() == hexagonal:
		return nil
	case hexagonal:
		return fault.Invalid("invalid coordinates for a hexagonal board: use hex with q and r").
			At(field + ".cell")
	}
	return fault.Invalid("invalid coordinates for a square board: use square with row and column").
		At(field + ".cell")
}

// Flips converts the flips of a move on the board of p to their messages.
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

// LegalMoves returns one page of the legal moves of p, each with its flips, and the token of the
// next page. If card is not "", only the moves that play this card count. It returns an error for a
// card that the game does not have.
func LegalMoves(p rules.Position, card string, page Page) ([]*rulesv1.LegalMove, string, error) {
	if card != "" {
		if err := CheckCard(p, card); err != nil {
			return nil, "", err
		}
	}
	moves := slices.DeleteFunc(p.Legal(), func(m rules.Move) bool {
		return card != "" && m.Card != card
	})
	from, err := page.Number(0)
	if err != nil {
		return nil, "", err
	}
	content := Content[*rulesv1.LegalMove]{Limit: page.Limit()}
	for i := from; i < len(moves); i++ {
		if !content.Add(legalMove(p, moves[i])) {
			return content.Items, page.Token(strconv.Itoa(i)), nil
		}
	}
	return content.Items, "", nil
}

// CheckCard returns an error unless the game of p has a card of this name, in a hand or on the grid.
func CheckCard(p rules.Position, name string) error {
	trios, ok := p.(*threetrios.Position)
	switch {
	case !ok:
		return fault.Invalid("Reversi has no cards: leave the card out").At("card")
	case !trios.HasCard(name):
		return fault.New(fault.CardNotInHand, "the game has no card %.40q", name).With("card", name)
	}
	return nil
}

func legalMove(p rules.Position, m rules.Move) *rulesv1.LegalMove {
	_, flips, err := p.Play(m)
	if err != nil {
		panic(err) // Every move in Legal is legal.
	}
	return &rulesv1.LegalMove{
		Move:      Move(m),
		Notation:  p.MoveNotation(m),
		FlipCount: int32(len(flips)),
		Flips:     Flips(p, flips),
	}
}
