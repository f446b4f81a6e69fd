package alphabeta

import (
	"cmp"
	"math"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Finished games are worth won more than the difference, so that the smallest win is better than any estimate. No
// value is outside of infinity.
const (
	won      = 1 << 20
	infinity = math.MaxInt32
)

// tree is one search: the moves at its root and what was found on the way.
type tree struct {
	meter *limits.Meter
	mover rules.Side
	roots []root
	// estimated tells that a game was cut short by depth and not by its end.
	estimated bool
	// cutShort tells that the time was up, and that no value is to be used.
	cutShort bool
	// patient holds while the time does not count.
	patient bool
}

// root is a move to choose from: its place in reading order, and where it leads.
type root struct {
	index int
	move  rules.Move
	after rules.Position
}

// found is a root with its value and the line of play behind it.
type found struct {
	root
	value int
	rest  *line
}

// line is a list of moves.
type line struct {
	move rules.Move
	rest *line
}

func newTree(meter *limits.Meter, p rules.Position, moves []strategy.Candidate) *tree {
	t := &tree{meter: meter, mover: p.Turn()}
	for i, m := range moves {
		t.roots = append(t.roots, root{i, m.Move, play(p, m.Move)})
	}
	return t
}

// search returns the best lines to a depth, best first and in reading order where equal. It reports false if the
// time was up before the end, which at depth 1 it never is.
func (t *tree) search(depth, lines int) ([]strategy.Line, bool) {
	t.estimated, t.patient = false, depth == 1
	var best []found
	for _, r := range t.roots {
		value, rest := t.value(r.after, t.mover.Other(), depth-1, -infinity, -bar(best, lines, r.index))
		if t.cutShort {
			return nil, false
		}
		best = insert(best, lines, found{r, -value, rest})
	}
	t.bringForward(best)
	out := make([]strategy.Line, len(best))
	for i, f := range best {
		out[i] = f.line()
	}
	return out, true
}

// bar returns the value that a root must exceed to be among the best. To equal the last of them is enough for a
// root that comes before it in reading order, whatever order the roots are searched in.
func bar(best []found, lines, index int) int {
	if len(best) < lines {
		return -infinity
	}
	last := best[lines-1]
	if index < last.index {
		return last.value - 1
	}
	return last.value
}

// insert puts a root in its place among the best, if it has one.
func insert(best []found, lines int, f found) []found {
	i, _ := slices.BinarySearchFunc(best, f, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.index, b.index))
	})
	best = slices.Insert(best, i, f)
	return best[:min(len(best), lines)]
}

// bringForward moves the best roots to the front, where the next depth looks first.
func (t *tree) bringForward(best []found) {
	order := make([]root, 0, len(t.roots))
	for _, f := range best {
		order = append(order, f.root)
	}
	for _, r := range t.roots {
		if !slices.ContainsFunc(best, func(f found) bool { return f.index == r.index }) {
			order = append(order, r)
		}
	}
	t.roots = order
}

func (f found) line() strategy.Line {
	l := strategy.Line{Score: difference(f.value), Moves: []rules.Move{f.move}}
	for rest := f.rest; rest != nil; rest = rest.rest {
		l.Moves = append(l.Moves, rest.move)
	}
	return l
}

// value returns what a position is worth to the side whose turn it is, or would be if the game were not over. If
// that is alpha or less, or beta or more, it is a bound on that side. The line is that of best play, as far as it matters.
func (t *tree) value(p rules.Position, mover rules.Side, depth, alpha, beta int) (int, *line) {
	if !t.meter.Visit() && !t.patient {
		t.cutShort = true
	}
	if t.cutShort {
		return 0, nil
	}
	if depth == 0 {
		return t.leaf(p, mover), nil
	}
	moves := options(p, depth > 1)
	if len(moves) == 0 {
		if finished(p) {
			return final(p, mover), nil
		}
		value, rest := t.value(play(p, rules.Pass), mover.Other(), depth-1, -beta, -alpha)
		return -value, &line{rules.Pass, rest}
	}
	best, way := -infinity, (*line)(nil)
	for _, o := range moves {
		value, rest := t.value(play(p, o.move), mover.Other(), depth-1, -beta, -max(alpha, best))
		if value = -value; value > best {
			best = value
			if value > alpha {
				way = &line{o.move, rest}
			}
		}
		if best >= beta || t.cutShort {
			break
		}
	}
	return best, way
}

// leaf values a position that the search looks no further than.
func (t *tree) leaf(p rules.Position, mover rules.Side) int {
	if finished(p) {
		return final(p, mover)
	}
	t.estimated = true
	return p.Score().Margin(mover)
}

// final is the worth of a finished game: its real difference, outside the range of estimates.
func final(p rules.Position, mover rules.Side) int {
	difference := p.FinalScore().Margin(mover)
	return difference + won*cmp.Compare(difference, 0)
}

// difference takes back what makes the worth of a finished game differ from its score.
func difference(value int) int {
	switch {
	case value > won:
		return value - won
	case value < -won:
		return value + won
	}
	return value
}
