// Package search finds the best moves of Reversi on any board: it is principal-variation search with iterative
// deepening over positions packed line by line into words, and solves a game exactly once the rest of it is within
// reach. It knows one position at a time and no opponent; the usual board of 8x8 has a faster search of its own in package
// othello.
package search

import (
	"iter"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Analyze yields what is known of a position each time a depth has been searched, at least once, and marks as exact
// what no deeper search can change. Scores are in discs for the side to move. The position must not be over.
//
// Passing is taken to be as if forced, and scores are those of forced play, with one exception: where passing is
// voluntary, the opponent has just passed, and the side to move leads, a pass wins on the spot and is the answer. A
// line goes on to the last placement; the passes that then end a voluntary game are left out.
func Analyze(meter *limits.Meter, p *reversi.Position, o limits.Options) iter.Seq[strategy.Analysis] {
	if analysis, wins := PassToWin(p); wins {
		return func(yield func(strategy.Analysis) bool) { yield(analysis) }
	}
	return newGame(p).analyze(meter.Within(o.Limits), o.WithDefaults())
}

// LogNodes returns the binary logarithm of the nodes that suffice for a table of a search of so many plies: 64 nodes
// for the position itself, and less than twice as many for each ply more.
func LogNodes(plies int) float64 { return float64(plies + 6) }

// PassToWin knows the one pass that is worth making with placements left.
func PassToWin(p *reversi.Position) (strategy.Analysis, bool) {
	score := p.FinalScore().Margin(p.Turn())
	if p.PassRule() != reversi.Voluntary || p.Passes() == 0 || score <= 0 {
		return strategy.Analysis{}, false
	}
	line := strategy.Line{Score: score, Moves: []rules.Move{rules.Pass}}
	return strategy.Analysis{Depth: 1, Exact: true, Confidence: 100, Lines: []strategy.Line{line}}, true
}

// game is a position with its tables, whatever the number of words they take.
type game interface {
	analyze(meter *limits.Meter, o limits.Options) iter.Seq[strategy.Analysis]
}

// newGame takes words for as many slots as the position needs.
func newGame(p *reversi.Position) game {
	g := newGeometry(p)
	starts, count := g.pack()
	switch {
	case count <= 2:
		return newSized[[2]uint64](p, g, starts)
	case count <= 3:
		return newSized[[3]uint64](p, g, starts)
	case count <= 4:
		return newSized[[4]uint64](p, g, starts)
	case count <= 8:
		return newSized[[8]uint64](p, g, starts)
	case count <= 16:
		return newSized[[16]uint64](p, g, starts)
	}
	return newSized[[32]uint64](p, g, starts)
}

// sized is a game in a number of words.
type sized[W words] struct {
	*layout[W]
	board board[W]
}

func newSized[W words](p *reversi.Position, g geometry, starts []int) sized[W] {
	l := newLayout[W](p, g, starts)
	return sized[W]{l, l.newBoard(p)}
}
