// Package strategy defines how a move is chosen: the interface of a strategy, the candidates it
// compares and the answer it gives. The packages below it hold the strategies; package catalogue
// lists them. It knows no games in progress, seats, players or wire formats.
package strategy

import (
	"context"
	"hash/fnv"
	"iter"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Strategy narrows a list of moves down to the best ones. It is an immutable value; many goroutines
// may use it.
type Strategy interface {
	// Keep returns the candidates that the strategy holds equally good, in the order given, each
	// with the value it measured. It returns none if it prefers none of them.
	//
	// The strategy plays the game of p. The candidates are legal in p, in reading order and without
	// a pass. Keep changes neither p nor the candidates. It counts the nodes it visits on meter,
	// which also bounds its time. Errors are *fault.Error.
	Keep(meter *limits.Meter, p rules.Position, candidates []Candidate) ([]Candidate, error)
}

// Seeded is a strategy whose choice depends on a seed.
type Seeded interface {
	Strategy
	// WithSeed returns the strategy with another seed.
	WithSeed(seed int64) Strategy
}

// Candidate is a move with the value that a strategy measured for it.
type Candidate struct {
	Move rules.Move
	// Value is the result of the last strategy that measured anything, in the unit of Measure.
	Value   int
	Measure Measure
}

// Measure is the unit of a candidate's value.
type Measure uint8

// The measures. A higher value is better for Flips, Score and Strength, a lower one for Exposure
// and Replies.
const (
	// NoMeasure marks a candidate without a value.
	NoMeasure Measure = iota
	// Flips counts the discs or cards that the move flips.
	Flips
	// Exposure counts the opponent's cards that could beat the played card.
	Exposure
	// Replies counts the opponent's equally good replies, or in Three Trios the flips of the reply.
	Replies
	// Score is the difference in discs or cards that a search expects for the side to move.
	Score
	// Strength is the sum of the card's values on its open sides.
	Strength
)

// Choice is the answer of a strategy.
type Choice struct {
	// Chosen is one of Candidates, which are equally good and in reading order.
	Chosen     Candidate
	Candidates []Candidate
	Analysis   Analysis
}

// Choose returns the move of a strategy in a position of a game that it plays.
//
// It returns a pass only where a pass is the only legal move. If the strategy prefers no move, all
// legal moves but the pass are candidates. Choose takes the first candidate if seed is 0, else a
// random one, always the same for the same seed and position. A [Seeded] strategy gets the seed.
//
// The error is GAME_OVER if the game is over. When ctx ends, a search answers with the best move so
// far; another strategy that needs more time fails with BUDGET_EXCEEDED.
func Choose(ctx context.Context, s Strategy, p rules.Position, seed int64) (Choice, error) {
	return ChooseAndReport(ctx, s, p, seed, func(Analysis) {})
}

// ChooseAndReport is [Choose]. It calls report with the analysis of each iteration of a search.
func ChooseAndReport(
	ctx context.Context, s Strategy, p rules.Position, seed int64, report func(Analysis),
) (Choice, error) {
	if p.Turn() == rules.NoSide {
		return Choice{}, gameOver()
	}
	if seeded, ok := s.(Seeded); ok {
		s = seeded.WithSeed(seed)
	}
	meter := limits.NewMeter(ctx)
	var choice Choice
	var err error
	switch analyzer, searches := s.(Analyzer); {
	case rules.MustPass(p):
		choice.Candidates = []Candidate{{Move: rules.Pass}}
	case searches:
		choice = deepestChoice(analyzer.Analyze(meter, p, 1), report)
	default:
		choice.Candidates, err = keepOrAll(meter, s, p)
	}
	if err != nil {
		return Choice{}, err
	}
	choice.Analysis.Nodes, choice.Analysis.Time = meter.Spent()
	choice.Analysis.Final = true
	choice.Chosen = pick(choice.Candidates, p, seed)
	return choice, nil
}

func gameOver() error { return fault.New(fault.GameOver, "the game is over") }

// deepestChoice returns the best move of the last analysis. A search reports one best move, so the
// choice has one candidate.
func deepestChoice(analyses iter.Seq[Analysis], report func(Analysis)) Choice {
	var last Analysis
	for last = range analyses {
		report(last)
	}
	best := last.Best()
	return Choice{
		Candidates: []Candidate{{Move: best.Moves[0], Value: best.Score, Measure: Score}},
		Analysis:   last,
	}
}

func keepOrAll(meter *limits.Meter, s Strategy, p rules.Position) ([]Candidate, error) {
	all := Placements(p)
	kept, err := s.Keep(meter, p, all)
	if len(kept) == 0 {
		kept = all
	}
	return kept, err
}

// pick returns a random candidate. It seeds a PCG generator with the seed and the FNV-1a hash of
// the notation of p, so that the same seed picks different indices in the course of a game.
func pick(candidates []Candidate, p rules.Position, seed int64) Candidate {
	if seed == 0 {
		return candidates[0]
	}
	hash := fnv.New64a()
	hash.Write([]byte(p.Notation()))
	random := rand.New(rand.NewPCG(uint64(seed), hash.Sum64()))
	return candidates[random.IntN(len(candidates))]
}

// Placements returns the legal moves except the pass, in reading order, as candidates without a
// value. The caller owns the slice.
func Placements(p rules.Position) []Candidate {
	legal := p.Legal()
	candidates := make([]Candidate, 0, len(legal))
	for _, m := range legal {
		if m != rules.Pass {
			candidates = append(candidates, Candidate{Move: m})
		}
	}
	return candidates
}

// Highest returns the candidates whose move has the highest value, with that value and measure. It
// returns the first error of value.
func Highest(
	candidates []Candidate, by Measure, value func(rules.Move) (int, error),
) ([]Candidate, error) {
	return best(candidates, by, value, func(a, b int) bool { return a > b })
}

// Lowest returns the candidates whose move has the lowest value, as [Highest] does for the highest.
func Lowest(
	candidates []Candidate, by Measure, value func(rules.Move) (int, error),
) ([]Candidate, error) {
	return best(candidates, by, value, func(a, b int) bool { return a < b })
}

func best(
	candidates []Candidate, by Measure, value func(rules.Move) (int, error),
	better func(a, b int) bool,
) ([]Candidate, error) {
	var kept []Candidate
	for _, c := range candidates {
		v, err := value(c.Move)
		if err != nil {
			return nil, err
		}
		if len(kept) > 0 && better(v, kept[0].Value) {
			kept = kept[:0]
		}
		if len(kept) == 0 || v == kept[0].Value {
			kept = append(kept, Candidate{c.Move, v, by})
		}
	}
	return kept, nil
}

// Only returns the candidates whose move satisfies accept, with their values unchanged.
func Only(candidates []Candidate, accept func(rules.Move) bool) []Candidate {
	var kept []Candidate
	for _, c := range candidates {
		if accept(c.Move) {
			kept = append(kept, c)
		}
	}
	return kept
}

// Unfinished returns the BUDGET_EXCEEDED error of a strategy that ran out of time before it had
// compared all moves.
func Unfinished() error {
	return fault.New(fault.BudgetExceeded,
		"the time ran out before the strategy had compared all moves: allow more time")
}
