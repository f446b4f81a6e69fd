package triosearch

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

func analyze(t rapid.TB, o limits.Options, p *threetrios.Position, lines int) []strategy.Analysis {
	t.Helper()
	o.Lines = lines
	return slices.Collect(Analyze(limits.NewMeter(context.Background()), p, o))
}

func last(analyses []strategy.Analysis) strategy.Analysis { return analyses[len(analyses)-1] }

// newTestWorker returns a worker without limits.
func newTestWorker(p *threetrios.Position) *worker {
	g := newGame(p)
	return newWorker(newBoard(g, p), newTable(minTableBits), limits.NewMeter(context.Background()), g.roots(p, p.Legal()))
}

// minimax returns the plain minimax score for the side to move by the rules.
func minimax(p *threetrios.Position, seen map[string]int) int {
	side := p.Turn()
	if len(p.EmptyCells()) == 1 {
		best := -1000
		for i := range p.Hand(side) {
			best = max(best, p.PlayCard(i, p.EmptyCells()[0]).Score().Margin(side))
		}
		return best
	}
	key := p.Notation()
	if score, ok := seen[key]; ok {
		return score
	}
	best := -1000
	for _, cell := range p.EmptyCells() {
		for i := range p.Hand(side) {
			best = max(best, -minimax(p.PlayCard(i, cell), seen))
		}
	}
	seen[key] = best
	return best
}

func TestTheSolverFindsTheMinimaxScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 5)
		if p.Turn() == rules.NoSide {
			return
		}
		want := minimax(p, map[string]int{})
		found := last(analyze(t, limits.Options{}, p, rapid.IntRange(1, 3).Draw(t, "lines")))
		if !found.Exact || found.Best().Score != want {
			t.Fatalf("%s is worth %+v, not %d", p.Notation(), found, want)
		}
		checkLines(t, p, found)
	})
}

// checkLines checks that exact lines reach the end of the game with their score.
func checkLines(t rapid.TB, p *threetrios.Position, found strategy.Analysis) {
	for _, line := range found.Lines {
		end := p
		for _, m := range line.Moves {
			end = after(t, end, m)
		}
		if end.Turn() != rules.NoSide || end.Score().Margin(p.Turn()) != line.Score {
			t.Fatalf("the line %v of %s ends at %s, and not with %d", line.Moves, p.Notation(), end.Notation(), line.Score)
		}
	}
}

// plainSearch is minimax on the same board with the same evaluation.
func plainSearch(b *board, depth int) int {
	if b.left == 0 {
		return b.final()
	}
	if depth == 0 && b.left > 1 {
		return b.evaluate()
	}
	best := -infinity
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := b.hands[b.turn].slots.next[0]; i != 0; i = b.hands[b.turn].slots.next[i] {
			undo := b.makeMove(moveOf(cell, i))
			best = max(best, -plainSearch(b, max(depth-1, 0)))
			b.unmakeMove(moveOf(cell, i), undo)
		}
	}
	return best
}

func TestTheSearchFindsTheValueOfAPlainSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 6)
		if p.Turn() == rules.NoSide {
			return
		}
		w := newTestWorker(p)
		for depth := 1; depth <= min(3, w.board.left); depth++ {
			want := plainSearch(w.board, depth)
			w.searchRoots(depth, -infinity, infinity, 1)
			if got := w.best[0].value; got != want {
				t.Fatalf("%s is worth %d at depth %d, not %d", p.Notation(), got, depth, want)
			}
		}
	})
}
