// Package alphabeta is a search for every game: iterative deepening alpha-beta on nothing but the difference in
// discs or cards. It is sound and the same every time rather than strong, and keeps no memory of positions.
package alphabeta

import (
	"iter"
	"math"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// DefaultDepth is how many plies a search looks ahead that has no limit of its own.
const DefaultDepth = 4

// Search looks MaxDepth plies ahead, or as far as MaxTime allows, whichever is less; the zero value of each is no
// limit, and of both DefaultDepth. It plays every game, and values a position at the difference that is on the
// board, but a finished game at its final score and beyond any that is not finished.
//
// A pass is a ply, and is considered only where nothing else is legal; where passing is voluntary, the
// search takes the game to end as it does where passing is forced. Depth 1 is always searched in full, and of a
// depth that time cuts short nothing is used. Of moves with the same value the first in reading order is best, so
// the same depth always gives the same move.
type Search struct {
	limits.Limits
}

var _ strategy.Analyzer = Search{}

// Keep keeps one move: the first of the best.
func (s Search) Keep(meter *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	var best strategy.Line
	for known := range s.deepen(meter, p, candidates, 1) {
		best = known.Best()
	}
	return []strategy.Candidate{{Move: best.Moves[0], Value: best.Score, Measure: strategy.Score}}, nil
}

// Analyze is that of strategy.Analyzer.
func (s Search) Analyze(meter *limits.Meter, p rules.Position, lines int) iter.Seq[strategy.Analysis] {
	moves := strategy.Placements(p)
	if len(moves) == 0 {
		moves = []strategy.Candidate{{Move: rules.Pass}}
	}
	return s.deepen(meter, p, moves, lines)
}

// deepen searches some of the moves, which are in reading order.
func (s Search) deepen(
	meter *limits.Meter, p rules.Position, moves []strategy.Candidate, lines int,
) iter.Seq[strategy.Analysis] {
	return func(yield func(strategy.Analysis) bool) {
		meter := meter.Within(s.Limits)
		t := newTree(meter, p, moves)
		for depth := 1; depth <= s.depth(); depth++ {
			found, finished := t.search(depth, max(lines, 1))
			if !finished {
				return
			}
			known := strategy.Analysis{Depth: depth, Exact: !t.estimated, Confidence: 100, Lines: found}
			known.Nodes, known.Time = meter.Spent()
			if !yield(known) || known.Exact || meter.TimeUp() {
				return
			}
		}
	}
}

// depth returns the last depth to search.
func (s Search) depth() int {
	switch {
	case s.Depth > 0:
		return s.Depth
	case s.Time > 0:
		return math.MaxInt
	}
	return DefaultDepth
}
