package search

import "math/bits"

// contents are the contents of all pattern instances in a position, four in a word. Each is a number
// in base three with a digit for each cell of the instance, the lowest for the first cell: 1 for a
// disc of the side to move, 2 for one of the opponent.
type contents []uint64

// instances are patterns at all of their places on a board.
type instances struct {
	// tables holds the index of the first weight of each instance.
	tables []int32
	// rows holds, for each cell, what a disc of the side to move adds to the contents.
	rows []contents
}

// lanes is the number of contents in a word, and laneBits the number of bits of each: enough for
// maxPatternCells digits.
const (
	lanes    = 4
	laneBits = 64 / lanes
)

// instancesOf returns the instances of patterns. All of their cells must be in the layout.
func instancesOf[W words](l *layout[W], patterns []pattern) *instances {
	var places []pattern
	in, table := new(instances), int32(0)
	for _, p := range patterns {
		for _, image := range p.images() {
			places = append(places, image)
			in.tables = append(in.tables, table)
		}
		table += int32(p.size())
	}
	in.rows = make([]contents, len(l.cells))
	for at := range in.rows {
		in.rows[at] = in.empty()
	}
	for k, p := range places {
		for i, c := range p.cells {
			in.rows[l.indices[c]][k/lanes] += uint64(power3[i]) << (k % lanes * laneBits)
		}
	}
	return in
}

// empty returns the contents of an empty board.
func (in *instances) empty() contents {
	return make(contents, (len(in.tables)+lanes-1)/lanes)
}

// index returns the index of the weight for the contents of instance k.
func (in *instances) index(c contents, k int) int32 {
	return in.tables[k] + int32(c[k/lanes]>>(k%lanes*laneBits)&(1<<laneBits-1))
}

// reading is a position with the contents of its patterns.
type reading[W words] struct {
	own, opp W
	contents contents
}

// read makes r the reading of another position. That takes less time for a similar one, since it
// changes the contents for the cells that differ.
func (l *layout[W]) read(r *reading[W], own, opp *W) {
	for i := range len(l.home) {
		home, newOwn, newOpp := l.home[i], (*own)[i], (*opp)[i]
		l.addAll(r.contents, i, home&newOwn&^r.own[i], 1)
		l.addAll(r.contents, i, home&r.own[i]&^newOwn, -1)
		l.addAll(r.contents, i, home&newOpp&^r.opp[i], 2)
		l.addAll(r.contents, i, home&r.opp[i]&^newOpp, -2)
	}
	r.own, r.opp = *own, *opp
}

// addAll adds a number to the digits of the cells with these home slots in a word. A digit can be out
// of range until all cells are read: the sum is right in the end.
func (l *layout[W]) addAll(c contents, word int, homes uint64, number int) {
	for ; homes != 0; homes &= homes - 1 {
		c.add(l.eval.instances.rows[l.cellOf[word*wordBits+bits.TrailingZeros64(homes)]], number)
	}
}

func (c contents) add(row contents, number int) {
	row = row[:len(c)]
	for k := range c {
		c[k] += row[k] * uint64(number)
	}
}

// readings are the last positions that a worker has read. A position is similar to the last one in
// which the same side is to move, and almost always that is the one with the same parity.
type readings[W words] struct {
	byParity [2]reading[W]
	// next holds the contents after a move.
	next contents
}

func newReadings[W words](in *instances) readings[W] {
	return readings[W]{[2]reading[W]{{contents: in.empty()}, {contents: in.empty()}}, in.empty()}
}

// contents returns the contents of a position. They hold until the next call.
func (w *worker[W]) contents(b *board[W]) contents {
	return w.contentsFor(&b.own, &b.opp, b.empties)
}

// contentsBefore returns the contents of a position from the view of the opponent, for contentsAfter.
func (w *worker[W]) contentsBefore(b *board[W]) contents {
	return w.contentsFor(&b.opp, &b.own, b.empties-1)
}

func (w *worker[W]) contentsFor(own, opp *W, empties int32) contents {
	if w.eval.tables == nil {
		return nil
	}
	r := &w.readings.byParity[empties&1]
	w.read(r, own, opp)
	return r.contents
}

// contentsAfter returns the contents after a placement in the position of contentsBefore. They hold
// until the next call.
func (w *worker[W]) contentsAfter(before contents, at int, f *flipSet[W]) contents {
	if before == nil {
		return nil
	}
	next := w.readings.next
	copy(next, before)
	next.add(w.eval.instances.rows[at], 2)
	for i := range len(w.home) {
		w.addAll(next, i, f.slots[i]&w.home[i], 1)
	}
	return next
}
