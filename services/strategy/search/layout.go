package search

import (
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// words is a set of slots, in as many words as a board needs: 2 for three and four rings from the usual start, 3 for
// five rings and 6x6, 4 for six and seven rings, 16 for twelve. The largest are for positions out of which every cell of a
// large board may be filled.
type words interface {
	[2]uint64 | [3]uint64 | [4]uint64 | [8]uint64 | [16]uint64 | [32]uint64
}

// layout is the tables of a geometry. It is immutable.
//
// Each cell has a slot for every line it is on, and a disc on it is marked in all of them. So what happens along a
// line happens within a word, however large the board, and moves are found for several lines at once.
type layout[W words] struct {
	cells []cell
	// cellOf is the cell that a slot is of.
	cellOf []int16
	// valid are the slots in use, home the first slot of every cell.
	valid, home W
	// long tells that runs may be longer than eight discs.
	long bool
	terrain[W]
	eval       evaluation
	symmetries []symmetry

	rules ruleset
	// dead is how many cells stay empty for ever.
	dead int
}

// ruleset is what differs between games on the same board. Passing is as if forced in all of them.
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

// ray is a line seen from a cell on it: the cell's slot, and those of the cells on either side.
type ray struct {
	slot
	up, down uint64
}

// newLayout makes the tables for a position whose geometry packs into starts.
func newLayout[W words](p *reversi.Position, g geometry, starts []int) *layout[W] {
	l := &layout[W]{cells: make([]cell, len(g.cells)), rules: ruleset{p.MinFlips(), p.EmptiesToWinner()}}
	l.cellOf = make([]int16, len(l.valid)*wordBits)
	for i, line := range g.lines {
		l.addLine(line, starts[i])
	}
	score := p.Score()
	l.dead = len(p.Board().Cells()) - score.First - score.Second
	random := rand.New(rand.NewPCG(zobristSeed, 0))
	for i, at := range g.cells {
		c := &l.cells[i]
		c.at, c.key, c.home = at, random.Uint64(), c.lines[0].slot
		l.home[c.home.word] |= c.home.bit
		if p.At(at) == rules.NoSide {
			l.dead--
		}
	}
	l.terrain = newTerrain(l)
	l.eval = newEvaluation(l, p.Board())
	l.symmetries = l.newSymmetries(p.Board())
	return l
}

// zobristSeed makes keys the same in every run.
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
