package othello

import "slices"

// round is one iteration of iterative deepening.
type round struct {
	depth       int
	selectivity selectivity
}

const (
	// solvableEmpties is the number of empty cells up to which a decided game is solved without
	// midgame rounds.
	solvableEmpties = 30
	// confidentDepth is the depth from which midgame rounds cut less: the errors of many cuts on top
	// of each other add up.
	confidentDepth = 17
	// lastMidgameDepth is the distance of the deepest midgame round from the end of the game.
	lastMidgameDepth = 8
)

// rounds returns the rounds of this search: ply by ply through the midgame, then to the end of the
// game. Selective rounds to the end come first, with fewer and fewer cuts: they fill the table with
// good moves. Without them all rounds together take 13 % more nodes; with two of them instead of
// four, 40 % more on a board with 25 empty cells.
func (r *root) rounds() (rounds []round) {
	last := r.n
	if r.options.Depth > 0 {
		last = min(last, r.options.Depth)
	}
	midgame := last
	if last == r.n {
		midgame = r.n - lastMidgameDepth
	}
	for depth := 1; depth <= midgame; depth++ {
		rounds = append(rounds, round{depth, r.midgameSelectivity(depth)})
	}
	if last < r.n {
		return rounds
	}
	if r.n >= evaluatedEmpties && !r.options.FullWidth {
		rounds = append(rounds, round{r.n, 0}, round{r.n, 1}, round{r.n, 2}, round{r.n, 3})
	}
	return append(rounds, round{r.n, noSelectivity})
}

// midgameSelectivity returns the selectivity of a midgame round.
func (r *root) midgameSelectivity(depth int) selectivity {
	switch {
	case r.options.FullWidth:
		return noSelectivity
	case depth >= confidentDepth:
		return 1
	default:
		return 0
	}
}

// deepen searches the rounds until one is stopped.
func (r *root) deepen() {
	if len(r.moves) == 0 {
		r.deepenWithoutMove()
		return
	}
	r.infos = []Info{{PrincipalVariation: []Square{r.moves[0].x}}}
	for _, next := range r.rounds() {
		if next.depth < r.n && r.decided() && r.solvable() {
			continue
		}
		finished := r.searchRound(next)
		if (finished || r.hasBetterMove()) && !r.yield(slices.Clone(r.infos)) || !finished {
			return
		}
	}
}

// decided reports whether the evaluation gives almost all discs to one side. More midgame rounds
// could not distinguish the moves and cost more than the rounds to the end of the game.
func (r *root) decided() bool {
	return r.infos[0].Depth >= 6 && max(r.infos[0].Score, -r.infos[0].Score) >= 58
}

// solvable reports whether the rounds include some to the end of the game, with a limited number of
// empty cells.
func (r *root) solvable() bool {
	return r.n <= solvableEmpties && (r.options.Depth == 0 || r.options.Depth >= r.n)
}

// deepenWithoutMove searches a board whose side to move must pass. A finished game gets its score.
func (r *root) deepenWithoutMove() {
	passed := r.board.Pass()
	if passed.Moves() == 0 {
		r.infos = []Info{{Score: r.w.scoring.Final(r.board), Exact: true, Percent: 100}}
		return
	}
	negate := func(infos []Info) []Info {
		i := infos[0]
		i.Score = -i.Score
		i.PrincipalVariation = append([]Square{Pass}, i.PrincipalVariation...)
		return []Info{i}
	}
	yield := func(infos []Info) bool { return r.yield(negate(infos)) }
	child := newRoot(r.w, passed, r.options, yield)
	child.deepen()
	r.infos = negate(child.infos)
}
