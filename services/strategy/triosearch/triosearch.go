// Package triosearch is the strongest play of Three Trios there is here: a search over cells and cards on a board of
// its own, exact as soon as the rest of the game can be searched to the end. It plays no other game, learns nothing
// from one request to the next, and leaves levels and catalogues to others.
//
// How it works, and what each part is worth: how many times the positions it takes without it to solve the built-in deal
// under eight sets of rules, which is 3.3 million with all of them. They are figures of the proof alone, without the traps
// that are set after it (traps.go).
//   - Moves are made and taken back on a board of small arrays (board.go, battle.go), without allocating. The order of the
//     waves of a chain does not matter to what flips, so there are none.
//   - Deepening ply by ply, so that each depth orders the moves of the next: 1.35. The last plies before the end are
//     leapt over: 2.2, since an estimate near the end costs as much as the truth.
//   - Values of positions met before (table.go): 1.5. Identical cards are one, and sides of cards that face no
//     cell do not count (game.go): nothing on most decks, but much where cards repeat.
//   - Moves are tried first that have cut the search short elsewhere (order.go): 1.1, and 1.65 four plies deep on five by five.
//   - Principal variation search: all moves but the first are only asked whether they are better (worker.go).
//     To the end of the game it is first asked who wins (deepen.go), which costs nothing and is known sooner.
//
// Not in it: ordering by flips, which made nothing smaller; reducing the depth of late moves, which won 28 to 25 of sixty
// games at best and lost in milder forms; symmetries of the grid, which turn the cards as well, so that a random deal has
// none.
package triosearch

import (
	"iter"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
)

// Search looks ahead until a limit is reached or all is known: MaxDepth plies or MaxNodes positions, whichever comes
// first; the zero value of each is no limit, and without any it goes on until the work is to stop.
//
// Threads is how many goroutines search, 0 meaning one. With one, a search limited by nothing but depth and nodes
// is the same every time. A legal move always comes back, however little time there is.
type Search struct {
	MaxDepth int
	MaxNodes int64
	Threads  int
	// Table bounds the table of positions, in bytes; it takes 64 KiB at least. 0 is as much as is useful, 64 MiB at most.
	Table int
}

var _ strategy.Analyzer = Search{}

// Keep keeps one move: the best.
func (s Search) Keep(w *strategy.Work, p rules.Position, candidates []strategy.Candidate) ([]strategy.Candidate, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	var best strategy.Line
	for known := range s.deepen(w, p.(*threetrios.Position), candidates, 1) {
		best = known.Best()
	}
	return []strategy.Candidate{{Move: best.Moves[0], Value: best.Score, Measure: strategy.Score}}, nil
}

// Analyze is that of strategy.Analyzer. The score of a line that is not proved is an estimate, in cards. What time
// cuts short is used where it is better than what was known before; then Depth is still that of the last ply that was
// searched in full, and 0 if that was none.
func (s Search) Analyze(w *strategy.Work, p rules.Position, lines int) iter.Seq[strategy.Analysis] {
	return s.deepen(w, p.(*threetrios.Position), strategy.Placements(p), max(lines, 1))
}
