package search

import (
	"iter"
	"math"
	"sync"
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// analyze searches to one depth after another, on as many goroutines as it may, and yields what the first of them
// finds. The others share its table and are there to fill it.
func (g sized[W]) analyze(meter *limits.Meter, o limits.Options) iter.Seq[strategy.Analysis] {
	useful := o.Limits
	useful.Time = meter.TimeLeft()
	o.Table = min(o.Table, useful.TableBytes(LogNodes(o.Plies(int(g.board.empties))), o.Threads))
	return func(yield func(strategy.Analysis) bool) {
		first := g.searcher(meter, o.Table)
		var helpers sync.WaitGroup
		defer func() {
			meter.Stop()
			helpers.Wait()
		}()
		for i := 1; i < o.Threads; i++ {
			helper := *first
			helper.ahead = i
			helpers.Go(func() { helper.run(&g.board, o, func(strategy.Analysis) bool { return true }) })
		}
		first.run(&g.board, o, yield)
	}
}

func (g sized[W]) searcher(meter *limits.Meter, table int) *searcher[W] {
	return &searcher[W]{
		layout: g.layout, table: newTable(table), selective: new(atomic.Bool),
		Counter: limits.Counter{Meter: meter, Interval: limits.Interval},
	}
}

// run searches depth after depth, the last of them to the end of the game if time allows.
func (s *searcher[W]) run(b *board[W], o limits.Options, yield func(strategy.Analysis) bool) {
	roots := s.roots(b)
	expected := 0
	for depth := 1 + s.ahead; ; depth++ {
		to := depth
		if s.reachable(int(b.empties), depth, o.Depth) {
			to = toEnd
			expected = inDiscs(expected, 0)
		}
		s.MustFinish, s.estimated = depth == 1, false
		if !o.FullWidth {
			s.cutTo = min(depth-sparedPlies, deepestCut)
		}
		if !s.aspire(roots, to, expected, o.Lines) {
			return
		}
		expected = roots[0].value
		known := strategy.Analysis{Depth: depth, Exact: to == toEnd || !s.estimated, Lines: s.lines(roots, to, o.Lines)}
		if to == toEnd {
			known.Depth = max(1, int(b.empties))
		}
		known.Confidence = s.confidence(known.Exact)
		s.Report()
		known.Nodes, known.Time = s.Spent()
		if s.MustFinish = false; !yield(known) || known.Exact || depth == o.Depth {
			return
		}
		if s.Check(); s.Stopped() {
			return
		}
	}
}

// confidence is that of the branches that were cut. Once one was, what is in the table may rest on it, whatever the
// depth and the goroutine.
func (s *searcher[W]) confidence(exact bool) int {
	if exact || !s.selective.Load() {
		return 100
	}
	return cutConfidence
}

// reachable tells whether to search to the end of the game now: moves are known well enough for that half way, and
// what it is likely to take, given what the depths so far took, is still there to be spent.
func (s *searcher[W]) reachable(empties, depth, limit int) bool {
	if limit > 0 && limit < empties {
		return false
	}
	if depth <= empties/2 {
		return false
	}
	likely := float64(s.Nodes+minimalEffort) * math.Pow(growth, float64(empties-depth))
	return likely <= s.Remaining()
}

// growth is by how much each empty cell between the depth searched so far and the end of the game multiplies the
// positions that are looked at: on hexagons of five rings and on 8x8 it was measured to be 1.5 to 1.9.
const (
	growth        = 1.7
	minimalEffort = 100
)
