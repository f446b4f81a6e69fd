//go:build !race

package othello

import (
	"slices"
	"strconv"
	"testing"
)

// The race detector would make this the longest test of all and find nothing: it is a single goroutine's work.

func TestSuiteTo19(t *testing.T) {
	for _, e := range suite(t, 1, 19) {
		engine := New(Options{TableBytes: 1 << 24, Scoring: EmptiesToWinner})
		got := engine.Search(t.Context(), e.board, Limits{}, nil)[0]
		if got.Score != e.score || !got.Exact {
			t.Errorf("position %d: %+v, want %d", e.id, got, e.score)
		}
		if !slices.Contains(e.best, got.Line[0].String()) {
			t.Errorf("position %d: best %v, want %v", e.id, got.Line[0], e.best)
		}
		if end := playLine(e.board, got.Line); !end.Over() || EmptiesToWinner.Final(end) != e.score*sideAfter(got.Line) {
			t.Errorf("position %d: %v does not lead to %+d", e.id, got.Line, e.score)
		}
	}
}

func BenchmarkSuite(b *testing.B) {
	for _, span := range [][2]int{{1, 19}, {20, 39}, {40, 49}} {
		b.Run(strconv.Itoa(span[0])+"-"+strconv.Itoa(span[1]), func(b *testing.B) {
			var nodes int64
			for b.Loop() {
				for _, e := range suite(b, span[0], span[1]) {
					engine := New(Options{Scoring: EmptiesToWinner})
					start := b.Elapsed()
					got := engine.Search(b.Context(), e.board, Limits{}, nil)[0]
					if got.Score != e.score || !got.Exact {
						b.Errorf("position %d: %+v, want %d", e.id, got, e.score)
					}
					nodes += got.Nodes
					b.Logf("%d\t%d empties\t%+d\t%d nodes\t%.3f s", e.id, e.board.Empties(), got.Score, got.Nodes,
						(b.Elapsed() - start).Seconds())
				}
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}
