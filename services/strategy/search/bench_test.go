package search

import (
	"fmt"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// BenchmarkPerft plays out every line, on the words a board needs and on too many.
func BenchmarkPerft(b *testing.B) {
	p := start(b, hexagon(5))
	g := newGeometry(p)
	starts, _ := g.pack()
	for name, game := range map[string]probe{
		"3words": newSized[[3]uint64](p, g, starts), "16words": newSized[[16]uint64](p, g, starts),
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
				nodes += found[len(found)-1].Nodes
				seed++
			}
			report(b, nodes)
		})
	}
}

// BenchmarkMidgame looks nine placements ahead on five rings.
func BenchmarkMidgame(b *testing.B) {
	nodes, seed := int64(0), uint64(0)
	for b.Loop() {
		found := analyze(b, nearEnd(b, hexagon(5), 40, seed%20), limits.Options{Limits: limits.Limits{Depth: 9}, Table: 1 << 24})
		nodes += found[len(found)-1].Nodes
		seed++
	}
	report(b, nodes)
}

// BenchmarkTenthOfASecond tells how deep the search gets from the start, and how late the latest answer came.
func BenchmarkTenthOfASecond(b *testing.B) {
	for name, setup := range map[string]reversi.Setup{"hexagon5": hexagon(5), "hexagon12": hexagon(12), "square8": square(8)} {
		b.Run(name, func(b *testing.B) {
			p, depth, latest := start(b, setup), 0, time.Duration(0)
			for b.Loop() {
				began := time.Now()
				found := analyze(b, p, limits.Options{Limits: limits.Limits{Time: time.Second / 10}})
				latest = max(latest, time.Since(began)-time.Second/10)
				depth += found[len(found)-1].Depth
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
