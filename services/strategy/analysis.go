package strategy

import (
	"context"
	"iter"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Analysis is the result of a search so far. A strategy that does not search fills only Nodes, Time
// and Final.
type Analysis struct {
	// Depth is the number of plies of the last iteration that the search finished.
	Depth int
	// Exact reports whether the scores are proved: the search has reached the end of the game.
	Exact bool
	// Confidence is the probability, in percent, that a selective cut was right. It is 100 if the
	// search made no selective cut, and always if Exact.
	Confidence int
	// Lines are the best lines, the best one first, and lines of the same score in the reading
	// order of their first move. If only one is requested, it is any of the lines with the best
	// score.
	Lines []Line
	// Nodes is the number of nodes visited.
	Nodes int64
	// Time is the time taken.
	Time time.Duration
	// Final marks the last analysis of a search.
	Final bool
}

// Line is a principal variation and its score: the difference in discs or cards at its end, for the
// side to move at its start.
type Line struct {
	Score int
	Moves []rules.Move
}

// Best returns the first line, or an empty one if the strategy does not search.
func (a Analysis) Best() Line {
	if len(a.Lines) == 0 {
		return Line{}
	}
	return a.Lines[0]
}

// Analyzer is a strategy that searches by iterative deepening.
type Analyzer interface {
	Strategy
	// Analyze yields an analysis after each iteration, at least one, with up to the requested
	// number of lines. It ends when a limit is reached, when the scores are exact or when the
	// caller breaks off. The strategy plays the game of p, which is not over.
	Analyze(meter *limits.Meter, p rules.Position, lines int) iter.Seq[Analysis]
}

// Analyze yields each analysis of a search until ctx ends. At the end it yields the last analysis
// once more, marked as Final and with all nodes and all time. The error is GAME_OVER if the game is
// over.
func Analyze(
	ctx context.Context, a Analyzer, p rules.Position, lines int,
) (iter.Seq[Analysis], error) {
	if p.Turn() == rules.NoSide {
		return nil, gameOver()
	}
	return func(yield func(Analysis) bool) {
		meter := limits.NewMeter(ctx)
		var last Analysis
		for last = range a.Analyze(meter, p, lines) {
			if !yield(last) {
				return
			}
		}
		last.Final = true
		last.Nodes, last.Time = meter.Spent()
		yield(last)
	}, nil
}
