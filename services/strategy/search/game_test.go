package search

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// probe is what tests look at inside a game, whatever the number of its words.
type probe interface {
	game
	// placements returns the cells where the side to move may place and how many discs that flips.
	placements() map[rules.Cell]int
	// fits checks the board against the position it was read from.
	fits(p *reversi.Position) error
	// after returns the game after a placement on a cell, or a pass for nil.
	after(at *rules.Cell) probe
	estimate() int
	phaseNow() int
	key() uint64
	// turnedKey is that of where the table keeps the position while few discs lie.
	turnedKey() uint64
	// recalls returns the best move that is recalled of the position once another game has remembered one of its own.
	recalls(other probe, best rules.Cell) rules.Cell
	perft(depth int) int
	search(depth int) (value int, nodes int64)
}

func probeOf(p *reversi.Position) probe { return newGame(p).(probe) }

func (g sized[W]) newSearcher(table int) *searcher[W] {
	return g.searcher(limits.NewMeter(context.Background()), table)
}

func (g sized[W]) children() []child[W] {
	s := g.newSearcher(0)
	s.expand(&g.board, 2, noMove)
	return s.stack
}

func (g sized[W]) placements() map[rules.Cell]int {
	found := map[rules.Cell]int{}
	for _, c := range g.children() {
		found[g.cells[c.at].at] = int(g.countFlips(&g.board, int(c.at)))
	}
	return found
}

func (g sized[W]) after(at *rules.Cell) probe {
	if at == nil {
		return sized[W]{g.layout, g.board.passed()}
	}
	for _, c := range g.children() {
		if g.cells[c.at].at == *at {
			return sized[W]{g.layout, c.board}
		}
	}
	panic(fmt.Sprintf("there is no placement on %v", *at))
}

func (g sized[W]) fits(p *reversi.Position) error {
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

func (g sized[W]) estimate() int {
	value, _ := g.evaluate(&g.board)
	return value
}

func (g sized[W]) phaseNow() int { return g.phase(g.board.empties) }

func (g sized[W]) key() uint64 { return g.board.key() }

func (g sized[W]) turnedKey() uint64 { return g.addressOf(&g.board, toEnd).key }

func (g sized[W]) recalls(other probe, best rules.Cell) rules.Cell {
	from := other.(sized[W])
	s := from.newSearcher(1 << 10)
	index := slices.IndexFunc(from.cells, func(c cell) bool { return c.at == best })
	s.remember(from.addressOf(&from.board, toEnd), &from.board, toEnd, 0, true, int16(index))
	s.layout = g.layout
	known, _ := s.recall(g.addressOf(&g.board, toEnd))
	return g.cells[known.best].at
}

func (g sized[W]) perft(depth int) int {
	s := g.newSearcher(0)
	return s.perft(&g.board, depth)
}

func (s *searcher[W]) perft(b *board[W], depth int) (leaves int) {
	first := len(s.stack)
	s.expand(b, 1, noMove)
	defer func() { s.stack = s.stack[:first] }()
	if len(s.stack) == first {
		passed := b.passed()
		switch {
		case !s.canPlace(&passed):
			return 0
		case depth == 1:
			return 1
		}
		return s.perft(&passed, depth-1)
	}
	if depth == 1 {
		return len(s.stack) - first
	}
	for i := first; i < len(s.stack); i++ {
		leaves += s.perft(&s.stack[i].board, depth-1)
	}
	return leaves
}

// search returns the value from a depth, in units or, from toEnd, in discs.
func (g sized[W]) search(depth int) (int, int64) {
	s := g.newSearcher(1 << 20)
	roots := s.roots(&g.board)
	for d := 1; d < min(depth, int(g.board.empties)); d++ {
		s.rank(roots, d, -unbounded, unbounded, 1)
	}
	s.rank(roots, depth, -unbounded, unbounded, 1)
	return roots[0].value, s.Nodes
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

// everyBoard returns a setup of each board there is, by name.
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

// random plays so many random plies from a position, or until neither side can place.
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

// nearEnd returns a position of a random game with so many cells left that can be filled.
func nearEnd(t testing.TB, s reversi.Setup, empties int, seed uint64) *reversi.Position {
	t.Helper()
	from := start(t, s)
	for ; ; seed += 1 << 32 {
		p := random(t, from, emptyCells(from)-empties, seed)
		for emptyCells(p) > empties && p.Turn() != rules.NoSide && len(p.Legal()) > 0 {
			next := randomPly(t, rand.New(rand.NewPCG(seed, 1)), p)
			if next.Turn() == rules.NoSide {
				break
			}
			p = next
		}
		if emptyCells(p) == empties && p.Turn() != rules.NoSide {
			return p
		}
	}
}

// emptyCells counts the cells that can be filled.
func emptyCells(p *reversi.Position) (empties int) {
	for _, c := range newGeometry(p).cells {
		if p.At(c) == rules.NoSide {
			empties++
		}
	}
	return empties
}
