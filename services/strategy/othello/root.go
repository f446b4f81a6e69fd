package othello

import "github.com/flipside-games/flipside/services/strategy/limits"

// root is the root node of a search.
type root struct {
	w       *worker
	board   Board
	n       int
	options limits.Options
	yield   func([]Info) bool
	// moves holds the moves with a final score in this round first, best first.
	moves []rootMove
	infos []Info
	// improved is set when the current round has put a better move first.
	improved bool
}

// rootMove is a legal move of the root and its last score.
type rootMove struct {
	move
	score int
}

func newRoot(w *worker, b Board, o limits.Options, yield func([]Info) bool) *root {
	r := &root{w: w, board: b, n: b.Empties(), options: o, yield: yield}
	w.shared.nextAge()
	w.setContents(b)
	list := w.order(b, b.Moves(), r.n, 1, noEntry.moves)
	for i := range list.size {
		r.moves = append(r.moves, rootMove{move: *list.at(i)})
	}
	return r
}

// searchRound searches one round and reports whether it finished. If a stopped round has found a
// better move than the round before, this move is the result.
func (r *root) searchRound(next round) (finished bool) {
	r.w.selectivity = next.selectivity
	count := min(r.options.Lines, len(r.moves))
	infos := make([]Info, 0, count)
	for done := range count {
		score, finished := r.aspiration(done, next)
		if !finished {
			if r.hasBetterMove() {
				r.infos = []Info{r.stoppedInfo(next)}
			}
			return false
		}
		infos = append(infos, r.info(&r.moves[done], score, next))
	}
	r.infos = infos
	return true
}

// hasBetterMove reports whether a stopped round has found a better move than the round before. It
// applies to searches for one move only: scores of several moves must come from the same round.
func (r *root) hasBetterMove() bool { return r.options.Lines == 1 && r.improved }

// aspirationWidth is the distance from the expected score to either end of the first window of a
// round, in discs.
const aspirationWidth = 2

// fullWindow contains every score but 64, which ends the search at once.
var fullWindow = window{-65, 64}

// aspiration finds the best of the moves from index done on and moves it to this index. The first
// window is narrow, around the score of the round before. If the score is outside, the window
// widens on this side. If the scores are outside on both sides in turn, which selective cuts and
// deeper table entries can cause, the full window follows.
func (r *root) aspiration(done int, next round) (score int, finished bool) {
	win := fullWindow
	if next.depth > 4 {
		expected, width := r.moves[done].score, aspirationWidth
		if next.depth == r.n {
			width = 1
		}
		win = window{max(expected-width, -65), min(expected+width, 64)}
	}
	failedLow, failedHigh := false, false
	r.improved = false
	for width := 2 * aspirationWidth; ; width *= 2 {
		score = r.searchWindow(done, win, next.depth)
		switch {
		case r.w.abort:
			return score, false
		case score <= win.alpha && win.alpha > -65:
			failedLow, r.improved = true, false
			win = window{max(score-width, -65), score + 1}
		case score >= win.beta && win.beta < 64:
			failedHigh = true
			win = window{score - 1, min(score+width, 64)}
		default:
			return score, true
		}
		if failedLow && failedHigh {
			win = fullWindow
		}
	}
}

// searchWindow searches the moves from index done on and moves each new best one to this index.
func (r *root) searchWindow(done int, win window, depth int) (best int) {
	best = noScore
	open := win
	for i := done; i < len(r.moves); i++ {
		m := &r.moves[i]
		v := r.w.pvMove(r.board, &m.move, i == done, open, r.n, depth)
		if r.w.abort {
			return best
		}
		m.score = v
		if v > best {
			r.improved = r.improved || i > done && v > open.alpha
			best, open.alpha = v, max(open.alpha, v)
			found := *m
			copy(r.moves[done+1:i+1], r.moves[done:i])
			r.moves[done] = found
			if best >= win.beta {
				break
			}
		}
	}
	return best
}

// info returns the result for a move of a finished round.
func (r *root) info(m *rootMove, score int, done round) Info {
	i := Info{
		Score: score, Depth: done.depth, Percent: percents[done.selectivity],
		Exact: done.depth == r.n && done.selectivity == noSelectivity,
	}
	if done.depth < ProbCutDepth {
		i.Percent = 100
	}
	if i.Exact {
		i.PrincipalVariation = r.w.exactVariation(r.board, m.x, score)
	} else {
		i.PrincipalVariation = r.w.principalVariation(r.board, m.x)
	}
	i.Nodes = r.nodes()
	return i
}

// stoppedInfo returns the result for the first move of a stopped round: its score is a lower bound,
// and its depth that of the last finished round.
func (r *root) stoppedInfo(next round) Info {
	m := &r.moves[0]
	return Info{
		Score: m.score, Depth: r.infos[0].Depth, Percent: percents[next.selectivity],
		PrincipalVariation: r.w.principalVariation(r.board, m.x), Nodes: r.nodes(),
	}
}

// nodes returns the nodes of all workers and stops the search if a limit is reached.
func (r *root) nodes() int64 {
	r.w.Check()
	nodes, _ := r.w.Spent()
	return nodes
}
