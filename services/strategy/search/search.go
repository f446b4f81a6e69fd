// Package search searches Reversi on any board. It is a principal variation search with iterative
// deepening over positions that are packed into words line by line, and it solves a game exactly
// when the end is within reach. Package othello has a faster search for the usual board of 8x8.
package search

import (
	"iter"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Analyze yields the best lines after each iteration, at least once, until a limit is reached, the
// scores are exact or the caller breaks off. The depth counts placements; a pass is no ply. Scores
// are in discs for the side to move. The game must not be over. With one thread and no limits but
// depth and nodes, the answer is deterministic.
//
// The search plays as if passing were forced, with one exception, [PassToWin]. A line ends at the
// last placement; it leaves out the passes that end a voluntary game.
func Analyze(
	meter *limits.Meter, p *reversi.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	return new(Engine).AnalyzePosition(meter, p, o)
}

// LogNodes estimates the binary logarithm of the number of nodes of a search: 64 nodes at the root
// and at most twice as many for each ply.
func LogNodes(plies int) float64 { return float64(plies + 6) }

// PassToWin returns the analysis of a pass if that wins at once: passing is voluntary, the opponent
// has just passed and the side to move leads. It is the only voluntary pass that a search plays.
func PassToWin(p *reversi.Position) (analysis strategy.Analysis, wins bool) {
	score := p.FinalScore().Margin(p.Turn())
	if p.PassRule() != reversi.Voluntary || p.Passes() == 0 || score <= 0 {
		return strategy.Analysis{}, false
	}
	line := strategy.Line{Score: score, Moves: []rules.Move{rules.Pass}}
	return strategy.Analysis{
		Depth: 1, Exact: true, Confidence: 100, Lines: []strategy.Line{line},
	}, true
}

// game is a position with its layout, for any number of words.
type game interface {
	analyze(
		meter *limits.Meter, o limits.Options, tableOf func(bytes int) *table,
	) iter.Seq[strategy.Analysis]
	// continues reports whether a table from searches of an earlier game has the position or one
	// after a move.
	continues(earlier game, t *table) bool
}

// newGame returns a game with the embedded weights of the best model.
func newGame(p *reversi.Position) game {
	g := newGeometry(p)
	return newGameWith(bestWeights(p.Board(), len(g.cells)), p, g)
}

// newGameWith returns a game with these weights and as many words as the position needs.
func newGameWith(w *Weights, p *reversi.Position, g geometry) game {
	starts, count := g.pack()
	switch {
	case count <= 2:
		return newSized[[2]uint64](w, p, g, starts)
	case count <= 3:
		return newSized[[3]uint64](w, p, g, starts)
	case count <= 4:
		return newSized[[4]uint64](w, p, g, starts)
	case count <= 8:
		return newSized[[8]uint64](w, p, g, starts)
	case count <= 16:
		return newSized[[16]uint64](w, p, g, starts)
	}
	return newSized[[32]uint64](w, p, g, starts)
}

// sized is a game with a fixed number of words.
type sized[W words] struct {
	*layout[W]
	board board[W]
}

func newSized[W words](w *Weights, p *reversi.Position, g geometry, starts []int) sized[W] {
	l := newLayout[W](p, g, starts)
	l.eval = newEvaluation(l, w)
	return sized[W]{l, l.newBoard(p)}
}
