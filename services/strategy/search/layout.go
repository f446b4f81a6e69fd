package search

import (
	"math/rand/v2"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// words is a set of slots in the number of words that a board needs: from the usual start, 2 for
// three and four rings, 3 for five rings and 6x6, 4 for six and seven rings, 16 for twelve. The
// largest are for positions of large boards in which every cell can be filled.
type words interface {
	[2]uint64 | [3]uint64 | [4]uint64 | [8]uint64 | [16]uint64 | [32]uint64
}

// layout holds the tables of a geometry. It is immutable.
//
// A cell has a slot for each line that it is on, and a disc on it is marked in all of them. So the
// discs of a line are neighbouring bits of one word on any board, and moves are found for several
// lines at once.
type layout[W words] struct {
	cells []cell
	// indices are the indices of the cells.
	indices map[rules.Cell]int16
	// cellOf is the cell of each slot.
	cellOf []int16
	// valid holds the slots in use, home the first slot of each cell.
	valid, home W
	// long reports whether a run can be longer than eight discs.
	long bool
	regions[W]
	eval       evaluation
	symmetries []symmetry

	rules ruleset
	// dead is the number of cells that always stay empty.
	dead int
	// fixedLead is the lead of rules.First among the discs that are on no line and never flip.
	fixedLead int
}

// sameAs reports whether the positions of two layouts have the same keys and values.
func (l *layout[W]) sameAs(o *layout[W]) bool {
	return l.rules == o.rules && l.dead == o.dead && l.fixedLead == o.fixedLead &&
		slices.Equal(l.cells, o.cells)
}

// ruleset holds the rules that differ between games on the same board. The search plays as if
// passing were forced.
type ruleset struct {
	minFlips        int
	emptiesToWinner bool
}

// cell is a cell with its lines.
type cell struct {
	at    rules.Cell
	lines [4]ray
	count int
	// key is the Zobrist key of a disc of the side to move here.
	key  uint64
	home slot
}

// slot is a bit of a word.
type slot struct {
	word int
	bit  uint64
}

// ray is a line from the point of view of a cell: the cell's slot and the slots on either side.
type ray struct {
	slot
	up, down uint64
}

// newLayout returns the layout, without an evaluation, of a position whose geometry packs into starts.
func newLayout[W words](p *reversi.Position, g geometry, starts []int) *layout[W] {
	l := &layout[W]{
		cells: make([]cell, len(g.cells)), indices: make(map[rules.Cell]int16, len(g.cells)),
		rules: ruleset{p.MinFlips(), p.EmptiesToWinner()},
	}
	l.cellOf = make([]int16, len(l.valid)*wordBits)
	for i, line := range g.lines {
		l.addLine(line, starts[i])
	}
	score := p.Score()
	l.dead = len(p.Board().Cells()) - score.First - score.Second
	l.fixedLead = score.Margin(rules.First)
	random := rand.New(rand.NewPCG(zobristSeed, 0))
	for i, at := range g.cells {
		c := &l.cells[i]
		l.indices[at] = int16(i)
		c.at, c.key, c.home = at, random.Uint64(), c.lines[0].slot
		l.home[c.home.word] |= c.home.bit
		switch p.At(at) {
		case rules.NoSide:
			l.dead--
		case rules.First:
			l.fixedLead--
		default:
			l.fixedLead++
		}
	}
	l.regions = newRegions(l)
	l.symmetries = l.newSymmetries(p.Board())
	return l
}

// zobristSeed makes the keys deterministic.
const zobristSeed = 0x7e11d15c

func (l *layout[W]) addLine(line []int, start int) {
	word, first := start/wordBits, start%wordBits
	all := (uint64(1)<<len(line) - 1) << first
	l.valid[word] |= all
	l.long = l.long || len(line) > 10
	for i, at := range line {
		bit := uint64(1) << (first + i)
		below := all & (bit - 1)
		c := &l.cells[at]
		c.lines[c.count] = ray{slot{word, bit}, all &^ below &^ bit, below}
		c.count++
		l.cellOf[start+i] = int16(at)
	}
}
