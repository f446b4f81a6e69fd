package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
)

// root is a move to choose from.
type root[W words] struct {
	child[W]
	// index is its place in reading order.
	index int
	// value is from the last depth, in that depth's unit; -unbounded if all that is known is that others are better.
	value int
	rest  []int16
}

// roots returns the moves of a position in reading order: its placements, or a pass if there are none.
func (s *searcher[W]) roots(b *board[W]) []root[W] {
	s.stack = s.stack[:0]
	s.expand(b, 1, noMove)
	if len(s.stack) == 0 {
		return []root[W]{{child: child[W]{board: b.passed(), at: noMove}}}
	}
	slices.SortFunc(s.stack, func(a, b child[W]) int { return cmp.Compare(a.at, b.at) })
	roots := make([]root[W], len(s.stack))
	for i, c := range s.stack {
		roots[i] = root[W]{child: c, index: i}
	}
	s.stack = s.stack[:0]
	return roots
}

// rank searches the roots to a depth, in order, and puts the best so many of them in front, best first. Values outside
// of alpha and beta are bounds. It reports false if the search was stopped, and then nothing has changed.
func (s *searcher[W]) rank(roots []root[W], depth, alpha, beta, lines int) bool {
	found := slices.Clone(roots)
	var best []int
	for i := range found {
		r := &found[i]
		bar := alpha
		if len(best) == lines {
			bar = max(bar, best[lines-1])
		}
		r.rest = nil
		value := s.narrow(&r.board, s.afterRoot(r, depth), bar, beta, i < lines, &r.rest)
		if s.Stopped() {
			return false
		}
		r.value = -unbounded
		if value > bar || i < lines {
			r.value = value
			at, _ := slices.BinarySearchFunc(best, value, func(a, b int) int { return cmp.Compare(b, a) })
			best = slices.Insert(best, at, value)
			best = best[:min(len(best), lines)]
		}
		if value >= beta {
			break
		}
	}
	slices.SortStableFunc(found, func(a, b root[W]) int { return cmp.Compare(b.value, a.value) })
	copy(roots, found)
	return true
}

// afterRoot is the depth after a move at the root. A pass costs none.
func (s *searcher[W]) afterRoot(r *root[W], depth int) int {
	if r.at == noMove {
		return depth
	}
	return below(depth)
}

// aspire ranks the roots inside a window about the value expected, and widens the window until it holds the value. It
// never narrows it on the other side: what one window finds, another need not confirm, since the table has learnt
// something in between, and two that contradict each other would take turns for ever.
func (s *searcher[W]) aspire(roots []root[W], depth, expected, lines int) bool {
	width := aspiration
	if depth == toEnd {
		width = aspiration / unit
	}
	alpha, beta := expected-width, expected+width
	if lines > 1 || depth < aspireFrom {
		alpha, beta = -unbounded, unbounded
	}
	for {
		if !s.rank(roots, depth, alpha, beta, lines) {
			return false
		}
		width *= 4
		switch value := roots[0].value; {
		case value <= alpha && alpha > -unbounded:
			alpha = max(-unbounded, value-width)
		case value >= beta && beta < unbounded:
			beta = min(unbounded, value+width)
		default:
			return true
		}
	}
}

// aspiration is how far from what is expected a value is looked for at first, in units, and aspireFrom the depth from
// which there is something to expect.
const (
	aspiration = 2 * unit
	aspireFrom = 4
)

// lines turns the best roots into lines, equal ones in reading order.
func (s *searcher[W]) lines(roots []root[W], depth, count int) []strategy.Line {
	best := slices.Clone(roots[:min(count, len(roots))])
	slices.SortStableFunc(best, func(a, b root[W]) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.index, b.index))
	})
	lines := make([]strategy.Line, len(best))
	for i, r := range best {
		lines[i] = strategy.Line{Score: inDiscs(r.value, depth), Moves: []rules.Move{s.move(r.at)}}
		for _, at := range r.rest {
			lines[i].Moves = append(lines[i].Moves, s.move(at))
		}
	}
	return lines
}

func inDiscs(value, depth int) int {
	if depth == toEnd {
		return value
	}
	return int(math.Round(float64(value) / unit))
}

func (s *searcher[W]) move(at int16) rules.Move {
	if at == noMove {
		return rules.Pass
	}
	return rules.Place(s.cells[at].at)
}
