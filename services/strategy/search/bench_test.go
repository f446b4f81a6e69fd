package search

import (
	"fmt"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// BenchmarkPerft plays all variations, with the necessary number of words and with more.
func BenchmarkPerft(b *testing.B) {
	p := start(b, hexagon(5))
	g := newGeometry(p)
	starts, _ := g.pack()
	w := bestWeights(p.Board(), len(g.cells))
	for name, game := range map[string]testGame{
		"3words": newSized[[3]uint64](w, p, g, starts), "16words": newSized[[16]uint64](w, p, g, starts),
	} {
		b.Run(name, func(b *testing.B) {
			leaves := 0
			for b.Loop() {
				leaves += game.perft(8)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

// BenchmarkEnding solves positions of random games on five rings.
func BenchmarkEnding(b *testing.B) {
	for _, empties := range []int{14, 18, 22} {
		b.Run(fmt.Sprint(empties), func(b *testing.B) {
			nodes, seed := int64(0), uint64(0)
			for b.Loop() {
				found := analyze(b, nearEnd(b, hexagon(5), empties, seed%20), limits.Options{Table: 1 << 24})
				nodes += last(found).Nodes
				seed++
			}
			report(b, nodes)
		})
	}
}

// BenchmarkMidgame searches five rings to a depth of nine.
func BenchmarkMidgame(b *testing.B) {
	nodes, seed := int64(0), uint64(0)
	for b.Loop() {
		found := analyze(b, nearEnd(b, hexagon(5), 40, seed%20), limits.Options{Limits: limits.Limits{Depth: 9}, Table: 1 << 24})
		nodes += last(found).Nodes
		seed++
	}
	report(b, nodes)
}

// BenchmarkTenthOfASecond reports the mean depth of the search from the start, and the greatest
// delay of an answer.
func BenchmarkTenthOfASecond(b *testing.B) {
	for name, setup := range map[string]reversi.Setup{"hexagon5": hexagon(5), "hexagon12": hexagon(12), "square8": square(8)} {
		b.Run(name, func(b *testing.B) {
			p, depth, latest := start(b, setup), 0, time.Duration(0)
			for b.Loop() {
				start := time.Now()
				found := analyze(b, p, limits.Options{Limits: limits.Limits{Time: time.Second / 10}})
				latest = max(latest, time.Since(start)-time.Second/10)
				depth += last(found).Depth
			}
			b.ReportMetric(float64(depth)/float64(b.N), "depth")
			b.ReportMetric(latest.Seconds()*1e3, "ms-late")
		})
	}
}

func report(b *testing.B, nodes int64) {
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}
