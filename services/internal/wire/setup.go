package wire

import (
	rulesv1 "github.com/flipside-games/flipside/gen/go/flipside/rules/v1"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

var passRules = NewEnum(map[reversi.PassRule]rulesv1.PassRule{
	reversi.Voluntary: rulesv1.PassRule_PASS_RULE_VOLUNTARY,
	reversi.Forced:    rulesv1.PassRule_PASS_RULE_FORCED,
})

var starts = NewEnum(map[reversi.Start]rulesv1.Start{
	reversi.Standard: rulesv1.Start_START_STANDARD,
	reversi.Mirrored: rulesv1.Start_START_MIRRORED,
})

var cardRules = NewEnum(map[threetrios.Rule]rulesv1.Rule{
	threetrios.Default:   rulesv1.Rule_RULE_DEFAULT,
	threetrios.Reverse:   rulesv1.Rule_RULE_REVERSE,
	threetrios.FallenAce: rulesv1.Rule_RULE_FALLEN_ACE,
	threetrios.Same:      rulesv1.Rule_RULE_SAME,
	threetrios.Plus:      rulesv1.Rule_RULE_PLUS,
})

// Enum maps a Go type to an enum of the wire and back. A value without a counterpart maps to the
// zero value.
type Enum[Go, Wire comparable] struct {
	ToWire   map[Go]Wire
	FromWire map[Wire]Go
}

// NewEnum returns the enum of a table without duplicate values.
func NewEnum[Go, Wire comparable](toWire map[Go]Wire) Enum[Go, Wire] {
	e := Enum[Go, Wire]{toWire, map[Wire]Go{}}
	for from, to := range toWire {
		e.FromWire[to] = from
	}
	return e
}

// Setup converts a setup to its message.
func Setup(s games.Setup) *rulesv1.Setup {
	switch {
	case s.Reversi != nil:
		return &rulesv1.Setup{Game: &rulesv1.Setup_Reversi{Reversi: reversiSetup(s.Reversi)}}
	case s.ThreeTrios != nil:
		return &rulesv1.Setup{Game: &rulesv1.Setup_ThreeTrios{ThreeTrios: threeTriosSetup(s.ThreeTrios)}}
	}
	return &rulesv1.Setup{}
}

// ReadSetup converts a validated message to a setup. Resolve checks its values.
func ReadSetup(s *rulesv1.Setup) games.Setup {
	switch game := s.GetGame().(type) {
	case *rulesv1.Setup_Reversi:
		return games.Setup{Reversi: readReversiSetup(game.Reversi)}
	case *rulesv1.Setup_ThreeTrios:
		return games.Setup{ThreeTrios: readThreeTriosSetup(game.ThreeTrios)}
	}
	return games.Setup{}
}

func reversiSetup(s *reversi.Setup) *rulesv1.ReversiSetup {
	out := &rulesv1.ReversiSetup{
		PassRule:        passRules.ToWire[s.PassRule],
		MinFlips:        int32(s.MinFlips),
		AutoPass:        s.AutoPass,
		EmptiesToWinner: s.EmptiesToWinner,
		StartFrom:       s.StartFrom,
	}
	switch s.Shape {
	case reversi.Hexagon:
		out.Board = &rulesv1.ReversiSetup_Hexagon{Hexagon: &rulesv1.HexagonBoard{Rings: int32(s.Size)}}
	case reversi.Square:
		square := &rulesv1.SquareBoard{Side: int32(s.Size), Start: starts.ToWire[s.Start]}
		out.Board = &rulesv1.ReversiSetup_Square{Square: square}
	}
	return out
}

func readReversiSetup(s *rulesv1.ReversiSetup) *reversi.Setup {
	out := &reversi.Setup{
		PassRule:        passRules.FromWire[s.GetPassRule()],
		MinFlips:        int(s.GetMinFlips()),
		AutoPass:        s.GetAutoPass(),
		EmptiesToWinner: s.EmptiesToWinner,
		StartFrom:       s.GetStartFrom(),
	}
	switch board := s.GetBoard().(type) {
	case *rulesv1.ReversiSetup_Hexagon:
		out.Shape, out.Size = reversi.Hexagon, int(board.Hexagon.GetRings())
	case *rulesv1.ReversiSetup_Square:
		out.Shape, out.Size = reversi.Square, int(board.Square.GetSide())
		out.Start = starts.FromWire[board.Square.GetStart()]
	}
	return out
}

func threeTriosSetup(s *threetrios.Setup) *rulesv1.ThreeTriosSetup {
	out := &rulesv1.ThreeTriosSetup{
		Grid:          s.Grid,
		Deck:          s.Deck,
		CountOwnCards: s.CountOwnCards,
		ShuffleSeed:   s.ShuffleSeed,
		StartFrom:     s.StartFrom,
	}
	for _, rule := range s.Rules {
		out.Rules = append(out.Rules, cardRules.ToWire[rule])
	}
	return out
}

func readThreeTriosSetup(s *rulesv1.ThreeTriosSetup) *threetrios.Setup {
	out := &threetrios.Setup{
		Grid:          s.GetGrid(),
		Deck:          s.GetDeck(),
		CountOwnCards: s.CountOwnCards,
		ShuffleSeed:   s.ShuffleSeed,
		StartFrom:     s.GetStartFrom(),
	}
	for _, rule := range s.GetRules() {
		out.Rules = append(out.Rules, cardRules.FromWire[rule])
	}
	return out
}
