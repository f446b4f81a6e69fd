package othello

// lineFlips holds, for a place on a line of eight cells and the mover's discs on that line, twice
// the number of discs that the move there flips if all other cells of the line are the opponent's.
var lineFlips = makeLineFlips()

func makeLineFlips() (table [8][256]uint8) {
	for place := range 8 {
		for own := range 256 {
			table[place][own] = uint8(2 * (runLength(own, place, 1) + runLength(own, place, -1)))
		}
	}
	return table
}

// runLength counts the cells between a place and the next own disc in one direction. It returns 0
// if there is no own disc.
func runLength(own, place, step int) int {
	for i, run := place+step, 0; i >= 0 && i < 8; i, run = i+step, run+1 {
		if own>>i&1 != 0 {
			return run
		}
	}
	return 0
}

// diagonals holds the two diagonals through each cell, the cell included.
var diagonals = makeDiagonals()

func makeDiagonals() (table [64][2]uint64) {
	for x := range 64 {
		cell := uint64(1) << x
		table[x][0] = cell | line(x, 1, 1) | line(x, -1, -1)
		table[x][1] = cell | line(x, 1, -1) | line(x, -1, 1)
	}
	return table
}

const firstFile = 0x0101010101010101

// packFile packs file a into a byte, a1 in the lowest bit, by multiplication.
func packFile(set uint64) uint8 { return uint8(set & firstFile * 0x0102040810204080 >> 56) }

// lastFlips returns twice the number of discs that p flips with x, the only empty cell. It packs
// each of the four lines through x into a byte: the rank with a shift, the file and the diagonals
// with a multiplication. A place of a diagonal's byte that is off the board counts as the
// opponent's, which changes nothing: there is no disc of p beyond it.
func lastFlips(p uint64, x Square) int {
	file, rank := uint(x&7), uint(x>>3&7)
	d := &diagonals[x&63]
	onFile, onRank := &lineFlips[rank], &lineFlips[file]
	return int(onRank[p>>(rank*8)&0xff]) + int(onFile[packFile(p>>file)]) +
		int(onRank[(p&d[0])*firstFile>>56]) + int(onRank[(p&d[1])*firstFile>>56])
}
