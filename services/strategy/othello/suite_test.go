//go:build !race

package othello

import (
	"slices"
	"testing"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello/ffo"
)

// The build constraint saves time: with the race detector this single-threaded test would take the
// longest of all and find nothing.

// The test pins the node count: a change that is meant to keep the search as it is must keep it
// too.
func TestSolvesSuiteTo19(t *testing.T) {
	var nodes int64
	for _, e := range ffo.Suite(1, 19) {
		board := Board{Mover: e.Mover, Opponent: e.Opponent}
		engine := New(Options{TableBytes: 1 << 24, Scoring: EmptiesToWinner})
		got := engine.Search(limits.NewMeter(t.Context()), board, limits.Options{})[0]
		pv := got.PrincipalVariation
		if got.Score != e.Score || !got.Exact {
			t.Errorf("position %d: %+v, want %d", e.ID, got, e.Score)
		}
		if !slices.Contains(e.Best, pv[0].String()) {
			t.Errorf("position %d: best move %v, want %v", e.ID, pv[0], e.Best)
		}
		end := playAll(board, pv)
		if !end.Over() || EmptiesToWinner.Final(end)*signAfter(pv) != e.Score {
			t.Errorf("position %d: %v does not lead to %+d", e.ID, pv, e.Score)
		}
		nodes += got.Nodes
	}
	if want := int64(1_311_719); nodes != want {
		t.Errorf("%d nodes, want %d", nodes, want)
	}
}
