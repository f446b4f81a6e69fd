package search

import "math/bits"

// regions are sets of cells by the stability of a disc on them. They follow from the lines of a
// cell alone, so that they mean the same on all boards: a disc flips along a line only between two
// others, and so never along a line that ends at it.
type regions[W words] struct {
	// corners holds the slots of cells where all lines end, such as the corners of a square. A disc
	// there never flips.
	corners W
	// edges holds the slots of cells where all lines but one end, such as the edges of a square.
	edges W
	// others holds all other slots.
	others W
}

func newRegions[W words](l *layout[W]) (r regions[W]) {
	for i := range l.cells {
		c := &l.cells[i]
		switch c.linesThrough() {
		case 0:
			markAll(&r.corners, c)
		case 1:
			markAll(&r.edges, c)
		default:
			markAll(&r.others, c)
		}
	}
	return r
}

// linesThrough returns the number of lines that continue on both sides of the cell.
func (c *cell) linesThrough() (lines int) {
	for k := range c.count {
		if c.lines[k].up != 0 && c.lines[k].down != 0 {
			lines++
		}
	}
	return lines
}

// A feature is a property of a position; its value is usually a difference between the two sides.
const (
	mobility       = iota // slots of placements
	frontier              // pairs of an empty cell and a disc beside it
	turn                  // always 1: the value of having the move
	parity                // 1 if the number of empty cells is odd
	cornerDiscs           // discs on corners
	edgeBesideGap         // discs on edges beside an empty corner
	innerBesideGap        // other discs beside an empty corner
	edgeDiscs             // discs on edges
	besideEdgeGap         // discs inside, beside an empty cell of an edge
	discs                 // all discs
	features
)

// openFeatures returns the features that concern empty cells, with zeros for the others, and
// whether neither side has a placement.
func (l *layout[W]) openFeatures(b *board[W]) (f [features]int32, over bool) {
	own, opp := l.moveSlots(&b.own, &b.opp), l.moveSlots(&b.opp, &b.own)
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

// addDiscFeatures sets the other features.
func (l *layout[W]) addDiscFeatures(b *board[W], f *[features]int32) {
	r := &l.regions
	for i := range len(l.valid) {
		p, o, home := b.own[i], b.opp[i], l.home[i]
		free := l.valid[i] &^ (p | o)
		f[cornerDiscs] += ones(r.corners[i]&p&home) - ones(r.corners[i]&o&home)
		near := free & r.corners[i]
		near = near<<1 | near>>1
		f[edgeBesideGap] += ones(near&r.edges[i]&p) - ones(near&r.edges[i]&o)
		f[innerBesideGap] += ones(near&^r.edges[i]&p) - ones(near&^r.edges[i]&o)
		f[edgeDiscs] += ones(r.edges[i]&p&home) - ones(r.edges[i]&o&home)
		near = free & r.edges[i]
		near = (near<<1 | near>>1) &^ (r.edges[i] | r.corners[i])
		f[besideEdgeGap] += ones(near&p) - ones(near&o)
	}
	f[discs] = b.lead
}

func ones(word uint64) int32 { return int32(bits.OnesCount64(word)) }
