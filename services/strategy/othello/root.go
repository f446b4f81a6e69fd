package othello

import (
	"slices"

	"github.com/flipside-games/flipside/services/strategy/othello/internal/pattern"
)

// root is the search seen from its board: it deepens, keeps the moves in order and reports.
type root struct {
	w      *worker
	board  Board
	n      int
	limits Limits
	report func([]Info)
	moves  []rootMove
	infos  []Info
	// improved tells that the round under way has put a better move in front.
	improved bool
}

// rootMove is a move of the root and what is known of it.
type rootMove struct {
	move
	score int
}

func newRoot(w *worker, b Board, limits Limits, report func([]Info)) *root {
	limits.Lines = max(limits.Lines, 1)
	r := &root{w: w, board: b, n: b.Empties(), limits: limits, report: report}
	w.shared.grow()
	w.place(b)
	list := w.order(b, b.Moves(), r.n, 1, unknown.moves)
	for _, m := range list.moves[:list.size] {
		r.moves = append(r.moves, rootMove{move: m})
	}
	return r
}

// place puts a board into the worker's frames.
func (w *worker) place(b Board) {
	w.frames[b.Empties()] = pattern.Pair{Mover: pattern.Of(b.Mover), Opponent: pattern.Of(b.Opponent)}
}

// round is one step of deepening.
type round struct {
	depth     int
	precision precision
}

// rounds are the steps of deepening: ply by ply through the midgame, then to the end, first on the word of shallower
// searches, which fills the table with good moves, then for certain. Without the rounds on another's word the whole
// takes 13 % more nodes; with two of them instead of four, 40 % more on a board with 25 empty cells.
func (r *root) rounds() (plan []round) {
	selective := precision(0)
	if r.limits.FullWidth {
		selective = certain
	}
	last := r.n
	if r.limits.Depth > 0 {
		last = min(last, r.limits.Depth)
	}
	midgame := last
	if last == r.n {
		midgame = max(r.n-midgameLeaves, 0)
	}
	for depth := 1; depth <= midgame; depth++ {
		plan = append(plan, round{depth, selective})
	}
	if last < r.n {
		return plan
	}
	if r.n >= evaluatedEmpties && !r.limits.FullWidth {
		plan = append(plan, round{r.n, 0}, round{r.n, 1}, round{r.n, 2}, round{r.n, 3})
	}
	return append(plan, round{r.n, certain})
}

// solvableEmpties is the most empty cells with which a won game is worth solving at once.
const solvableEmpties = 30

// midgameLeaves is how many empty cells the deepest midgame round leaves before the rounds to the end begin.
const midgameLeaves = 8

// deepen runs the rounds until the task stops.
func (r *root) deepen() {
	if len(r.moves) == 0 {
		r.deepenWithoutMove()
		return
	}
	r.infos = []Info{{Score: 0, Lower: -64, Upper: 64, Line: []Square{r.moves[0].x}}}
	for _, next := range r.rounds() {
		if next.depth < r.n && r.decided() && r.toTheEnd() {
			continue
		}
		finished := r.run(next)
		if r.report != nil && (finished || r.bettered()) {
			r.report(slices.Clone(r.infos))
		}
		if !finished {
			return
		}
	}
}

// decided reports that the evaluation sees all or nearly all discs go to one side. Its scores then say little more,
// and midgame rounds to distinguish them cost more than the end.
func (r *root) decided() bool {
	return r.infos[0].Depth >= 6 && max(r.infos[0].Score, -r.infos[0].Score) >= 58
}

// toTheEnd reports that the limits allow rounds to the end of the game.
func (r *root) toTheEnd() bool {
	return r.n <= solvableEmpties && (r.limits.Depth == 0 || r.limits.Depth >= r.n)
}

// deepenWithoutMove answers where the side to move can only pass, or the game is over.
func (r *root) deepenWithoutMove() {
	passed := r.board.Pass()
	if passed.Moves() == 0 {
		score := r.w.scoring.final(r.board.Mover, r.board.Opponent)
		r.infos = []Info{{Score: score, Lower: score, Upper: score, Exact: true, Percent: 100}}
		return
	}
	behind := newRoot(r.w, passed, r.limits, nil)
	translate := func(infos []Info) []Info {
		i := infos[0]
		i.Score, i.Lower, i.Upper = -i.Score, -i.Upper, -i.Lower
		i.Line = append([]Square{Pass}, i.Line...)
		return []Info{i}
	}
	if r.report != nil {
		behind.report = func(infos []Info) { r.report(translate(infos)) }
	}
	behind.deepen()
	r.infos = translate(behind.infos)
}

// run searches one round and reports whether it was finished. Of an unfinished one counts a move that has proved better
// than the best of the round before.
func (r *root) run(next round) bool {
	r.w.precision = next.precision
	wanted := min(r.limits.Lines, len(r.moves))
	infos := make([]Info, 0, wanted)
	for done := range wanted {
		score, finished := r.aspire(done, next)
		if !finished {
			if r.bettered() {
				r.infos = []Info{r.unfinished(next)}
			}
			return false
		}
		infos = append(infos, r.info(&r.moves[done], score, next))
	}
	r.infos = infos
	return true
}

// bettered reports whether what a round has found so far is better than what the round before did, where one line is
// wanted: of several the others would be of another round.
func (r *root) bettered() bool { return r.limits.Lines == 1 && r.improved }

// aspire finds the best of the moves from index done on and puts it there. It starts with a narrow window about the
// score of the round before and widens it on the side where the score falls out. A score that falls out on both sides,
// which selective cuts and deeper entries of the table can bring about, gets the whole window. No score exceeds 64, so
// one that reaches it ends the search.
func (r *root) aspire(done int, next round) (score int, finished bool) {
	alpha, beta := -65, 64
	if next.depth > 4 {
		guess, width := r.moves[done].score, aspirationWidth
		if next.depth == r.n {
			width = 1
		}
		alpha, beta = max(guess-width, -65), min(guess+width, 64)
	}
	fellLow, fellHigh := false, false
	r.improved = false
	for width := 2 * aspirationWidth; ; width *= 2 {
		score = r.best(done, alpha, beta, next.depth)
		switch {
		case r.w.abort:
			return score, false
		case score <= alpha && alpha > -65:
			fellLow, r.improved = true, false
			alpha, beta = max(score-width, -65), score+1
		case score >= beta && beta < 64:
			fellHigh = true
			alpha, beta = score-1, min(score+width, 64)
		default:
			return score, true
		}
		if fellLow && fellHigh {
			alpha, beta = -65, 64
		}
	}
}

// aspirationWidth is how far the first window of a round reaches to either side, in discs.
const aspirationWidth = 2

// best searches the moves from index done on with one window and sorts them.
func (r *root) best(done, alpha, beta, depth int) int {
	best, low := none, alpha
	for i := done; i < len(r.moves); i++ {
		m := &r.moves[i]
		v := r.w.searchOneWide(r.board, &m.move, i == done, [2]int{low, beta}, r.n, depth)
		if r.w.abort {
			return best
		}
		m.score = v
		if v > best {
			r.improved = r.improved || i > done && v > low
			best, low = v, max(low, v)
			// To the front, the others keeping their order.
			found := *m
			copy(r.moves[done+1:i+1], r.moves[done:i])
			r.moves[done] = found
			if best >= beta {
				break
			}
		}
	}
	return best
}

// info describes a finished move.
func (r *root) info(m *rootMove, score int, done round) Info {
	percent := percents[done.precision]
	if done.depth < probCutDepth {
		percent = 100
	}
	exact := done.depth == r.n && done.precision == certain
	var line []Square
	if exact {
		line = r.w.exactLine(r.board, m.x, score)
	} else {
		line = r.w.likelyLine(r.board, m.x)
	}
	return Info{
		Score: score, Lower: score, Upper: score, Depth: done.depth, Percent: percent, Exact: exact,
		Line: line, Nodes: r.w.flush(),
	}
}

// unfinished describes the move in front when a round breaks off: its score is a lower bound, and its depth still that of
// the last round that was finished.
func (r *root) unfinished(next round) Info {
	m := &r.moves[0]
	return Info{
		Score: m.score, Lower: m.score, Upper: 64, Depth: r.infos[0].Depth, Percent: percents[next.precision],
		Line: r.w.likelyLine(r.board, m.x), Nodes: r.w.flush(),
	}
}
