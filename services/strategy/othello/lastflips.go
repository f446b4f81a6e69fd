package othello

// lineGains holds, for a place on a line of eight and the mover's discs on that line, twice the number of discs
// that playing there flips when all other cells of the line are the opponent's.
var lineGains = makeLineGains()

func makeLineGains() (table [8][256]uint8) {
	for place := range 8 {
		for own := range 256 {
			table[place][own] = uint8(2 * (runTo(own, place, 1) + runTo(own, place, -1)))
		}
	}
	return table
}

// runTo counts the cells between this place and the next own disc in one direction, 0 if there is no own disc.
func runTo(own, place, step int) int {
	for i, run := place+step, 0; i >= 0 && i < 8; i, run = i+step, run+1 {
		if own>>i&1 != 0 {
			return run
		}
	}
	return 0
}

// diagonal holds the two diagonals through each cell, the cell included.
var diagonal = makeDiagonals()

func makeDiagonals() (table [64][2]uint64) {
	for x := range 64 {
		cell := uint64(1) << x
		table[x][0] = cell | line(x, 1, 1) | line(x, -1, -1)
		table[x][1] = cell | line(x, 1, -1) | line(x, -1, 1)
	}
	return table
}

const firstFile = 0x0101010101010101

// lastFlips is twice the number of discs p flips with x, the only empty cell. The four lines through x are gathered
// into bytes: a rank by a shift, a file and the diagonals by a multiplication. Cells off the board look like the
// opponent's, which does no harm: no disc of p lies beyond them.
func lastFlips(p uint64, x Square) int {
	file, rank := uint(x&7), uint(x>>3&7)
	d := &diagonal[x&63]
	onFile := &lineGains[rank]
	gains := &lineGains[file]
	return int(gains[p>>(rank*8)&0xff]) + int(onFile[(p>>file&firstFile)*0x0102040810204080>>56]) +
		int(gains[(p&d[0])*firstFile>>56]) + int(gains[(p&d[1])*firstFile>>56])
}
