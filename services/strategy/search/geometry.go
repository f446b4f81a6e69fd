package search

import (
	"cmp"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// geometry is the part of a board that matters in the games from a position: the cells that hold a
// disc or can ever hold one, and the lines along which their discs can flip.
//
// A disc is placed next to a disc with another one behind it. So a cell can be filled only if, in
// some direction, the next two cells can be or are. From the usual start this leaves out each cell
// of a hexagon with q and r both even, and a third of the lines breaks into pieces that are too
// short: five rings have 72 cells on 18 lines instead of 91 cells on 33.
type geometry struct {
	// cells are the cells on a line, in reading order. Each empty one can be filled. A disc on no
	// line never flips and never flips another, so it is not in cells.
	cells []rules.Cell
	// lines are runs of at least three cells, as indices in cells.
	lines [][]int
}

// minLine is the length of the shortest line on which a disc can flip: own, opposing, own.
const minLine = 3

// An axis is a direction of lines.
type axis struct{ a, b int }

var (
	hexagonAxes = [...]axis{{1, 0}, {0, 1}, {1, -1}}
	squareAxes  = [...]axis{{0, 1}, {1, 0}, {1, 1}, {1, -1}}
)

func axesOf(b *reversi.Board) []axis {
	if b.Shape() == reversi.Hexagon {
		return hexagonAxes[:]
	}
	return squareAxes[:]
}

// step returns the cell a number of steps along the axis.
func (x axis) step(c rules.Cell, steps int) rules.Cell {
	if c.Hexagonal() {
		q, r := c.Axial()
		return rules.HexCell(q+steps*x.a, r+steps*x.b)
	}
	row, column := c.RowColumn()
	return rules.SquareCell(row+steps*x.a, column+steps*x.b)
}

func newGeometry(p *reversi.Position) geometry {
	m := newGrid(p.Board())
	fillable := m.fillable(p)
	onLine := make([]bool, len(m.cells))
	var runs [][]int
	for x := range m.axes {
		for i := range m.cells {
			if !fillable[i] || fillable[m.beside[i][x][0]] {
				continue
			}
			if run := m.runFrom(i, x, fillable); len(run) >= minLine {
				runs = append(runs, run)
				for _, i := range run {
					onLine[i] = true
				}
			}
		}
	}
	return m.geometry(onLine, runs)
}

// grid holds all cells of a board and their neighbours.
type grid struct {
	axes  []axis
	cells []rules.Cell
	// beside holds the indices of the neighbours of each cell, before and after it on each axis; outside
	// is the index of a cell off the board.
	beside  [][len(squareAxes)][2]int
	outside int
}

func newGrid(b *reversi.Board) grid {
	m := grid{axes: axesOf(b), cells: b.Cells()}
	m.outside = len(m.cells)
	at := make(map[rules.Cell]int, len(m.cells))
	for i, c := range m.cells {
		at[c] = i
	}
	m.beside = make([][len(squareAxes)][2]int, len(m.cells))
	for i, c := range m.cells {
		for x, axis := range m.axes {
			for side, steps := range []int{-1, 1} {
				next, ok := at[axis.step(c, steps)]
				if !ok {
					next = m.outside
				}
				m.beside[i][x][side] = next
			}
		}
	}
	return m
}

func (m *grid) runFrom(i, x int, fillable []bool) (run []int) {
	for ; fillable[i]; i = m.beside[i][x][1] {
		run = append(run, i)
	}
	return run
}

// geometry returns the geometry of the cells on lines.
func (m *grid) geometry(onLine []bool, runs [][]int) geometry {
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

// fillable reports for each cell whether it holds a disc or can ever hold one. It starts with the
// discs and adds cells with two fillable cells in a row beside them until there are no more. The
// index outside is never fillable.
func (m *grid) fillable(p *reversi.Position) []bool {
	fillable := make([]bool, len(m.cells)+1)
	var empty []int
	for i, c := range m.cells {
		if fillable[i] = p.At(c) != rules.NoSide; !fillable[i] {
			empty = append(empty, i)
		}
	}
	reachable := func(i int) bool {
		for x := range m.axes {
			for side, next := range m.beside[i][x] {
				if fillable[next] && fillable[m.beside[next][x][side]] {
					return true
				}
			}
		}
		return false
	}
	for grown := true; grown; {
		before := len(empty)
		empty = slices.DeleteFunc(empty, func(i int) bool {
			fillable[i] = reachable(i)
			return fillable[i]
		})
		grown = len(empty) < before
	}
	return fillable
}

// wordBits is the number of slots in a word.
const wordBits = 64

// pack assigns each cell of each line a slot, which is a bit of a word. The slots of a line are
// neighbours in one word and a free slot separates two lines, so that shifts and additions work on
// all lines of a word at once. It returns the first slot of each line and the number of words. It
// packs the longest lines first, each into the first word with room for it.
func (g geometry) pack() (starts []int, count int) {
	order := make([]int, len(g.lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(len(g.lines[b]), len(g.lines[a]))
	})
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
