package search

import (
	"iter"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Engine keeps its transposition table between the searches of a game, so that each profits from
// the earlier ones. One search may use an engine at a time. The zero value is ready for use.
type Engine struct {
	game  game
	table *table
}

// AnalyzePosition is [Analyze] with the table of the engine. The position must belong to the game
// of the last one: see [Continuation].
func (e *Engine) AnalyzePosition(
	meter *limits.Meter, p *reversi.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	if analysis, wins := PassToWin(p); wins {
		return func(yield func(strategy.Analysis) bool) { yield(analysis) }
	}
	e.game = newGame(p)
	return e.game.analyze(meter.Within(o.Limits), o.WithDefaults(), e.tableOf)
}

// tableOf returns the table for the next search. It is a new one if there is none, or none of at
// least about this size.
func (e *Engine) tableOf(bytes int) *table {
	if e.table == nil || !e.table.Suffices(bytes) {
		e.table = newTable(bytes)
	} else {
		e.table.NextAge()
	}
	return e.table
}

// Continuation returns a function that reports whether the table of an engine is of use for p: an
// earlier search of a game on the same cells and by the same rules has visited p or a position
// after a move.
func Continuation(p *reversi.Position) func(*Engine) bool {
	next := sync.OnceValue(func() game { return newGame(p) })
	return func(e *Engine) bool { return e.table != nil && next().continues(e.game, e.table) }
}

func (g sized[W]) continues(earlier game, t *table) bool {
	before, ok := earlier.(sized[W])
	if !ok || !before.sameAs(g.layout) {
		return false
	}
	w := g.newWorker(nil, t)
	w.generate(&g.board, 1, noMove)
	w.stack = append(w.stack, child[W]{board: g.board})
	for i := range w.stack {
		b := &w.stack[i].board
		for _, key := range []tableKey{{key: b.key()}, w.canonicalKey(b, symmetryDepth)} {
			if _, found := w.probe(key); found {
				return true
			}
		}
	}
	return false
}
