// Package engine is the strongest strategy there is for every game and board: it hands a position to the search that
// knows its board best, and keeps the searches of a process within a budget. The searches themselves are packages
// othello, search and triosearch.
package engine

import (
	"context"
	"iter"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/search"
	"github.com/flipside-games/flipside/services/strategy/triosearch"
)

// Search looks for the best move within its limits, of which the first that is reached counts; the zero value of each
// is no limit. The end of the call always counts, and a legal move always comes back.
//
// With one thread, limits of depth and nodes and no other give the same answer on every run, however many searches there
// are at once: each has a table of its own, the size of which depends on those limits. In Reversi a pass is taken as in
// forced play, but for the one that wins on the spot.
type Search struct {
	// MaxTime counts from when the Budget has room for the search.
	MaxTime  time.Duration
	MaxDepth int
	MaxNodes int64
	// Threads is how many goroutines search; 0 is one, and more than there are processors are as many as those.
	Threads int
	// Budget bounds what the searches of a process use together; nil is no bound.
	Budget *Budget
}

var _ strategy.Analyzer = Search{}

// Prepare unpacks what the first search would otherwise have to wait for.
func Prepare() { othello.New(othello.Options{TableBytes: 1}) }

// Analyze is that of strategy.Analyzer.
func (s Search) Analyze(w *strategy.Work, p rules.Position, lines int) iter.Seq[strategy.Analysis] {
	s.Threads = min(max(s.Threads, 1), runtime.GOMAXPROCS(0))
	return func(yield func(strategy.Analysis) bool) {
		table, giveBack := s.Budget.take(w.Context(), s.table(p), !s.repeats(), s.pressed(w.Context()))
		defer giveBack()
		if s.MaxTime > 0 {
			defer w.Limit(s.MaxTime)()
		}
		for known := range s.analyze(w, p, max(lines, 1), table) {
			if !yield(known) {
				return
			}
		}
	}
}

// analyze hands the position to the search that knows its board best.
func (s Search) analyze(w *strategy.Work, p rules.Position, lines, table int) iter.Seq[strategy.Analysis] {
	switch p := p.(type) {
	case *threetrios.Position:
		cards := s.cards()
		cards.Table = table
		return cards.Analyze(w, p, lines)
	case *reversi.Position:
		if isOthello(p) {
			return s.othello(w, p, othello.Limits{
				Depth: s.MaxDepth, Nodes: s.MaxNodes, Threads: s.Threads, Lines: lines,
			}, table)
		}
		return counted(w, search.Analyze(w.Context(), p, search.Limits{
			Depth: s.MaxDepth, Nodes: s.MaxNodes, Threads: s.Threads, Lines: lines, Table: table,
		}))
	}
	panic("engine: a position of no game it knows: " + p.Kind())
}

func (s Search) cards() triosearch.Search {
	return triosearch.Search{MaxDepth: s.MaxDepth, MaxNodes: s.MaxNodes, Threads: s.Threads}
}

// Keep keeps one of the candidates: the best.
func (s Search) Keep(w *strategy.Work, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	lines := 1
	if all := len(strategy.Placements(p)); len(candidates) < all {
		lines = all // the best candidate need not be the best move
	}
	var last strategy.Analysis
	for last = range s.Analyze(w, p, lines) {
	}
	for _, line := range last.Lines {
		if slices.ContainsFunc(candidates, func(c strategy.Candidate) bool { return c.Move == line.Moves[0] }) {
			return []strategy.Candidate{{Move: line.Moves[0], Value: line.Score, Measure: strategy.Score}}, nil
		}
	}
	return candidates[:1], nil
}

// The bounds on the memory of one search, in bytes, and about how many positions one thread visits in a second.
const (
	smallestTable      = 1 << 20
	largestTable       = 128 << 20
	positionsPerSecond = 3 << 20
	bytesPerPosition   = 16
	// bytesPerPly suffice for a search of one ply of Reversi; each ply more takes less than twice as many positions.
	bytesPerPly = 1 << 10
)

// table returns how much memory a search can make use of: to clear more than that takes longer than a short search.
// It depends on the limits and the position alone, since the size of the table has a say in the answer.
func (s Search) table(p rules.Position) int {
	useful := float64(largestTable)
	if s.MaxTime > 0 {
		useful = min(useful, s.MaxTime.Seconds()*positionsPerSecond*float64(max(1, s.Threads))*bytesPerPosition)
	}
	if s.MaxNodes > 0 {
		useful = min(useful, float64(s.MaxNodes)*bytesPerPosition)
	}
	switch p := p.(type) {
	case *threetrios.Position:
		useful = min(useful, float64(s.cards().Useful(p)))
	case *reversi.Position:
		plies := len(p.Board().Cells()) - p.Score().First - p.Score().Second
		if s.MaxDepth > 0 {
			plies = min(plies, s.MaxDepth)
		}
		useful = min(useful, math.Ldexp(bytesPerPly, plies))
	}
	return int(max(useful, smallestTable))
}

// soon is when a search must be over to be pressed for time.
const soon = time.Minute

// pressed reports whether the search must be over soon, by its own limit or by that of the call.
func (s Search) pressed(ctx context.Context) bool {
	end, ends := ctx.Deadline()
	return s.MaxTime > 0 && s.MaxTime <= soon || ends && time.Until(end) <= soon
}

// repeats reports whether the limits promise the same answer on every run.
func (s Search) repeats() bool { return s.MaxTime == 0 && (s.MaxDepth > 0 || s.MaxNodes > 0) }

// counted tells the work how many positions a search has visited that does not do so itself.
func counted(w *strategy.Work, found iter.Seq[strategy.Analysis]) iter.Seq[strategy.Analysis] {
	return func(yield func(strategy.Analysis) bool) {
		before := int64(0)
		for known := range found {
			w.Count(known.Nodes - before)
			before = known.Nodes
			if !yield(known) {
				return
			}
		}
	}
}
