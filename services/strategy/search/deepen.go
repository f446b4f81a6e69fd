package search

import (
	"iter"
	"math"

	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// analyze runs one worker that yields and o.Threads-1 helpers that fill the shared table, which it
// gets from tableOf.
func (g sized[W]) analyze(
	meter *limits.Meter, o limits.Options, tableOf func(bytes int) *table,
) iter.Seq[strategy.Analysis] {
	useful := o.Limits
	useful.Time = meter.TimeLeft()
	o.Table = min(o.Table, useful.TableBytes(LogNodes(o.Plies(int(g.board.empties))), o.Threads))
	return func(yield func(strategy.Analysis) bool) {
		t := tableOf(o.Table)
		w := g.newWorker(meter, t)
		defer func() { t.visited = w.Nodes }() // after the helpers, which read it
		defer meter.StartHelpers(o.Threads, func(i int) {
			helper := g.newWorker(meter, t)
			helper.skippedDepths = i
			helper.deepen(&g.board, o, func(strategy.Analysis) bool { return true })
		})()
		w.deepen(&g.board, o, yield)
	}
}

func (g sized[W]) newWorker(meter *limits.Meter, t *table) *worker[W] {
	return &worker[W]{
		layout: g.layout, table: t, readings: newReadings[W](g.eval.instances),
		Counter: limits.Counter{Meter: meter, Interval: limits.Interval},
	}
}

// deepen searches depth after depth, and to the end of the game if time allows.
func (w *worker[W]) deepen(b *board[W], o limits.Options, yield func(strategy.Analysis) bool) {
	roots := w.roots(b)
	expected := 0
	for iteration := 1 + w.skippedDepths; ; iteration++ {
		depth := iteration
		if w.canSolve(int(b.empties), iteration, o.Depth) {
			depth = toEnd
			expected = inDiscs(expected, 0)
		}
		w.MustFinish, w.estimated = iteration == 1, false
		if !o.FullWidth {
			w.probCutDepth = min(iteration-fullWidthPlies, maxProbCutDepth)
		}
		if !w.searchAspiration(roots, depth, expected, o.Lines) {
			return
		}
		expected = roots[0].value
		analysis := strategy.Analysis{
			Depth: iteration, Exact: depth == toEnd || !w.estimated,
			Lines: w.lines(roots, depth, o.Lines),
		}
		if depth == toEnd {
			analysis.Depth = max(1, int(b.empties))
		}
		analysis.Confidence = w.confidence(analysis.Exact)
		w.Report()
		analysis.Nodes, analysis.Time = w.Spent()
		w.MustFinish = false
		if !yield(analysis) || analysis.Exact || iteration == o.Depth {
			return
		}
		if w.Check(); w.Stopped() {
			return
		}
	}
}

// confidence returns the confidence of an analysis. After the first selective cut of any thread,
// every value can depend on it through the table.
func (w *worker[W]) confidence(exact bool) int {
	if exact || !w.table.selective.Load() {
		return 100
	}
	return cutConfidence
}

// canSolve reports whether the next iteration should search to the end of the game. It waits until
// half of the depth is searched, since then the table orders the moves well, and until the limits
// allow the estimated number of nodes. The nodes of the search before count, because their entries
// make the first iterations of this one short, but not the last.
func (w *worker[W]) canSolve(empties, depth, maxDepth int) bool {
	if maxDepth > 0 && maxDepth < empties {
		return false
	}
	if depth <= empties/2 {
		return false
	}
	nodes := w.Nodes + w.table.visited + minimalNodes
	estimate := float64(nodes) * math.Pow(growth, float64(empties-depth))
	return estimate <= w.Remaining()
}

// growth is the factor of nodes for each empty cell between the searched depth and the end of the
// game, measured as 1.5 to 1.9 on hexagons of five rings and on 8x8.
const (
	growth       = 1.7
	minimalNodes = 100
)
