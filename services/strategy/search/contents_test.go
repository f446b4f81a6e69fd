package search

import (
	"math/rand/v2"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
)

func TestTheContentsFollowTheMoves(t *testing.T) {
	t.Parallel()
	wantContents(t, newGame(start(t, hexagon(5))).(sized[[3]uint64]), fiveRingPatterns())
	wantContents(t, newGame(start(t, hexagon(6))).(sized[[4]uint64]), hexPatterns(6))
	wantContents(t, newGame(start(t, square(6))).(sized[[3]uint64]), squarePatterns(6))
}

// wantContents checks the contents of all positions of a random game, and of those one move away.
func wantContents[W words](t *testing.T, g sized[W], patterns []pattern) {
	t.Helper()
	w, b := g.newTestWorker(0), g.board
	random := rand.New(rand.NewPCG(1, 0))
	for passes := 0; passes < 2; passes++ {
		g.wantContents(t, w.contents(&b), &b, patterns)
		before := w.contentsBefore(&b)
		w.stack = w.stack[:0]
		w.generate(&b, 1, noMove)
		for i := range w.stack {
			c := &w.stack[i]
			f := w.flips(&b, int(c.at))
			g.wantContents(t, w.contentsAfter(before, int(c.at), &f), &c.board, patterns)
		}
		if len(w.stack) == 0 {
			b = b.pass()
			continue
		}
		b, passes = w.stack[random.IntN(len(w.stack))].board, -1
	}
}

func (g sized[W]) wantContents(t *testing.T, got contents, b *board[W], patterns []pattern) {
	t.Helper()
	table, k := int32(0), 0
	for _, p := range patterns {
		for _, image := range p.images() {
			want := table
			for i, at := range image.cells {
				want += power3[i] * g.digit(b, at)
			}
			if index := g.eval.instances.index(got, k); index != want {
				t.Fatalf("the weight of %v has index %d, want %d", image.cells, index, want)
			}
			k++
		}
		table += int32(p.size())
	}
}

// digit returns 1 for a disc of the side to move, 2 for one of the opponent and 0 for none.
func (g sized[W]) digit(b *board[W], at rules.Cell) int32 {
	home := g.cells[g.indices[at]].home
	switch {
	case b.own[home.word]&home.bit != 0:
		return 1
	case b.opp[home.word]&home.bit != 0:
		return 2
	}
	return 0
}
