package search

import (
	"cmp"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// geometry is that part of a board which can still matter in the games that go on from a position: the cells that
// hold a disc or may ever hold one, and the lines along which their discs can flip.
//
// A disc comes to a cell only next to a disc with another behind it, so a cell may be filled only if in some
// direction the next two may be, or are. From the usual start that leaves out every cell of a hexagon with q and r
// both even, which breaks a third of the lines to pieces too short to matter: five rings have 72 cells on 18 lines
// instead of 91 on 33.
type geometry struct {
	// cells are those on a line, in reading order. Every empty one may be filled; a disc on none of the lines can
	// never flip, and nothing flips by it, so that it is not here.
	cells []rules.Cell
	// lines are runs of at least three cells, as indices in cells.
	lines [][]int
}

// shortest is the length of a line on which something can flip: own, opposing, own.
const shortest = 3

// An axis is one of the ways in which lines go.
type axis struct{ a, b int }

var (
	hexagonAxes = []axis{{1, 0}, {0, 1}, {1, -1}}
	squareAxes  = []axis{{0, 1}, {1, 0}, {1, 1}, {1, -1}}
)

func axesOf(b *reversi.Board) []axis {
	if b.Shape() == reversi.Hexagon {
		return hexagonAxes
	}
	return squareAxes
}

// step returns the cell so many steps along the axis.
func (x axis) step(c rules.Cell, steps int) rules.Cell {
	if c.Hexagonal() {
		q, r := c.Axial()
		return rules.HexCell(q+steps*x.a, r+steps*x.b)
	}
	row, column := c.RowColumn()
	return rules.SquareCell(row+steps*x.a, column+steps*x.b)
}

func newGeometry(p *reversi.Position) geometry {
	m := newChart(p.Board())
	alive := m.fillable(p)
	onLine := make([]bool, len(m.cells))
	var runs [][]int
	for x := range m.axes {
		for i := range m.cells {
			if !alive[i] || alive[m.next(i, x, -1)] {
				continue
			}
			if run := m.runFrom(i, x, alive); len(run) >= shortest {
				runs = append(runs, run)
				for _, i := range run {
					onLine[i] = true
				}
			}
		}
	}
	return m.keep(onLine, runs)
}

// chart is all cells of a board and how they lie to each other.
type chart struct {
	axes  []axis
	cells []rules.Cell
	// at is where a cell is in cells; outside is where a cell off the board would be.
	at      map[rules.Cell]int
	outside int
}

func newChart(b *reversi.Board) chart {
	m := chart{axes: axesOf(b), cells: b.Cells(), at: map[rules.Cell]int{}}
	m.outside = len(m.cells)
	for i, c := range m.cells {
		m.at[c] = i
	}
	return m
}

// next returns the cell so many steps along an axis.
func (m *chart) next(i, x, steps int) int {
	if next, ok := m.at[m.axes[x].step(m.cells[i], steps)]; ok {
		return next
	}
	return m.outside
}

func (m *chart) runFrom(i, x int, alive []bool) (run []int) {
	for ; alive[i]; i = m.next(i, x, 1) {
		run = append(run, i)
	}
	return run
}

// keep makes a geometry of the cells on lines.
func (m *chart) keep(onLine []bool, runs [][]int) geometry {
	g := geometry{lines: runs}
	indices := make([]int, len(m.cells))
	for i, c := range m.cells {
		if onLine[i] {
			indices[i] = len(g.cells)
			g.cells = append(g.cells, c)
		}
	}
	for _, run := range runs {
		for k, i := range run {
			run[k] = indices[i]
		}
	}
	return g
}

// fillable returns which cells hold a disc or may ever hold one: those with discs, and again and again those with two
// of them in a row beside them, until there are no more. What is outside never is.
func (m *chart) fillable(p *reversi.Position) []bool {
	alive := make([]bool, len(m.cells)+1)
	var empty []int
	for i, c := range m.cells {
		if alive[i] = p.At(c) != rules.NoSide; !alive[i] {
			empty = append(empty, i)
		}
	}
	reachable := func(i int) bool {
		for x := range m.axes {
			if alive[m.next(i, x, 1)] && alive[m.next(i, x, 2)] || alive[m.next(i, x, -1)] && alive[m.next(i, x, -2)] {
				return true
			}
		}
		return false
	}
	for grown := true; grown; {
		before := len(empty)
		empty = slices.DeleteFunc(empty, func(i int) bool {
			alive[i] = reachable(i)
			return alive[i]
		})
		grown = len(empty) < before
	}
	return alive
}

// wordBits is the number of slots in a word.
const wordBits = 64

// pack gives every cell of every line a slot: a bit of a word. The slots of a line follow each other in one word,
// and a free one separates it from the next, so that shifting a word or adding to it works on all its lines at
// once. It returns the first slot of each line and the number of words. The longest lines are packed first, each
// into the first word with room for it.
func (g geometry) pack() (starts []int, count int) {
	order := make([]int, len(g.lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(g.lines[b]), len(g.lines[a])) })
	starts = make([]int, len(g.lines))
	var used []int
	for _, line := range order {
		length := len(g.lines[line])
		word := slices.IndexFunc(used, func(bits int) bool { return bits+length <= wordBits })
		if word < 0 {
			word = len(used)
			used = append(used, 0)
		}
		starts[line] = word*wordBits + used[word]
		used[word] += length + 1
	}
	return starts, len(used)
}
