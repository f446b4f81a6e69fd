package othello

import "math/bits"

// ray holds the cells of the eight lines that start beside a square: four run towards higher bits, four towards lower.
type ray struct{ up, down [4]uint64 }

// rays is the table of lines of each square, four kilobytes in all.
var rays = makeRays()

// steps are the four directions towards higher bits, as file and rank: east, south west, south, south east.
var steps = [4][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}

func makeRays() (table [64]ray) {
	for x := range 64 {
		for i, s := range steps {
			table[x].up[i] = line(x, s[0], s[1])
			table[x].down[i] = line(x, -s[0], -s[1])
		}
	}
	return table
}

// line is the set of cells met when walking from x in one direction to the edge.
func line(x, df, dr int) (cells uint64) {
	for f, r := x%8+df, x/8+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
		cells |= 1 << (f + 8*r)
	}
	return cells
}

// flips is the set of o's discs that p outflanks by playing x; none means x is not a move.
// It has no loops and next to no branches.
func flips(p, o uint64, x Square) uint64 {
	r := &rays[x&63]
	return flipUp(p, o, r.up[0]) | flipUp(p, o, r.up[1]) | flipUp(p, o, r.up[2]) | flipUp(p, o, r.up[3]) |
		flipDown(p, o, r.down[0]) | flipDown(p, o, r.down[1]) | flipDown(p, o, r.down[2]) | flipDown(p, o, r.down[3])
}

// flipUp flips along a line towards higher bits. With every bit outside the line set, adding one carries through
// the opponent's run to the first cell of the line that is not his; the run flips if that cell is p's.
func flipUp(p, o, line uint64) uint64 {
	end := ((o | ^line) + 1) & line & p
	_, some := bits.Sub64(0, end, 0)
	return (end - some) & line
}

// flipDown flips along a line towards lower bits, where the first cell that is not the opponent's is the highest one.
// A line full of his discs has none: the shift by 64 then gives 0.
func flipDown(p, o, line uint64) uint64 {
	end := (1 << 63 >> bits.LeadingZeros64(line&^o)) & p
	return (-end << 1) & line
}
