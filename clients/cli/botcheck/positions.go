package botcheck

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
)

// Board is a kind of board. A provider may support some kinds, and some sizes of them, and reject all
// positions of the others.
type Board string

// The kinds of boards.
const (
	Hexagon Board = "hexagon"
	Square  Board = "square"
	Cards   Board = "cards"
)

// Position is a position to send to a provider.
type Position struct {
	Name     string       `json:"name"`
	Board    Board        `json:"board"`
	Notation string       `json:"notation"`
	Side     rulesv1.Side `json:"side"` // to move
	Drawing  string       `json:"drawing"`
	Legal    []legal      `json:"legal"`
}

// size names the positions that a provider may reject together: those of a kind of board of one size.
// Grids of cards have no size.
func (p *Position) size() string {
	if p.Board == Cards {
		return string(p.Board)
	}
	size, _, _ := strings.Cut(p.Notation, " ")
	return size
}

// legal is a legal move.
type legal struct {
	Notation string
	Move     *rulesv1.Move
}

// MarshalJSON encodes the move as a LegalMove of the API without flips.
func (l legal) MarshalJSON() ([]byte, error) {
	return protojson.Marshal(&rulesv1.LegalMove{Notation: l.Notation, Move: l.Move})
}

// UnmarshalJSON decodes a LegalMove of the API.
func (l *legal) UnmarshalJSON(document []byte) error {
	move := &rulesv1.LegalMove{}
	if err := protojson.Unmarshal(document, move); err != nil {
		return err
	}
	l.Notation, l.Move = move.GetNotation(), move.GetMove()
	return nil
}

// The positions with their legal moves, as the server lists them. A test generates the file.
//
//go:embed positions.json
var positionsFile []byte

// readPositions returns the positions, those of a kind of board together, the simplest first.
func readPositions() ([]Position, error) {
	var all []Position
	if err := json.Unmarshal(positionsFile, &all); err != nil {
		return nil, fmt.Errorf("cannot read the positions of this program: %w", err)
	}
	return all, nil
}

// legalNotations lists the legal moves.
func (p *Position) legalNotations() string {
	var all []string
	for _, move := range p.Legal {
		all = append(all, move.Notation)
	}
	return strings.Join(all, " ")
}
