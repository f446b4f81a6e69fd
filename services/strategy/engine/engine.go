// Package engine is the strongest strategy for every game and board. It passes a position to the
// search for its board, package othello, search or triosearch, and bounds the memory that all
// searches of a process use.
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

// Search finds the best move within its limits. The context of a call bounds it too, and it always
// returns a legal move.
//
// With one thread and no limits but depth and nodes, the answer is deterministic, whatever other
// searches run: each search has its own table, of a size that depends on these limits, and on the
// memory budget if it is smaller than [limits.LargestTable]. In Reversi
// it plays as if passing were forced, with the exception of [search.PassToWin].
type Search struct {
	// Limits bound the search. Time starts when the memory is granted.
	limits.Limits
	// Threads is the number of goroutines, at most the number of processors; 0 means one.
	Threads int
	// Memory bounds the memory of all searches that share it; nil means no bound.
	Memory *MemoryBudget
	// Game identifies the game in which the search chooses a move; empty for none.
	Game string
}

var _ strategy.Analyzer = Search{}

// Prepare decompresses the weights, so that the first search need not.
func Prepare() { othello.New(othello.Options{TableBytes: 1}) }

// Analyze implements [strategy.Analyzer].
func (s Search) Analyze(
	meter *limits.Meter, p rules.Position, lines int,
) iter.Seq[strategy.Analysis] {
	o := limits.Options{
		Limits: s.Limits, Threads: min(max(s.Threads, 1), runtime.GOMAXPROCS(0)), Lines: lines,
	}
	return func(yield func(strategy.Analysis) bool) {
		r := request{
			bytes: tableBytes(p, o), threads: o.Threads, game: s.Game,
			shrinkable: !s.Deterministic(), urgent: s.urgent(meter),
		}
		if r.shrinkable {
			r.continues = continues(p)
		}
		table, release := s.Memory.acquire(meter.Context(), r)
		defer release()
		o.Table = table.bytes
		for analysis := range analyze(meter, p, o, table) {
			analysis.Nodes, analysis.Time = meter.Spent()
			if !yield(analysis) {
				return
			}
		}
	}
}

// engineFor is the search for positions of type P. It keeps its table for the next search.
type engineFor[P rules.Position] interface {
	AnalyzePosition(meter *limits.Meter, p P, o limits.Options) iter.Seq[strategy.Analysis]
}

// newReversiEngine returns the engine for the board of p.
func newReversiEngine(p *reversi.Position, tableBytes int) engineFor[*reversi.Position] {
	if othello.Supports(p) {
		return othello.New(othello.Options{TableBytes: tableBytes, Scoring: othello.ScoringOf(p)})
	}
	return new(search.Engine)
}

func newTriosEngine(*threetrios.Position, int) engineFor[*threetrios.Position] {
	return new(triosearch.Engine)
}

// continues returns a function that reports whether a search of p continues one of an engine.
func continues(p rules.Position) func(engine any) bool {
	switch p := p.(type) {
	case *threetrios.Position:
		return check(triosearch.Continuation(p))
	case *reversi.Position:
		if othello.Supports(p) {
			return check(func(e *othello.Engine) bool { return e.Continues(p) })
		}
		return check(search.Continuation(p))
	}
	panic(unknownGame(p))
}

// check returns a function that reports whether an engine has type E and continues.
func check[E any](continues func(E) bool) func(engine any) bool {
	return func(engine any) bool {
		e, ok := engine.(E)
		return ok && continues(e)
	}
}

func unknownGame(p rules.Position) string { return "engine: unknown game: " + string(p.Kind()) }

// analyze calls the search for the game.
func analyze(
	meter *limits.Meter, p rules.Position, o limits.Options, t *table,
) iter.Seq[strategy.Analysis] {
	switch p := p.(type) {
	case *threetrios.Position:
		return analyzeWith(newTriosEngine, meter, p, o, t)
	case *reversi.Position:
		if analysis, wins := search.PassToWin(p); wins {
			return func(yield func(strategy.Analysis) bool) { yield(analysis) }
		}
		return analyzeWith(newReversiEngine, meter, p, o, t)
	}
	panic(unknownGame(p))
}

// analyzeWith searches with the engine of the table, or else with a new one. If later searches can
// continue this one, it leaves the engine in the table.
func analyzeWith[P rules.Position](
	newEngine func(p P, tableBytes int) engineFor[P],
	meter *limits.Meter, p P, o limits.Options, t *table,
) iter.Seq[strategy.Analysis] {
	e, ok := t.engine.(engineFor[P])
	if !ok {
		e = newEngine(p, o.Table)
	}
	if !o.Deterministic() {
		t.engine = e
	}
	return e.AnalyzePosition(meter, p, o)
}

// Keep implements [strategy.Strategy]. It keeps the best candidate.
func (s Search) Keep(
	meter *limits.Meter, p rules.Position, candidates []strategy.Candidate,
) ([]strategy.Candidate, error) {
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
		c := strategy.Candidate{Move: line.Moves[0], Value: line.Score, Measure: strategy.Score}
		if slices.ContainsFunc(candidates, func(o strategy.Candidate) bool { return o.Move == c.Move }) {
			return []strategy.Candidate{c}, nil
		}
	}
	return candidates[:1], nil
}

// tableBytes returns the memory that a search can use. It depends only on the limits and the
// position, since the size of the table can change the answer.
func tableBytes(p rules.Position, o limits.Options) int {
	logNodes := 0.0
	switch p := p.(type) {
	case *threetrios.Position:
		logNodes = triosearch.LogNodes(p, o.Depth)
	case *reversi.Position:
		score := p.Score()
		logNodes = search.LogNodes(o.Plies(len(p.Board().Cells()) - score.First - score.Second))
	}
	return max(limits.SmallestTable, min(o.TableBytes(logNodes, o.Threads), limits.LargestTable))
}

// urgentTime is the longest time of an urgent search.
const urgentTime = time.Minute

// urgent reports whether the search must end soon, by its own limit or by that of the call.
func (s Search) urgent(meter *limits.Meter) bool {
	left := meter.TimeLeft()
	return s.Time > 0 && s.Time <= urgentTime || left > 0 && left <= urgentTime
}
