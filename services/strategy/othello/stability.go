package othello

import "math/bits"

// stabilityCutoff reports whether the opponent's stable discs alone keep the score at or below
// alpha. It looks for them only if alpha is high for the number of empty cells: elsewhere a cutoff
// is rare. It saves 7 % of the nodes.
func stabilityCutoff(p, o uint64, alpha, n int) (upper int, cutoff bool) {
	if alpha < 2*n-4 {
		return 0, false
	}
	upper = 64 - 2*bits.OnesCount64(stable(o, p))
	return upper, upper <= alpha
}

// edgeStable holds, for the discs p and o on an edge, the discs of p that no sequence of moves on
// the edge can flip.
var edgeStable = makeEdgeStable()

func makeEdgeStable() *[256][256]uint8 {
	e := &edgeSolver{}
	for p := range 256 {
		for o := range 256 {
			if p&o == 0 {
				e.stable(uint8(p), uint8(o))
			}
		}
	}
	return &e.found
}

// edgeSolver fills the table edgeStable: done marks the entries that are computed.
type edgeSolver struct {
	found [256][256]uint8
	done  [256][256]bool
}

// stable returns the discs of p that survive every way to fill the edge, with moves of either side.
func (e *edgeSolver) stable(p, o uint8) uint8 {
	if e.done[p][o] {
		return e.found[p][o]
	}
	kept := p
	for place := range 8 {
		cell := uint8(1) << place
		if (p|o)&cell != 0 {
			continue
		}
		gain := edgeFlips(p, o, place)
		kept &= e.stable(p|cell|gain, o&^gain)
		loss := edgeFlips(o, p, place)
		kept &= e.stable(p&^loss, o|cell|loss)
	}
	e.found[p][o], e.done[p][o] = kept, true
	return kept
}

// edgeFlips returns the discs on the edge that p flips by playing at this place.
func edgeFlips(p, o uint8, place int) uint8 {
	return uint8(flips(uint64(p), uint64(o), Square(place)))
}

// border holds the outer cells of the board.
const border = 0xff818181818181ff

// stable returns discs of p that can never be flipped. It finds most of them, not all: discs that
// are stable on an edge, discs on four full lines, and discs that in each direction have the
// border, a full line or a stable disc of their own side next to them. It is expensive; see
// stabilityCutoff.
func stable(p, o uint64) uint64 {
	full := fullLines(p | o)
	found := stableOnEdges(p, o) | p&full[0]&full[1]&full[2]&full[3]
	inner := p &^ border
	if found == 0 {
		return 0
	}
	for {
		next := found | inner&
			(found>>1|found<<1|full[0])&
			(found>>8|found<<8|full[1])&
			(found>>7|found<<7|full[2])&
			(found>>9|found<<9|full[3])
		if next == found {
			return found
		}
		found = next
	}
}

func stableOnEdges(p, o uint64) uint64 {
	north := uint64(edgeStable[uint8(p)][uint8(o)])
	south := uint64(edgeStable[p>>56][o>>56]) << 56
	west := unpackFile(edgeStable[packFile(p)][packFile(o)])
	east := unpackFile(edgeStable[packFile(p>>7)][packFile(o>>7)]) << 7
	return north | south | west | east
}

// unpackFile is the inverse of packFile.
func unpackFile(packed uint8) uint64 {
	low := uint64(packed&0x0f) * 0x00204081 & 0x01010101
	high := uint64(packed>>4) * 0x00204081 & 0x01010101
	return low | high<<32
}

// fullLines returns the cells whose rank, file and diagonals (step 7, step 9) have no empty cell.
func fullLines(discs uint64) [4]uint64 {
	ranks := discs
	ranks &= ranks >> 4
	ranks &= ranks >> 2
	ranks &= ranks >> 1
	files := discs
	files &= files>>8 | files<<56
	files &= files>>16 | files<<48
	files &= files>>32 | files<<32
	// Reversing the order of the ranks turns one kind of diagonals into the other.
	diagonals9 := bits.ReverseBytes64(fullDiagonals7(bits.ReverseBytes64(discs)))
	return [4]uint64{ranks & firstFile * 0xff, files, fullDiagonals7(discs), diagonals9}
}

// fullDiagonals7 looks one, two and four steps ahead at a time. Its masks set the cells beyond the
// border, which count as full.
func fullDiagonals7(discs uint64) uint64 {
	const (
		up1, down1 = 0x80808080808080ff, 0xff01010101010101
		up2, down2 = 0xc0c0c0c0c0c0ffff, 0xffff030303030303
		up4, down4 = 0xf0f0f0f0ffffffff, 0xffffffff0f0f0f0f
	)
	up, down := discs, discs
	up &= up<<7 | up1
	down &= down>>7 | down1
	up &= up<<14 | up2
	down &= down>>14 | down2
	up &= up<<28 | up4
	down &= down>>28 | down4
	return up & down
}
