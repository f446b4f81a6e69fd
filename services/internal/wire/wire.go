// Package wire converts between the rules in Go and their protobuf messages, flipside.rules.v1. The
// functions named Read convert requests: they return a *fault.Error that names the invalid field.
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

// Side converts a side to its enum value. Sides and causes have the same numbers in both.
func Side(s rules.Side) rulesv1.Side { return rulesv1.Side(s) }

// ReadSide converts a validated enum value to its side. SIDE_UNSPECIFIED is rules.NoSide.
func ReadSide(s rulesv1.Side) rules.Side { return rules.Side(s) }

var kinds = NewEnum(map[rules.Kind]rulesv1.GameKind{
	rules.Reversi:    rulesv1.GameKind_GAME_KIND_REVERSI,
	rules.ThreeTrios: rulesv1.GameKind_GAME_KIND_THREE_TRIOS,
})

// Kind converts the name of a game to its enum value.
func Kind(k rules.Kind) rulesv1.GameKind { return kinds.ToWire[k] }

// ReadKind converts an enum value to the name of its game, "" for GAME_KIND_UNSPECIFIED.
func ReadKind(k rulesv1.GameKind) rules.Kind { return kinds.FromWire[k] }

// Score converts a score to its message.
func Score(s rules.Score) *rulesv1.Score {
	return &rulesv1.Score{First: int32(s.First), Second: int32(s.Second)}
}

// Position converts a position to its message. Messages share parts, so that the caller must not
// change them.
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

// ReadPosition parses the notation of a position. It ignores the layout.
func ReadPosition(p *rulesv1.Position) (rules.Position, error) {
	if p.GetNotation() == "" {
		return nil, fault.Invalid("a value is required").At("position.notation")
	}
	read, err := games.Parse(p.GetNotation())
	return read, fault.At(err, "position.notation")
}

func reversiLayout(p *reversi.Position) *rulesv1.ReversiPosition {
	return &rulesv1.ReversiPosition{Rows: p.Rows(), Corners: corners(p.Board())}
}

// cornerCells caches the corners of each board for all positions: *reversi.Board to
// []*rulesv1.Cell. There is one board for each shape and size.
var cornerCells sync.Map

func corners(b *reversi.Board) []*rulesv1.Cell {
	if cached, ok := cornerCells.Load(b); ok {
		return cached.([]*rulesv1.Cell)
	}
	var cells []*rulesv1.Cell
	for _, c := range b.Corners() {
		cells = append(cells, Cell(c))
	}
	cornerCells.Store(b, cells)
	return cells
}

func threeTriosLayout(p *threetrios.Position) *rulesv1.ThreeTriosPosition {
	layout := &rulesv1.ThreeTriosPosition{
		Rows:    int32(p.Rows()),
		Columns: int32(p.Columns()),
		Hands: &rulesv1.ThreeTriosPosition_Hands{
			First: cards(p.Hand(rules.First)), Second: cards(p.Hand(rules.Second)),
		},
	}
	for row := range p.Rows() {
		for column := range p.Columns() {
			layout.Cells = append(layout.Cells, gridCell(p.At(row, column)))
		}
	}
	return layout
}

// The cells without a card, which all messages share.
var (
	hole      = &rulesv1.GridCell{Content: &rulesv1.GridCell_Hole{Hole: true}}
	emptyCell = &rulesv1.GridCell{Content: &rulesv1.GridCell_Empty{Empty: true}}
)

func gridCell(s threetrios.GridCell) *rulesv1.GridCell {
	switch {
	case s.Hole:
		return hole
	case s.Owner == rules.NoSide:
		return emptyCell
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
