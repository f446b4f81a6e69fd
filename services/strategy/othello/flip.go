package othello

import "math/bits"

// ray holds the lines from a square to the edge: four with growing bit numbers, four with falling
// ones. The square itself is excluded.
type ray struct{ up, down [4]uint64 }

// rays holds the lines of each square. It takes four kilobytes.
var rays = makeRays()

// steps holds the four directions with growing bit numbers, as file and rank: east, south-west,
// south, south-east.
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

// line returns the cells from x, exclusive, to the edge in one direction.
func line(x, df, dr int) (cells uint64) {
	for f, r := x%8+df, x/8+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
		cells |= 1 << (f + 8*r)
	}
	return cells
}

// flipsPortable is flips for every processor. It has no loops and almost no branches.
func flipsPortable(p, o uint64, x Square) uint64 {
	r := &rays[x&63]
	return flipUp(p, o, r.up[0]) | flipUp(p, o, r.up[1]) |
		flipUp(p, o, r.up[2]) | flipUp(p, o, r.up[3]) |
		flipDown(p, o, r.down[0]) | flipDown(p, o, r.down[1]) |
		flipDown(p, o, r.down[2]) | flipDown(p, o, r.down[3])
}

// flipUp returns the flips on a line with growing bit numbers, by carry propagation: with all bits
// outside the line set, the carry of adding one runs through the opponent's discs to the first
// other cell of the line. The run flips if p has that cell.
func flipUp(p, o, line uint64) uint64 {
	end := ((o | ^line) + 1) & line & p
	_, found := bits.Sub64(0, end, 0)
	return (end - found) & line
}

// flipDown returns the flips on a line with falling bit numbers, where the first cell without an
// opponent's disc is the highest one. On a line full of these discs there is no such cell: the
// shift by 64 then gives 0.
func flipDown(p, o, line uint64) uint64 {
	end := (1 << 63 >> bits.LeadingZeros64(line&^o)) & p
	return (-end << 1) & line
}
