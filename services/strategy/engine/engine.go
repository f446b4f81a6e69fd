// Package engine is the strongest strategy there is for every game and board: it hands a position to the search that
// knows its board best, and keeps the searches of a process within a budget. The searches themselves are packages
// othello, search and triosearch.
package engine

import (
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
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
	// Limits bound the search. Time counts from when the Budget has room for it.
	limits.Limits
	// Threads is how many goroutines search; 0 is one, and more than there are processors are as many as those.
	Threads int
	// Budget bounds what the searches of a process use together; nil is no bound.
	Budget *Budget
}

var _ strategy.Analyzer = Search{}

// Prepare unpacks what the first search would otherwise have to wait for.
func Prepare() { othello.New(othello.Options{TableBytes: 1}) }

// Analyze is that of strategy.Analyzer.
func (s Search) Analyze(meter *limits.Meter, p rules.Position, lines int) iter.Seq[strategy.Analysis] {
	o := limits.Options{Limits: s.Limits, Threads: min(max(s.Threads, 1), runtime.GOMAXPROCS(0)), Lines: lines}
	return func(yield func(strategy.Analysis) bool) {
		table, giveBack := s.Budget.take(meter.Context(), tableBytes(p, o), !s.Deterministic(), s.pressed(meter))
		defer giveBack()
		o.Table = table
		for known := range analyze(meter, p, o) {
			known.Nodes, known.Time = meter.Spent()
			if !yield(known) {
				return
			}
		}
	}
}

// analyze hands the position to the search that knows its board best.
func analyze(meter *limits.Meter, p rules.Position, o limits.Options) iter.Seq[strategy.Analysis] {
	switch p := p.(type) {
	case *threetrios.Position:
		return triosearch.Analyze(meter, p, o)
	case *reversi.Position:
		if othello.Supports(p) {
			return analyzeOthello(meter, p, o)
		}
		return search.Analyze(meter, p, o)
	}
	panic("engine: a position of no game it knows: " + p.Kind())
}

// Keep keeps one of the candidates: the best.
func (s Search) Keep(meter *limits.Meter, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	lines := 1
	if all := len(strategy.Placements(p)); len(candidates) < all {
		lines = all // the best candidate need not be the best move
	}
	var last strategy.Analysis
	for last = range s.Analyze(meter, p, lines) {
	}
	for _, line := range last.Lines {
		if slices.ContainsFunc(candidates, func(c strategy.Candidate) bool { return c.Move == line.Moves[0] }) {
			return []strategy.Candidate{{Move: line.Moves[0], Value: line.Score, Measure: strategy.Score}}, nil
		}
	}
	return candidates[:1], nil
}

// tableBytes returns how much memory a search can make use of: to clear more than that takes longer than a short search.
// It depends on the limits and the position alone, since the size of the table has a say in the answer.
func tableBytes(p rules.Position, o limits.Options) int {
	nodes := 0.0
	switch p := p.(type) {
	case *threetrios.Position:
		nodes = triosearch.LogNodes(p, o.Depth)
	case *reversi.Position:
		score := p.Score()
		nodes = search.LogNodes(o.Plies(len(p.Board().Cells()) - score.First - score.Second))
	}
	return max(limits.SmallestTable, min(o.TableBytes(nodes, o.Threads), limits.LargestTable))
}

// soon is when a search must be over to be pressed for time.
const soon = time.Minute

// pressed reports whether the search must be over soon, by its own limit or by that of the call.
func (s Search) pressed(meter *limits.Meter) bool {
	left := meter.TimeLeft()
	return s.Time > 0 && s.Time <= soon || left > 0 && left <= soon
}
