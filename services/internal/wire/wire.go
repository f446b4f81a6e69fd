// Package wire translates between the rules in Go and their vocabulary on the wire, flipside.rules.v1, in both
// directions. Whatever is read comes from outside: faults are *fault.Error and name the field.
package wire

import (
	"sync"

	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// Sides and causes have the same numbers on both sides of the wire.

// Side writes a side.
func Side(s rules.Side) rulesv1.Side { return rulesv1.Side(s) }

// ReadSide reads a side whose enum was checked to be defined; unspecified is rules.NoSide.
func ReadSide(s rulesv1.Side) rules.Side { return rules.Side(s) }

// Kind writes the name of a game.
func Kind(k rules.Kind) rulesv1.GameKind {
	switch k {
	case rules.Reversi:
		return rulesv1.GameKind_GAME_KIND_REVERSI
	case rules.ThreeTrios:
		return rulesv1.GameKind_GAME_KIND_THREE_TRIOS
	}
	return rulesv1.GameKind_GAME_KIND_UNSPECIFIED
}

// ReadKind reads the name of a game; unspecified is "".
func ReadKind(k rulesv1.GameKind) rules.Kind {
	switch k {
	case rulesv1.GameKind_GAME_KIND_REVERSI:
		return rules.Reversi
	case rulesv1.GameKind_GAME_KIND_THREE_TRIOS:
		return rules.ThreeTrios
	}
	return ""
}

// Score writes a score.
func Score(s rules.Score) *rulesv1.Score {
	return &rulesv1.Score{First: int32(s.First), Second: int32(s.Second)}
}

// Position writes a position with its layout. The message shares parts with others and must not be changed.
func Position(p rules.Position) *rulesv1.Position {
	out := &rulesv1.Position{Notation: p.Notation()}
	switch p := p.(type) {
	case *reversi.Position:
		out.Layout = &rulesv1.Position_Reversi{Reversi: reversiLayout(p)}
	case *threetrios.Position:
		out.Layout = &rulesv1.Position_ThreeTrios{ThreeTrios: threeTriosLayout(p)}
	}
	return out
}

// ReadPosition reads a position by its notation.
func ReadPosition(p *rulesv1.Position) (rules.Position, error) {
	if p.GetNotation() == "" {
		return nil, fault.New(fault.InvalidField, "a position needs its notation").At("position.notation")
	}
	read, err := games.Parse(p.GetNotation())
	return read, fault.At(err, "position.notation")
}

func reversiLayout(p *reversi.Position) *rulesv1.ReversiPosition {
	return &rulesv1.ReversiPosition{Rows: p.Rows(), Corners: corners(p.Board())}
}

// written holds the corners of boards, of which there are few, as positions share them.
var written sync.Map // from *reversi.Board to []*rulesv1.Cell

func corners(b *reversi.Board) []*rulesv1.Cell {
	if found, ok := written.Load(b); ok {
		return found.([]*rulesv1.Cell)
	}
	var cells []*rulesv1.Cell
	for _, c := range b.Corners() {
		cells = append(cells, Cell(c))
	}
	written.Store(b, cells)
	return cells
}

func threeTriosLayout(p *threetrios.Position) *rulesv1.ThreeTriosPosition {
	layout := &rulesv1.ThreeTriosPosition{
		Rows:    int32(p.Rows()),
		Columns: int32(p.Columns()),
		Hands:   &rulesv1.ThreeTriosPosition_Hands{First: cards(p.Hand(rules.First)), Second: cards(p.Hand(rules.Second))},
	}
	for row := range p.Rows() {
		for column := range p.Columns() {
			layout.Cells = append(layout.Cells, gridCell(p.At(row, column)))
		}
	}
	return layout
}

func gridCell(s threetrios.GridCell) *rulesv1.GridCell {
	switch {
	case s.Hole:
		return &rulesv1.GridCell{Content: &rulesv1.GridCell_Hole{Hole: true}}
	case s.Owner == rules.NoSide:
		return &rulesv1.GridCell{Content: &rulesv1.GridCell_Empty{Empty: true}}
	}
	return &rulesv1.GridCell{Content: &rulesv1.GridCell_Card{Card: card(s.Card)}, Owner: Side(s.Owner)}
}

func cards(hand []threetrios.Card) []*rulesv1.Card {
	out := make([]*rulesv1.Card, len(hand))
	for i, c := range hand {
		out[i] = card(c)
	}
	return out
}

func card(c threetrios.Card) *rulesv1.Card {
	return &rulesv1.Card{
		Name:  c.Name,
		North: int32(c.Value(threetrios.North)),
		South: int32(c.Value(threetrios.South)),
		East:  int32(c.Value(threetrios.East)),
		West:  int32(c.Value(threetrios.West)),
	}
}
