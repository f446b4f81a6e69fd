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

	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Analyze yields the best lines after each depth, the first at least, until a limit is reached or the scores are exact.
// The score of a line that is not proved is an estimate, in cards. What time cuts short is used where it is better than
// what was known before; then Depth is still that of the last ply that was searched in full, and 0 if that was none.
// With one thread and limits of depth and nodes alone the answer is the same on every run.
func Analyze(meter *limits.Meter, p *threetrios.Position, o limits.Options) iter.Seq[strategy.Analysis] {
	o = o.WithDefaults()
	return func(yield func(strategy.Analysis) bool) {
		r := begin(meter.Within(o.Limits), p, o)
		defer r.end()
		r.leader.deepen(1, o.Plies(r.leader.board.left), o.Lines, func(f finding) bool { return yield(r.analysis(f)) })
	}
}
