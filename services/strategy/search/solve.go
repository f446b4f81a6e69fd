package search

import "math/bits"

// solveEmpties is the number of empty cells from which solve tries each cell, without move
// generation, move ordering and table. It is low since lines of a hexagon meet seldom, so that many
// move orders lead to the same position: with four empty cells the table halves the nodes and saves
// a third of the time, with three it saves none.
const solveEmpties = 3

// emptyCells are the empty cells of a position with few of them.
type emptyCells struct {
	cells [solveEmpties]int16
	count int
}

func (e emptyCells) without(i int) emptyCells {
	e.count--
	e.cells[i] = e.cells[e.count]
	return e
}

// solve is zeroWindow at depth toEnd for the last few cells.
func (w *worker[W]) solve(b *board[W], alpha int) int {
	var empty emptyCells
	for i := range len(w.home) {
		for word := w.home[i] &^ (b.own[i] | b.opp[i]); word != 0; word &= word - 1 {
			empty.cells[empty.count] = w.cellOf[i*wordBits+bits.TrailingZeros64(word)]
			empty.count++
		}
	}
	return w.solveCells(b, empty, alpha, false)
}

// solveCells is solve for given empty cells. passed means that the last move was a pass.
func (w *worker[W]) solveCells(b *board[W], empty emptyCells, alpha int, passed bool) int {
	if empty.count == 1 {
		return w.solveLast(b, int(empty.cells[0]))
	}
	w.Nodes++
	best := -unbounded
	for i := range empty.count {
		at := int(empty.cells[i])
		f := w.flips(b, at)
		if int(f.count) < w.rules.minFlips {
			continue
		}
		next := w.play(b, at, &f)
		if value := -w.solveCells(&next, empty.without(i), -alpha-1, false); value > best {
			if best = value; best > alpha {
				return best
			}
		}
	}
	switch {
	case best > -unbounded:
		return best
	case passed || empty.count == 0:
		return w.final(b.lead, b.empties)
	}
	other := b.pass()
	return -w.solveCells(&other, empty, -alpha-1, true)
}

// solveLast returns the score of a position with one empty cell, which either side can fill.
func (w *worker[W]) solveLast(b *board[W], at int) int {
	w.Nodes++
	if count := w.countFlips(b, at); int(count) >= w.rules.minFlips {
		return w.final(b.lead+1+2*count, 0)
	}
	other := b.pass()
	if count := w.countFlips(&other, at); int(count) >= w.rules.minFlips {
		return w.final(b.lead-1-2*count, 0)
	}
	return w.final(b.lead, b.empties)
}
