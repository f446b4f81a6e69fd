package alphabeta

import (
	"cmp"
	"math"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Finished games are worth finishedBonus more than their score, so that the smallest win is better
// than any estimate. All values lie within infinity.
const (
	finishedBonus = 1 << 20
	infinity      = math.MaxInt32
)

// worker searches the moves at the root.
type worker struct {
	limits.Counter
	mover rules.Side
	roots []root
	// estimated is set once the depth, not the end of a game, ends a variation of the iteration.
	estimated bool
}

// root is a move at the root: its index in reading order and the position after it.
type root struct {
	index int
	move  rules.Move
	next  rules.Position
}

// scored is a root with its value and its principal variation, without the move itself.
type scored struct {
	root
	value int
	pv    *variation
}

// variation is a linked list of moves.
type variation struct {
	move rules.Move
	next *variation
}

func newWorker(meter *limits.Meter, p rules.Position, moves []strategy.Candidate) *worker {
	w := &worker{Counter: limits.Counter{Meter: meter, Interval: 1}, mover: p.Turn()}
	for i, m := range moves {
		w.roots = append(w.roots, root{i, m.Move, play(p, m.Move)})
	}
	return w
}

// searchRoots returns the best lines, the best one first and equal ones in reading order. It
// returns false if a limit interrupts the iteration, which does not happen at depth 1.
func (w *worker) searchRoots(depth, lines int) ([]strategy.Line, bool) {
	w.estimated, w.MustFinish = false, depth == 1
	var best []scored
	for _, r := range w.roots {
		beta := -alphaFor(best, lines, r.index)
		value, pv := w.search(r.next, w.mover.Other(), depth-1, -infinity, beta)
		if w.Stopped() {
			return nil, false
		}
		best = insert(best, lines, scored{r, -value, pv})
	}
	w.MustFinish = false
	w.moveToFront(best)
	out := make([]strategy.Line, len(best))
	for i, s := range best {
		out[i] = s.line()
	}
	return out, true
}

// alphaFor returns the value that a root must exceed to be among the best lines. A root that comes
// before the last of them in reading order need only equal it: the result does not depend on the
// order of the search.
func alphaFor(best []scored, lines, index int) int {
	if len(best) < lines {
		return -infinity
	}
	last := best[lines-1]
	if index < last.index {
		return last.value - 1
	}
	return last.value
}

// insert puts a root in its place among the best lines, if it is one of them.
func insert(best []scored, lines int, s scored) []scored {
	i, _ := slices.BinarySearchFunc(best, s, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.index, b.index))
	})
	best = slices.Insert(best, i, s)
	return best[:min(len(best), lines)]
}

// moveToFront moves the best roots to the front, where the next iteration searches them first.
func (w *worker) moveToFront(best []scored) {
	order := make([]root, 0, len(w.roots))
	for _, s := range best {
		order = append(order, s.root)
	}
	for _, r := range w.roots {
		if !slices.ContainsFunc(best, func(s scored) bool { return s.index == r.index }) {
			order = append(order, r)
		}
	}
	w.roots = order
}

func (s scored) line() strategy.Line {
	l := strategy.Line{Score: scoreOf(s.value), Moves: []rules.Move{s.move}}
	for v := s.pv; v != nil; v = v.next {
		l.Moves = append(l.Moves, v.move)
	}
	return l
}

// search returns the value of a position for mover, the side to move. A value of alpha or less is
// an upper bound, one of beta or more a lower bound. The principal variation is complete if the
// value lies between them.
func (w *worker) search(
	p rules.Position, mover rules.Side, depth, alpha, beta int,
) (int, *variation) {
	if !w.Visit() {
		return 0, nil
	}
	if depth == 0 {
		return w.evaluate(p, mover), nil
	}
	moves := generate(p, depth > 1)
	if len(moves) == 0 {
		if finished(p) {
			return final(p, mover), nil
		}
		value, pv := w.search(play(p, rules.Pass), mover.Other(), depth-1, -beta, -alpha)
		return -value, &variation{rules.Pass, pv}
	}
	best, bestPV := -infinity, (*variation)(nil)
	for _, m := range moves {
		value, pv := w.search(play(p, m.move), mover.Other(), depth-1, -beta, -max(alpha, best))
		if value = -value; value > best {
			best = value
			if value > alpha {
				bestPV = &variation{m.move, pv}
			}
		}
		if best >= beta || w.Stopped() {
			break
		}
	}
	return best, bestPV
}

// evaluate returns the value of a position at the end of the depth.
func (w *worker) evaluate(p rules.Position, mover rules.Side) int {
	if finished(p) {
		return final(p, mover)
	}
	w.estimated = true
	return p.Score().Margin(mover)
}

// final returns the value of a finished game: its final score, moved beyond all estimates.
func final(p rules.Position, mover rules.Side) int {
	score := p.FinalScore().Margin(mover)
	return score + finishedBonus*cmp.Compare(score, 0)
}

// scoreOf returns the score, in discs or cards, that a value stands for.
func scoreOf(value int) int {
	switch {
	case value > finishedBonus:
		return value - finishedBonus
	case value < -finishedBonus:
		return value + finishedBonus
	}
	return value
}
