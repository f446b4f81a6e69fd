// Package triosearch searches Three Trios. It plays no other game, and leaves levels and memory
// budgets to other packages.
//
// It is a principal variation search over cells and cards. The figures below are the factors by
// which the number of nodes grows without a part. They were measured on solving the built-in deal
// under eight sets of rules, which takes 3.6 million nodes with all parts, without the swindles
// after the proof.
//   - Boards of small arrays on which moves are made and unmade without allocation (board.go,
//     battle.go). A chain reaction is one queue, since the order of its waves does not change what
//     flips.
//   - Iterative deepening, which orders the moves of the next iteration (deepen.go): 1.35. The
//     iterations shortly before the end are skipped: 2.2, since near the end an iteration costs as
//     much as the proof.
//   - A transposition table (table.go): 1.5. Identical cards are one card, and the sides of cards
//     that face no cell do not count (game.go): 1 on most decks, but more where cards repeat.
//   - Moves that caused cutoffs elsewhere come first (order.go): 1.1 here, and 1.65 for four plies
//     on five by five.
//   - Zero-window searches for all moves but the first (search.go). At the end of the game, the
//     first search only finds the winner (deepen.go), which takes no extra nodes and answers
//     sooner.
//
// These ideas did not help: ordering by flips, which saved no nodes; reducing the depth of late
// moves, which won 28 to 25 of sixty games at best and lost in milder forms; symmetries of the
// grid, which also turn the cards, so that a random deal has none.
package triosearch

import (
	"iter"
	"math"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Analyze yields the best lines after each iteration, at least once, until a limit is reached, the
// scores are exact or the caller breaks off. The game must not be over.
//
// A score that is not exact is an estimate in cards. If a limit interrupts an iteration that has
// found a better move, Analyze yields that move with the depth of the last finished iteration,
// which is 0 if there was none. With one thread and no limits but depth and nodes, the answer is
// deterministic. All searches are full width.
func Analyze(
	meter *limits.Meter, p *threetrios.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	return new(Engine).AnalyzePosition(meter, p, o)
}

// Engine keeps its transposition table between the searches of a game, so that each profits from
// the earlier ones. One search may use an engine at a time. The zero value is ready for use.
type Engine struct {
	game  *game
	table *table
}

// Continuation returns a function that reports whether the table of an engine is of use for p: an
// earlier search of a game with the same grid, rules and cards has visited p or a position after a
// move.
func Continuation(p *threetrios.Position) func(*Engine) bool {
	next := sync.OnceValue(func() *game { return newGame(p) })
	return func(e *Engine) bool {
		return e.table != nil && next().continues(e.game) && e.table.knows(newBoard(e.game, p))
	}
}

// knows reports whether the table has the position or one after a move.
func (t *table) knows(b *board) bool {
	found := t.probe(b.key).bound != 0
	for cell := b.empty.next[0]; cell != 0 && !found; cell = b.empty.next[cell] {
		for i := b.hands[b.turn].slots.next[0]; i != 0; i = b.hands[b.turn].slots.next[i] {
			m := moveOf(cell, i)
			undo := b.makeMove(m)
			found = found || t.probe(b.key).bound != 0
			b.unmakeMove(m, undo)
		}
	}
	return found
}

// AnalyzePosition is [Analyze] with the table of the engine. The position must belong to the game
// of the last one: see [Continuation].
func (e *Engine) AnalyzePosition(
	meter *limits.Meter, p *threetrios.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	o = o.WithDefaults()
	return func(yield func(strategy.Analysis) bool) {
		meter := meter.Within(o.Limits)
		if e.game == nil {
			e.game = newGame(p)
		}
		g, t := e.game, e.tableFor(p, o)
		roots := g.roots(p, p.Legal())
		leader := newWorker(newBoard(g, p), t, meter, roots)
		leader.leads = true
		depth := o.Plies(leader.board.left)
		defer meter.StartHelpers(o.Threads, func(i int) {
			helper := newWorker(newBoard(g, p), t, meter, roots)
			helper.deepen(1+i%2, depth, 1, func(result) bool { return true })
		})()
		leader.deepen(1, depth, o.Lines, func(r result) bool { return yield(leader.analysis(p, r)) })
	}
}

// analysis converts a result and completes it with the nodes and the time.
func (w *worker) analysis(p *threetrios.Position, r result) strategy.Analysis {
	a := strategy.Analysis{Depth: r.depth, Exact: r.exact, Confidence: 100}
	for i, best := range r.best {
		a.Lines = append(a.Lines, strategy.Line{
			Score: int(math.Round(float64(best.value) / cardValue)),
			Moves: w.board.rulesMoves(p, r.pvs[i]),
		})
	}
	w.Check()
	a.Nodes, a.Time = w.Spent()
	return a
}
