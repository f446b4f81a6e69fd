// Package alphabeta searches any game with iterative deepening alpha-beta on the difference in
// discs or cards. It aims at simple and deterministic play, not at strength: it has no
// transposition table and one thread.
package alphabeta

import (
	"iter"
	"math"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// DefaultDepth is the depth in plies of a search without limits.
const DefaultDepth = 4

// Search is an alpha-beta search within limits. Without any limit it searches to [DefaultDepth].
//
// It evaluates a position as the difference in discs or cards on the board. The value of a finished
// game is its final score, beyond the value of any unfinished one. A pass is a ply, and legal in
// the search only if there is no other move: even where passing is voluntary, the search plays as
// if it were forced.
//
// Iteration 1 always finishes, and an iteration that a limit interrupts has no effect. Of moves
// with the same value the first one in reading order is best, so the same depth always gives the
// same move.
type Search struct {
	limits.Limits
}

var _ strategy.Analyzer = Search{}

// Keep implements [strategy.Strategy]. It keeps the best candidate.
func (s Search) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	var best strategy.Line
	for analysis := range s.deepen(meter, p, candidates, 1) {
		best = analysis.Best()
	}
	return []strategy.Candidate{{Move: best.Moves[0], Value: best.Score, Measure: strategy.Score}}, nil
}

// Analyze implements [strategy.Analyzer].
func (s Search) Analyze(
	meter *limits.Meter, p rules.Position, lines int,
) iter.Seq[strategy.Analysis] {
	moves := strategy.Placements(p)
	if len(moves) == 0 {
		moves = []strategy.Candidate{{Move: rules.Pass}}
	}
	return s.deepen(meter, p, moves, max(lines, 1))
}

// deepen searches the given moves, which are in reading order, to depth after depth.
func (s Search) deepen(
	meter *limits.Meter, p rules.Position, moves []strategy.Candidate, lines int,
) iter.Seq[strategy.Analysis] {
	return func(yield func(strategy.Analysis) bool) {
		w := newWorker(meter.Within(s.Limits), p, moves)
		for depth := 1; depth <= s.maxDepth(); depth++ {
			best, finished := w.searchRoots(depth, lines)
			if !finished {
				return
			}
			analysis := strategy.Analysis{
				Depth: depth, Exact: !w.estimated, Confidence: 100, Lines: best,
			}
			w.Check()
			analysis.Nodes, analysis.Time = w.Spent()
			if !yield(analysis) || analysis.Exact || w.Stopped() {
				return
			}
		}
	}
}

// maxDepth returns the depth of the last iteration.
func (s Search) maxDepth() int {
	if s.Limits == (limits.Limits{}) {
		return DefaultDepth
	}
	return s.Plies(math.MaxInt)
}
