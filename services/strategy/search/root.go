package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
)

// root is a move at the root.
type root[W words] struct {
	child[W]
	// index is its index in reading order.
	index int
	// value is its value in the last iteration, in the unit of that depth. It is -unbounded if the
	// search only found that other moves are better.
	value int
	// pv is the principal variation after the move.
	pv []int16
}

// roots returns the moves of a position in reading order: its placements, or a pass if there is no
// placement.
func (w *worker[W]) roots(b *board[W]) []root[W] {
	w.stack = w.stack[:0]
	w.generate(b, 1, noMove)
	if len(w.stack) == 0 {
		return []root[W]{{child: child[W]{board: b.pass(), at: noMove}}}
	}
	slices.SortFunc(w.stack, func(a, b child[W]) int { return cmp.Compare(a.at, b.at) })
	roots := make([]root[W], len(w.stack))
	for i, c := range w.stack {
		roots[i] = root[W]{child: c, index: i}
	}
	w.stack = w.stack[:0]
	return roots
}

// searchRoots searches the roots in order and sorts them, the best first. It finds the exact values
// of as many roots as lines are requested; values outside of alpha and beta are bounds. It returns
// false, and changes nothing, if a limit interrupts it.
func (w *worker[W]) searchRoots(roots []root[W], depth, alpha, beta, lines int) (finished bool) {
	found := slices.Clone(roots)
	var best []int
	for i := range found {
		r := &found[i]
		minimum := alpha
		if len(best) == lines {
			minimum = max(minimum, best[lines-1])
		}
		r.pv = nil
		value := w.searchChild(&r.board, w.depthAfter(r, depth), minimum, beta, i < lines, &r.pv)
		if w.Stopped() {
			return false
		}
		r.value = -unbounded
		if value > minimum || i < lines {
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

// depthAfter returns the depth after a root. A pass is no ply.
func (w *worker[W]) depthAfter(r *root[W], depth int) int {
	if r.at == noMove {
		return depth
	}
	return below(depth)
}

// searchAspiration searches the roots with a window around the expected value and widens it until
// it holds the value. It never narrows the other side: the table changes between two searches, so
// two windows could contradict each other forever. It returns false if a limit interrupts it.
func (w *worker[W]) searchAspiration(roots []root[W], depth, expected, lines int) (finished bool) {
	width := aspirationWidth
	if depth == toEnd {
		width = aspirationWidth / unit
	}
	alpha, beta := expected-width, expected+width
	if lines > 1 || depth < aspirationDepth {
		alpha, beta = -unbounded, unbounded
	}
	for {
		if !w.searchRoots(roots, depth, alpha, beta, lines) {
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

// aspirationWidth is the first distance of the window's ends from the expected value, in units, and
// aspirationDepth the least depth with an aspiration window.
const (
	aspirationWidth = 2 * unit
	aspirationDepth = 4
)

// lines returns the lines of the best roots, equal ones in reading order.
func (w *worker[W]) lines(roots []root[W], depth, count int) []strategy.Line {
	best := slices.Clone(roots[:min(count, len(roots))])
	slices.SortStableFunc(best, func(a, b root[W]) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.index, b.index))
	})
	lines := make([]strategy.Line, len(best))
	for i, r := range best {
		lines[i] = strategy.Line{Score: inDiscs(r.value, depth), Moves: []rules.Move{w.move(r.at)}}
		for _, at := range r.pv {
			lines[i].Moves = append(lines[i].Moves, w.move(at))
		}
	}
	return lines
}

// inDiscs converts a value of a search to some depth.
func inDiscs(value, depth int) int {
	if depth == toEnd {
		return value
	}
	return int(math.Round(float64(value) / unit))
}

func (w *worker[W]) move(at int16) rules.Move {
	if at == noMove {
		return rules.Pass
	}
	return rules.Place(w.cells[at].at)
}
