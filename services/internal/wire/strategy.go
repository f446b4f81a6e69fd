package wire

import (
	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// deepestStrategy is how deep strategies nest: a strategy of which the innermost has no part is 1 deep.
const deepestStrategy = 8

// ValidateStrategy refuses a strategy that does not play a game, or that nests too deep. Both services need it: Strategy
// before it plays, Game, by way of ValidateRobot, before it seats a robot.
func ValidateStrategy(s *strategyv1.Strategy, kind rules.Kind) error {
	return validateStrategy(s, kind, 1)
}

// ValidateRobot refuses a strategy that ValidateStrategy does, or that could never answer for a robot in the game of a position,
// because its grid is too large.
func ValidateRobot(s *strategyv1.Strategy, p rules.Position) error {
	if err := ValidateStrategy(s, p.Kind()); err != nil {
		return err
	}
	grid, ok := p.(*threetrios.Position)
	if name := needsFewCells(s); ok && name != "" && grid.CardCells() > threetrios.MaxSmallestReplyCells {
		return fault.New(fault.InvalidField,
			"this strategy plays on at most %d card cells, not %d", threetrios.MaxSmallestReplyCells, grid.CardCells()).
			With("limit", threetrios.MaxSmallestReplyCells).With("cardCells", grid.CardCells()).At(name)
	}
	return nil
}

// needsFewCells returns the field that names a strategy of Three Trios which cannot play on large grids, "" for others.
func needsFewCells(s *strategyv1.Strategy) string {
	switch of := s.GetKind().(type) {
	case *strategyv1.Strategy_SmallestReply:
		return "smallestReply"
	case *strategyv1.Strategy_Level:
		if of.Level == strategyv1.Level_LEVEL_HARD {
			return "level"
		}
	}
	return ""
}

func validateStrategy(s *strategyv1.Strategy, kind rules.Kind, depth int) error {
	if depth > deepestStrategy {
		return fault.New(fault.InvalidField, "strategies nest at most %d deep", deepestStrategy).With("limit", deepestStrategy)
	}
	field := s.ProtoReflect().WhichOneof(s.ProtoReflect().Descriptor().Oneofs().ByName("kind"))
	if field == nil {
		return fault.New(fault.InvalidField, "a strategy is required")
	}
	name := field.JSONName()
	if played := gameOf(s); played != "" && played != kind {
		return fault.New(fault.InvalidField, "%s does not play %s", name, kind).With("game", kind).At(name)
	}
	switch of := s.GetKind().(type) {
	case *strategyv1.Strategy_Minimax:
		return fault.At(validateStrategy(of.Minimax.GetAssumed(), kind, depth+1), name+".assumed")
	case *strategyv1.Strategy_TryTwo:
		if err := validateStrategy(of.TryTwo.GetFirst(), kind, depth+1); err != nil {
			return fault.At(err, name+".first")
		}
		return fault.At(validateStrategy(of.TryTwo.GetSecond(), kind, depth+1), name+".second")
	}
	return nil
}

// gameOf returns the only game a strategy plays, "" where it plays every one.
func gameOf(s *strategyv1.Strategy) rules.Kind {
	switch s.GetKind().(type) {
	case *strategyv1.Strategy_Level, *strategyv1.Strategy_AlphaBeta, *strategyv1.Strategy_Engine:
		return ""
	case *strategyv1.Strategy_Corners, *strategyv1.Strategy_MostFlips,
		*strategyv1.Strategy_LeastExposed, *strategyv1.Strategy_SmallestReply:
		return rules.ThreeTrios
	}
	return rules.Reversi
}
