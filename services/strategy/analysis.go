package strategy

import (
	"context"
	"iter"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Analysis is what is known about a position. A strategy that does not search knows only what it has spent.
type Analysis struct {
	// Depth is how many plies the search looked ahead.
	Depth int
	// Exact tells that the scores are proved: everything was searched to the end of the game.
	Exact bool
	// Confidence is how sure the search was, in percent, of each branch that it left out on the word of a shallower
	// search: 100 if it left out none, as whenever Exact.
	Confidence int
	// Lines are the best lines, best first; equally good ones in the reading order of their first move. Where one was asked
	// for it may be any of those that are equally good.
	Lines []Line
	Nodes int64
	Time  time.Duration
	// Final tells that this is the last word.
	Final bool
}

// Line is a way the game may go on, and the difference in discs or cards that it leads to for the side to move.
type Line struct {
	Score int
	Moves []rules.Move
}

// Best returns the principal variation: the first line, and an empty one where nothing was searched.
func (a Analysis) Best() Line {
	if len(a.Lines) == 0 {
		return Line{}
	}
	return a.Lines[0]
}

// Analyzer is a strategy that searches deeper and deeper.
type Analyzer interface {
	Strategy
	// Analyze yields what is known at each depth, at least at the first, with as many of the best lines as asked for
	// and there are. It stops when the time is up, when there is no more to know, and when its reader breaks off. The
	// position is one of a game that the strategy plays and that is not over.
	Analyze(meter *limits.Meter, p rules.Position, lines int) iter.Seq[Analysis]
}

// Analyze yields one Analysis for every depth that a search finishes until ctx ends, each at once. When the search is
// over it yields the last once more: Final, and with all that was spent. The game being over is GAME_OVER.
func Analyze(ctx context.Context, a Analyzer, p rules.Position, lines int) (iter.Seq[Analysis], error) {
	if p.Turn() == rules.NoSide {
		return nil, over()
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

// searched makes a choice of a search. It does not know of other moves that are as good, so there is one candidate.
func searched(found iter.Seq[Analysis]) Choice {
	var last Analysis
	for last = range found {
	}
	best := last.Best()
	return Choice{
		Candidates: []Candidate{{Move: best.Moves[0], Value: best.Score, Measure: Score}},
		Analysis:   last,
	}
}
