// Package strategy is how moves are chosen: what a strategy is, what it is asked and what it answers. The
// strategies themselves are in the packages below this one, and package catalogue is the table of them. Nothing here
// knows a game in progress, a seat, a player or the wire.
package strategy

import (
	"context"
	"hash/fnv"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/fault"
	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Strategy narrows moves down to those it holds best. It is an immutable value that many goroutines may use.
type Strategy interface {
	// Keep returns those of the candidates that the strategy holds equally good, in the order given and with what it
	// measured; none if it is in favour of none. The position is one of a game the strategy plays; the candidates are
	// legal there, in reading order, and none of them is a pass. Nothing that is handed in is changed. Errors are
	// *fault.Error.
	Keep(meter *limits.Meter, p rules.Position, candidates []Candidate) ([]Candidate, error)
}

// Candidate is a move and what speaks for it.
type Candidate struct {
	Move rules.Move
	// Value is what the last strategy that measured anything found, in the unit of Measure.
	Value   int
	Measure Measure
}

// Measure is what a strategy compares moves by.
type Measure uint8

// The measures. More is better of Flips, Score and Strength, fewer of Exposure and Replies.
const (
	NoMeasure Measure = iota
	Flips
	Exposure
	Replies
	Score
	Strength
)

// Choice is the answer to the question for a move.
type Choice struct {
	// Chosen is one of Candidates, which are equally good and in reading order.
	Chosen     Candidate
	Candidates []Candidate
	Analysis   Analysis
}

// Choose asks a strategy for a move. Where pass is the only legal move the answer is pass, and nowhere else; where
// the strategy is in favour of nothing all other legal moves are equally good. The first candidate is chosen if the
// seed is 0; otherwise one of them at random, always the same for the same seed and position. The game being over is
// GAME_OVER. A search makes do with the time there is until ctx ends; for another strategy too little time
// is BUDGET_EXCEEDED.
func Choose(ctx context.Context, s Strategy, p rules.Position, seed int64) (Choice, error) {
	if p.Turn() == rules.NoSide {
		return Choice{}, over()
	}
	meter := limits.NewMeter(ctx)
	var choice Choice
	var err error
	switch analyzer, searches := s.(Analyzer); {
	case rules.MustPass(p):
		choice.Candidates = []Candidate{{Move: rules.Pass}}
	case searches:
		choice = searched(analyzer.Analyze(meter, p, 1))
	default:
		choice.Candidates, err = keepSome(meter, s, p)
	}
	if err != nil {
		return Choice{}, err
	}
	choice.Analysis.Nodes, choice.Analysis.Time = meter.Spent()
	choice.Analysis.Final = true
	choice.Chosen = pick(choice.Candidates, p, seed)
	return choice, nil
}

func over() error { return fault.New(fault.GameOver, "the game is over") }

func keepSome(meter *limits.Meter, s Strategy, p rules.Position) ([]Candidate, error) {
	all := Placements(p)
	kept, err := s.Keep(meter, p, all)
	if len(kept) == 0 {
		kept = all
	}
	return kept, err
}

// pick draws from the generator PCG, seeded with the seed and the FNV-1a hash of the position's notation, so that a
// robot with one seed does not choose the same place of the list all through a game.
func pick(candidates []Candidate, p rules.Position, seed int64) Candidate {
	if seed == 0 {
		return candidates[0]
	}
	hash := fnv.New64a()
	hash.Write([]byte(p.Notation()))
	random := rand.New(rand.NewPCG(uint64(seed), hash.Sum64()))
	return candidates[random.IntN(len(candidates))]
}

// Placements returns the legal moves but the pass, in reading order, as candidates that nobody has measured. The
// caller owns the slice.
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

// Highest keeps the candidates of the highest value by a measure.
func Highest(candidates []Candidate, by Measure, value func(rules.Move) (int, error)) ([]Candidate, error) {
	return best(candidates, by, value, func(a, b int) bool { return a > b })
}

// Lowest keeps the candidates of the lowest value by a measure.
func Lowest(candidates []Candidate, by Measure, value func(rules.Move) (int, error)) ([]Candidate, error) {
	return best(candidates, by, value, func(a, b int) bool { return a < b })
}

func best(
	candidates []Candidate, by Measure, value func(rules.Move) (int, error), better func(a, b int) bool,
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

// Only keeps the candidates whose move fits, measured as they were.
func Only(candidates []Candidate, fits func(rules.Move) bool) []Candidate {
	var kept []Candidate
	for _, c := range candidates {
		if fits(c.Move) {
			kept = append(kept, c)
		}
	}
	return kept
}

// Unfinished returns the BUDGET_EXCEEDED error of a strategy that has no answer before it has compared all moves.
func Unfinished() error {
	return fault.New(fault.BudgetExceeded, "the time was up before the strategy had compared all moves")
}
