package main

import (
	"math"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// chosenBy is a strategy that takes a move by its value in the table.
type chosenBy struct {
	positions map[string]judged
	better    func(a, b float64) bool
}

func (c chosenBy) Keep(
	_ *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	values := c.positions[p.Notation()].values
	kept := candidates[:1]
	for _, candidate := range candidates {
		if c.better(values[p.MoveNotation(candidate.Move)], values[p.MoveNotation(kept[0].Move)]) {
			kept = []strategy.Candidate{candidate}
		}
	}
	return kept, nil
}

func TestTheRegretOfTheBestMoveIsZero(t *testing.T) {
	positions, err := readMidgame()
	if err != nil {
		t.Fatal(err)
	}
	byNotation, worst := map[string]judged{}, 0.0
	for _, p := range positions {
		byNotation[p.position.Notation()] = p
		least := p.best
		for _, value := range p.values {
			least = min(least, value)
		}
		worst += p.best - least
		if len(p.values) != len(strategy.Placements(p.position)) || least > p.best {
			t.Errorf("%s has the values %v", p.position.Notation(), p.values)
		}
	}
	best := chosenBy{byNotation, func(a, b float64) bool { return a > b }}
	got, err := regret(t.Context(), best, positions)
	if err != nil || got[0].sum != 0 || got[0].count != 515 {
		t.Errorf("the best moves: %+v, %v", got, err)
	}
	if sum := got[1].count + got[2].count + got[3].count; sum != 515 {
		t.Errorf("the phases have %d positions", sum)
	}
	got, err = regret(t.Context(), chosenBy{byNotation, func(a, b float64) bool { return a < b }}, positions)
	if err != nil || math.Abs(got[0].sum-worst) > 1e-6 {
		t.Errorf("the worst moves: %+v, %v; want a sum of %v", got, err, worst)
	}
	got, err = regret(t.Context(), heuristic.MaxCapture{}, positions)
	if mean := got[0].sum / 515; err != nil || mean < 5 {
		t.Errorf("a beginner has the regret %.2f, %v", mean, err)
	}
}
