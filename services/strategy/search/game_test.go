package search

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// testGame gives tests access to a game of any number of words.
type testGame interface {
	game
	// placements returns the placements with their number of flips.
	placements() map[rules.Cell]int
	// check compares the board with the position it was read from.
	check(p *reversi.Position) error
	// after returns the game after a placement on a cell, or a pass for nil.
	after(at *rules.Cell) testGame
	evaluation() int
	currentPhase() int
	key() uint64
	// tableKey is the key under which the table holds the position.
	tableKey() uint64
	// bestMoveFrom returns the best move that a probe of the position finds after a store of a best
	// move of another game.
	bestMoveFrom(other testGame, best rules.Cell) rules.Cell
	perft(depth int) int
	search(depth int) (value int, nodes int64)
}

func newTestGame(p *reversi.Position) testGame { return newGame(p).(testGame) }

func (g sized[W]) newTestWorker(table int) *worker[W] {
	return g.newWorker(limits.NewMeter(context.Background()), newTable(table))
}

func (g sized[W]) children() []child[W] {
	w := g.newTestWorker(0)
	w.generate(&g.board, 2, noMove)
	return w.stack
}

func (g sized[W]) placements() map[rules.Cell]int {
	found := map[rules.Cell]int{}
	for _, c := range g.children() {
		found[g.cells[c.at].at] = int(g.countFlips(&g.board, int(c.at)))
	}
	return found
}

func (g sized[W]) after(at *rules.Cell) testGame {
	if at == nil {
		return sized[W]{g.layout, g.board.pass()}
	}
	for _, c := range g.children() {
		if g.cells[c.at].at == *at {
			return sized[W]{g.layout, c.board}
		}
	}
	panic(fmt.Sprintf("there is no placement on %v", *at))
}

func (g sized[W]) check(p *reversi.Position) error {
	if want := g.newBoard(p); g.board != want {
		return fmt.Errorf("the board is %+v, want %+v", g.board, want)
	}
	discs := 0
	for i := range len(g.home) {
		discs += bits.OnesCount64(g.home[i] & (g.board.own[i] | g.board.opp[i]))
	}
	if got := discs + int(g.board.empties); got != len(g.cells) {
		return fmt.Errorf("%d cells are filled or empty, of %d", got, len(g.cells))
	}
	return nil
}

func (g sized[W]) evaluation() int {
	w := g.newTestWorker(0)
	value, _ := w.evaluate(&g.board, w.contents(&g.board))
	return value
}

func (g sized[W]) currentPhase() int { return g.phase(g.board.empties) }

func (g sized[W]) key() uint64 { return g.board.key() }

func (g sized[W]) tableKey() uint64 { return g.canonicalKey(&g.board, toEnd).key }

func (g sized[W]) bestMoveFrom(other testGame, best rules.Cell) rules.Cell {
	from := other.(sized[W])
	w := from.newTestWorker(1 << 10)
	index := from.indices[best]
	w.store(from.canonicalKey(&from.board, toEnd), &from.board, toEnd, 0, true, index)
	w.layout = g.layout
	e, _ := w.probe(g.canonicalKey(&g.board, toEnd))
	return g.cells[e.bestMove].at
}

func (g sized[W]) perft(depth int) int {
	return g.newTestWorker(0).perft(&g.board, depth)
}

func (w *worker[W]) perft(b *board[W], depth int) (leaves int) {
	first := len(w.stack)
	w.generate(b, 1, noMove)
	defer func() { w.stack = w.stack[:first] }()
	if len(w.stack) == first {
		passed := b.pass()
		switch {
		case !w.canPlace(&passed):
			return 0
		case depth == 1:
			return 1
		}
		return w.perft(&passed, depth-1)
	}
	if depth == 1 {
		return len(w.stack) - first
	}
	for i := first; i < len(w.stack); i++ {
		leaves += w.perft(&w.stack[i].board, depth-1)
	}
	return leaves
}

// search returns the value of a search to a depth, in units or, at toEnd, in discs.
func (g sized[W]) search(depth int) (int, int64) {
	w := g.newTestWorker(1 << 20)
	roots := w.roots(&g.board)
	for d := 1; d < min(depth, int(g.board.empties)); d++ {
		w.searchRoots(roots, d, -unbounded, unbounded, 1)
	}
	w.searchRoots(roots, depth, -unbounded, unbounded, 1)
	return roots[0].value, w.Nodes
}

func start(t testing.TB, s reversi.Setup) *reversi.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func hexagon(rings int) reversi.Setup {
	return reversi.Setup{Shape: reversi.Hexagon, Size: rings, PassRule: reversi.Forced}
}

func square(side int) reversi.Setup { return reversi.Setup{Shape: reversi.Square, Size: side} }

// everyBoard returns a setup of each board by name.
func everyBoard() map[string]reversi.Setup {
	boards := map[string]reversi.Setup{}
	for rings := reversi.MinRings; rings <= reversi.MaxRings; rings++ {
		boards[fmt.Sprintf("hexagon of %d", rings)] = hexagon(rings)
	}
	for side := reversi.MinSide; side <= reversi.MaxSide; side += 2 {
		boards[fmt.Sprintf("square of %d", side)] = square(side)
	}
	return boards
}

// random plays random plies from a position, until neither side has a placement.
func random(t testing.TB, p *reversi.Position, plies int, seed uint64) *reversi.Position {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	for range plies {
		next := randomPly(t, r, p)
		if next.Turn() == rules.NoSide || next.Passes() > 1 {
			break
		}
		p = next
	}
	return p
}

func randomPly(t testing.TB, r *rand.Rand, p *reversi.Position) *reversi.Position {
	t.Helper()
	legal := p.Legal()
	if n := len(legal); n > 1 && legal[n-1] == rules.Pass {
		legal = legal[:n-1]
	}
	return play(t, p, legal[r.IntN(len(legal))])
}

func play(t testing.TB, p *reversi.Position, m rules.Move) *reversi.Position {
	t.Helper()
	next, _, err := p.Play(m)
	if err != nil {
		t.Fatal(err)
	}
	return next.(*reversi.Position)
}

// nearEnd returns a position of a random game with empties cells left to fill.
func nearEnd(t testing.TB, s reversi.Setup, empties int, seed uint64) *reversi.Position {
	t.Helper()
	from := start(t, s)
	for ; ; seed += 1 << 32 {
		p := random(t, from, countEmpties(from)-empties, seed)
		for countEmpties(p) > empties && p.Turn() != rules.NoSide && len(p.Legal()) > 0 {
			next := randomPly(t, rand.New(rand.NewPCG(seed, 1)), p)
			if next.Turn() == rules.NoSide {
				break
			}
			p = next
		}
		if countEmpties(p) == empties && p.Turn() != rules.NoSide {
			return p
		}
	}
}

// countEmpties returns the number of empty cells that can be filled.
func countEmpties(p *reversi.Position) (empties int) {
	for _, c := range newGeometry(p).cells {
		if p.At(c) == rules.NoSide {
			empties++
		}
	}
	return empties
}
