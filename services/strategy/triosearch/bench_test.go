package triosearch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// BenchmarkSolve solves three by three from the empty grid: the built-in deal and three random
// deals under each set of rules.
func BenchmarkSolve(b *testing.B) {
	for _, on := range [][]threetrios.Rule{
		{threetrios.Default}, {threetrios.Reverse}, {threetrios.FallenAce}, {threetrios.Reverse, threetrios.FallenAce},
		{threetrios.Same}, {threetrios.Plus}, {threetrios.Same, threetrios.Plus},
		{threetrios.Reverse, threetrios.FallenAce, threetrios.Same, threetrios.Plus},
	} {
		for deal := range uint64(4) {
			setup := threetrios.Setup{Rules: on}
			if deal > 0 {
				setup = square(3, deal, on...)
			}
			b.Run(fmt.Sprintf("%s/deal-%d", join(on), deal), func(b *testing.B) {
				p := resolve(b, setup)
				benchmark(b, func() strategy.Analysis { return last(analyze(b, limits.Options{}, p, 1)) })
			})
		}
	}
}

func join(on []threetrios.Rule) string {
	words := make([]string, len(on))
	for i, rule := range on {
		words[i] = string(rule)
	}
	return strings.Join(words, "+")
}

// benchmark reports the nodes, the speed, the depth and the score of a search.
func benchmark(b *testing.B, search func() strategy.Analysis) {
	var found strategy.Analysis
	nodes := int64(0)
	for b.Loop() {
		found = search()
		nodes += found.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
	b.ReportMetric(float64(found.Depth), "depth")
	b.ReportMetric(float64(found.Best().Score), "score")
}

// BenchmarkDepth reports the depth that a search reaches in a given time, on an empty grid and on
// grids that are one and two thirds full.
func BenchmarkDepth(b *testing.B) {
	for _, side := range []int{5, 7} {
		p := resolve(b, square(side, 1))
		cells := len(p.EmptyCells())
		for ply := range cells {
			if ply == 0 || ply == cells/3 || ply == cells*2/3 {
				for _, limit := range []time.Duration{100 * time.Millisecond, time.Second} {
					b.Run(fmt.Sprintf("%dx%d/ply-%d/%v", side, side, ply, limit), func(b *testing.B) {
						benchmark(b, func() strategy.Analysis {
							return last(analyze(b, limits.Options{Limits: limits.Limits{Time: limit}}, p, 1))
						})
					})
				}
			}
			p = after(b, p, last(analyze(b, limits.Options{Limits: limits.Limits{Nodes: 3000}}, p, 1)).Best().Moves[0])
		}
	}
}

// BenchmarkMakeMove makes and unmakes moves in the middle of a game on five by five.
func BenchmarkMakeMove(b *testing.B) {
	for _, on := range [][]threetrios.Rule{{threetrios.Default}, {threetrios.Same, threetrios.Plus}} {
		b.Run(join(on), func(b *testing.B) {
			p := resolve(b, square(5, 1, on...))
			for range 12 {
				p = after(b, p, last(analyze(b, limits.Options{Limits: limits.Limits{Nodes: 1000}}, p, 1)).Best().Moves[0])
			}
			g := newGame(p)
			board, roots := newBoard(g, p), g.roots(p, p.Legal())
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m := roots[i%len(roots)].move
				board.unmakeMove(m, board.makeMove(m))
			}
		})
	}
}

// BenchmarkEvaluate evaluates a position in the middle of a game on five by five.
func BenchmarkEvaluate(b *testing.B) {
	p := resolve(b, square(5, 1))
	for p.Turn() != rules.NoSide && len(p.EmptyCells()) > 13 {
		p = after(b, p, last(analyze(b, limits.Options{Limits: limits.Limits{Nodes: 1000}}, p, 1)).Best().Moves[0])
	}
	board := newBoard(newGame(p), p)
	b.ReportAllocs()
	for b.Loop() {
		board.evaluate()
	}
}
