package wire

import (
	"google.golang.org/protobuf/proto"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
)

// maxStrategyDepth limits nested strategies. A strategy without another one in it has depth 1.
const maxStrategyDepth = 8

// maxStrategyBytes limits the encoded size of a strategy, since games store and send it.
const maxStrategyBytes = 512

// ValidateStrategy rejects a strategy that does not play the game, that nests too deep or that is
// too large.
func ValidateStrategy(s *strategyv1.Strategy, kind rules.Kind) error {
	if size := proto.Size(s); size > maxStrategyBytes {
		return fault.Invalid("the strategy has %d bytes: at most %d are allowed",
			size, maxStrategyBytes).With("limit", maxStrategyBytes).With("bytes", size)
	}
	return validateStrategy(s, kind, 1)
}

// ValidateRobot rejects what [ValidateStrategy] rejects, and a strategy that cannot play on a grid
// as large as that of p.
func ValidateRobot(s *strategyv1.Strategy, p rules.Position) error {
	if err := ValidateStrategy(s, p.Kind()); err != nil {
		return err
	}
	grid, ok := p.(*threetrios.Position)
	const limit = threetrios.MaxSmallestReplyCells
	if s.GetSmallestReply() != nil && ok && grid.CardCells() > limit {
		return fault.Invalid("this strategy plays on at most %d card cells, not %d",
			limit, grid.CardCells()).With("limit", limit).With("cardCells", grid.CardCells()).
			At("smallestReply")
	}
	return nil
}

func validateStrategy(s *strategyv1.Strategy, kind rules.Kind, depth int) error {
	if depth > maxStrategyDepth {
		return fault.Invalid("strategies nest too deep: at most %d levels are allowed",
			maxStrategyDepth).With("limit", maxStrategyDepth)
	}
	field := s.ProtoReflect().WhichOneof(s.ProtoReflect().Descriptor().Oneofs().ByName("kind"))
	if field == nil {
		return fault.Invalid("a strategy is required")
	}
	name := field.JSONName()
	if played := gameOf(s); played != "" && played != kind {
		return fault.Invalid("%s does not play %s", name, kind.Name()).With("game", kind).At(name)
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

// gameOf returns the only game that a strategy plays, or "" if it plays all games.
func gameOf(s *strategyv1.Strategy) rules.Kind {
	switch s.GetKind().(type) {
	case *strategyv1.Strategy_Level, *strategyv1.Strategy_Skill, *strategyv1.Strategy_AlphaBeta,
		*strategyv1.Strategy_Engine:
		return ""
	case *strategyv1.Strategy_Corners, *strategyv1.Strategy_MostFlips,
		*strategyv1.Strategy_LeastExposed, *strategyv1.Strategy_SmallestReply:
		return rules.ThreeTrios
	}
	return rules.Reversi
}

// ReadChosen reads the move that a provider has chosen: the message, or the notation if there is no
// message.
func ReadChosen(p rules.Position, chosen *strategyv1.Candidate) (rules.Move, error) {
	notation := chosen.GetNotation()
	if chosen.GetMove() != nil {
		notation = ""
	}
	return ReadMove(p, chosen.GetMove(), notation)
}
