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

func candidatesOf(moves ...rules.Move) []strategy.Candidate {
	candidates := make([]strategy.Candidate, len(moves))
	for i, m := range moves {
		candidates[i] = strategy.Candidate{Move: m}
	}
	return candidates
}

func analyze(t rapid.TB, o limits.Options, p *threetrios.Position, lines int) []strategy.Analysis {
	t.Helper()
	o.Lines = lines
	return slices.Collect(Analyze(limits.NewMeter(context.Background()), p, o))
}

func last(found []strategy.Analysis) strategy.Analysis { return found[len(found)-1] }

// alone returns a worker without limits.
func alone(p *threetrios.Position) *worker {
	g := newGame(p)
	return newWorker(newBoard(g, p), newTable(fewestBits), limits.NewMeter(context.Background()), g.roots(p, strategy.Placements(p)))
}

// worth is the plain minimax score of a position to the side to move, by the rules alone.
func worth(p *threetrios.Position, seen map[string]int) int {
	side := p.Turn()
	if len(p.EmptyCells()) == 1 {
		best := -1000
		for i := range p.Hand(side) {
			best = max(best, p.PlayCard(i, p.EmptyCells()[0]).Score().Margin(side))
		}
		return best
	}
	key := p.Notation()
	if known, ok := seen[key]; ok {
		return known
	}
	best := -1000
	for _, cell := range p.EmptyCells() {
		for i := range p.Hand(side) {
			best = max(best, -worth(p.PlayCard(i, cell), seen))
		}
	}
	seen[key] = best
	return best
}

// The solver finds what brute force by the rules finds, and its line leads there.
func TestTheSolverFindsWhatBruteForceFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 5)
		if p.Turn() == rules.NoSide {
			return
		}
		want := worth(p, map[string]int{})
		known := analyze(t, limits.Options{}, p, rapid.IntRange(1, 3).Draw(t, "lines"))
		found := known[len(known)-1]
		if !found.Exact || found.Best().Score != want {
			t.Fatalf("%s is worth %+v, not %d", p.Notation(), found, want)
		}
		checkLines(t, p, found)
	})
}

// checkLines replays exact lines to the end of the game, which has to have the score told.
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

// plain is a search without anything clever, on the same board and estimate.
func plain(b *board, depth int) int {
	if b.left == 0 {
		return b.final()
	}
	if depth == 0 && b.left > 1 {
		return b.estimate()
	}
	best := -infinity
	for cell := b.empty.next[0]; cell != 0; cell = b.empty.next[cell] {
		for i := b.hands[b.turn].held.next[0]; i != 0; i = b.hands[b.turn].held.next[i] {
			was := b.lay(moveOf(cell, i))
			best = max(best, -plain(b, max(depth-1, 0)))
			b.takeBack(moveOf(cell, i), was)
		}
	}
	return best
}

// At every depth the search finds the value that a plain search of all moves finds.
func TestTheSearchFindsWhatAPlainSearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t, 6)
		if p.Turn() == rules.NoSide {
			return
		}
		w := alone(p)
		for depth := 1; depth <= min(3, w.board.left); depth++ {
			want := plain(w.board, depth)
			w.searchRoots(depth, -infinity, infinity, 1)
			if got := w.best[0].value; got != want {
				t.Fatalf("%s is worth %d at depth %d, not %d", p.Notation(), got, depth, want)
			}
		}
	})
}
