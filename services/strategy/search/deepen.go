package search

import (
	"iter"
	"math"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/strategy"
)

// analyze searches to one depth after another, on as many goroutines as it may, and yields what the first of them
// finds. The others share its table and are there to fill it.
func (g sized[W]) analyze(e *effort, limits Limits) iter.Seq[strategy.Analysis] {
	left := time.Duration(0)
	if !e.deadline.IsZero() {
		left = max(1, e.deadline.Sub(e.start))
	}
	limits = limits.filled(int(g.board.empties), left)
	return func(yield func(strategy.Analysis) bool) {
		t := newTable(limits.Table)
		var helpers sync.WaitGroup
		defer func() {
			e.over.Store(true)
			helpers.Wait()
		}()
		for i := 1; i < limits.Threads; i++ {
			helpers.Go(func() {
				g.searcher(e, t, i).run(&g.board, limits, func(strategy.Analysis) bool { return true })
			})
		}
		g.searcher(e, t, 0).run(&g.board, limits, yield)
	}
}

func (g sized[W]) searcher(e *effort, t *table, ahead int) *searcher[W] {
	return &searcher[W]{layout: g.layout, clock: &clock{effort: e}, table: t, ahead: ahead}
}

// run searches depth after depth, the last of them to the end of the game if time allows.
func (s *searcher[W]) run(b *board[W], limits Limits, yield func(strategy.Analysis) bool) {
	roots := s.roots(b)
	expected := 0
	for depth := 1 + s.ahead; ; depth++ {
		to := depth
		if s.reachable(int(b.empties), depth, limits) {
			to = toEnd
			expected = inDiscs(expected, 0)
		}
		s.patient, s.estimated = depth == 1, false
		if !limits.FullWidth {
			s.cutTo = min(depth-sparedPlies, deepestCut)
		}
		if !s.aspire(roots, to, expected, limits.Lines) {
			return
		}
		expected = roots[0].value
		known := strategy.Analysis{Depth: depth, Exact: to == toEnd || !s.estimated, Lines: s.lines(roots, to, limits.Lines)}
		if to == toEnd {
			known.Depth = max(1, int(b.empties))
		}
		known.Confidence = s.confidence(known.Exact)
		known.Nodes, known.Time = s.report(), time.Since(s.start)
		if s.patient = false; !yield(known) || known.Exact || depth == limits.Depth {
			return
		}
		if s.poll(); s.stopped {
			return
		}
	}
}

// confidence is that of the branches that were cut. Once one was, what is in the table may rest on it, whatever the
// depth and the goroutine.
func (s *searcher[W]) confidence(exact bool) int {
	if exact || !s.cut.Load() {
		return 100
	}
	return cutConfidence
}

// reachable tells whether to search to the end of the game now: moves are known well enough for that half way, and
// what it is likely to take, given what the depths so far took, is still there to be spent.
func (s *searcher[W]) reachable(empties, depth int, limits Limits) bool {
	if limits.Depth > 0 && limits.Depth < empties {
		return false
	}
	if depth <= empties/2 {
		return false
	}
	likely := float64(s.nodes+minimalEffort) * math.Pow(growth, float64(empties-depth))
	return likely <= s.left(s.nodes)
}

// growth is by how much each empty cell between the depth searched so far and the end of the game multiplies the
// positions that are looked at: on hexagons of five rings and on 8x8 it was measured to be 1.5 to 1.9.
const (
	growth        = 1.7
	minimalEffort = 100
)
