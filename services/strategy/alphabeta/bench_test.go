package alphabeta_test

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// BenchmarkSearch searches positions from the middle of games, or the start where ply is 0.
func BenchmarkSearch(b *testing.B) {
	for _, bench := range []struct {
		name       string
		setup      games.Setup
		ply, depth int
	}{
		{"square 8", square(8), 20, 6},
		{"hexagon 5", hexagon(5, reversi.Voluntary), 12, 7},
		{"hexagon 5 forced", hexagon(5, reversi.Forced), 20, 7},
		{"cards 3x3", cards(), 0, 4},
	} {
		b.Run(bench.name, func(b *testing.B) {
			positions, _ := rulestest.RandomGame(b, start(b, bench.setup), 1)
			nodes := int64(0)
			for b.Loop() {
				meter, search := limits.NewMeter(b.Context()), alphabeta.Search{}
				search.Depth = bench.depth
				for range search.Analyze(meter, positions[bench.ply], 1) {
					continue
				}
				visited, _ := meter.Spent()
				nodes += visited
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
