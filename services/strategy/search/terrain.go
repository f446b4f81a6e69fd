package search

import "math/bits"

// terrain sorts the slots of a layout by how safe a disc is there. What a cell is follows from its lines alone, so
// that it means the same on all boards: discs flip along a line only between two others, hence never along one that
// ends at them.
type terrain[W words] struct {
	// safe are the slots of cells where all lines end, such as the corners of a square: a disc there never flips.
	safe W
	// rim are the slots of cells where all lines but one end, such as the edges of a square.
	rim W
}

func newTerrain[W words](l *layout[W]) (t terrain[W]) {
	for i := range l.cells {
		c := &l.cells[i]
		switch c.through() {
		case 0:
			markAll(&t.safe, c)
		case 1:
			markAll(&t.rim, c)
		}
	}
	return t
}

// through counts the lines that go on from the cell both ways.
func (c *cell) through() (lines int) {
	for k := range c.count {
		if c.lines[k].up != 0 && c.lines[k].down != 0 {
			lines++
		}
	}
	return lines
}

// A feature is something about a position that both sides may have more or less of; its value is the difference.
const (
	mobility   = iota // slots to go to
	frontier          // pairs of an empty cell and a disc beside it
	turn              // always 1: what it is worth to be on turn
	parity            // 1 if the number of empty cells is odd
	safeCells         // discs on safe cells
	besideSafe        // discs on the rim beside a safe cell that is empty
	belowSafe         // other discs beside a safe cell that is empty
	rimCells          // discs on the rim
	besideRim         // discs inside, beside a cell of the rim that is empty
	discs             // all discs
	features
)

// activity finds the features that have to do with empty cells, and leaves the others at 0. It also reports whether
// neither side has anywhere to go.
func (l *layout[W]) activity(b *board[W]) (f [features]int32, over bool) {
	own, opp := l.landings(&b.own, &b.opp), l.landings(&b.opp, &b.own)
	over = true
	for i := range len(own) {
		p, o := b.own[i], b.opp[i]
		free := l.valid[i] &^ (p | o)
		over = over && own[i]|opp[i] == 0
		f[mobility] += ones(own[i]) - ones(opp[i])
		f[frontier] += ones(free<<1&p) + ones(free>>1&p) - ones(free<<1&o) - ones(free>>1&o)
	}
	f[turn], f[parity] = 1, b.empties&1
	return f, over
}

// count finds the other features.
func (l *layout[W]) count(b *board[W], f *[features]int32) {
	t := &l.terrain
	for i := range len(l.valid) {
		p, o, home := b.own[i], b.opp[i], l.home[i]
		free := l.valid[i] &^ (p | o)
		f[safeCells] += ones(t.safe[i]&p&home) - ones(t.safe[i]&o&home)
		near := free & t.safe[i]
		near = near<<1 | near>>1
		f[besideSafe] += ones(near&t.rim[i]&p) - ones(near&t.rim[i]&o)
		f[belowSafe] += ones(near&^t.rim[i]&p) - ones(near&^t.rim[i]&o)
		f[rimCells] += ones(t.rim[i]&p&home) - ones(t.rim[i]&o&home)
		near = free & t.rim[i]
		near = (near<<1 | near>>1) &^ (t.rim[i] | t.safe[i])
		f[besideRim] += ones(near&p) - ones(near&o)
	}
	f[discs] = b.lead
}

func ones(word uint64) int32 { return int32(bits.OnesCount64(word)) }
