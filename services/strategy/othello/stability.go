package othello

// edgeStable holds, for the mover's and the opponent's discs on an edge, which of the mover's can never be flipped
// along it, whatever is played on the edge.
var edgeStable = makeEdgeStable()

func makeEdgeStable() *[256][256]uint8 {
	e := &edges{}
	for p := range 256 {
		for o := range 256 {
			if p&o == 0 {
				e.keeps(uint8(p), uint8(o))
			}
		}
	}
	return &e.own
}

// edges is the table while it is made: done marks the entries that hold an answer.
type edges struct {
	own  [256][256]uint8
	done [256][256]bool
}

// keeps is the set of p's discs that stay p's under all ways to fill the edge, by either side.
func (e *edges) keeps(p, o uint8) uint8 {
	if e.done[p][o] {
		return e.own[p][o]
	}
	kept := p
	for place := range 8 {
		cell := uint8(1) << place
		if (p|o)&cell != 0 {
			continue
		}
		gain := edgeFlips(p, o, place)
		kept &= e.keeps(p|cell|gain, o&^gain)
		loss := edgeFlips(o, p, place)
		kept &= e.keeps(p&^loss, o|cell|loss)
	}
	e.own[p][o], e.done[p][o] = kept, true
	return kept
}

// edgeFlips is what p flips along the edge by playing at this place.
func edgeFlips(p, o uint8, place int) uint8 {
	return uint8(flips(uint64(p), uint64(o), Square(place)))
}

const (
	sideFiles  = 0x8181818181818181
	edgeRanks  = 0xff000000000000ff
	allBorders = sideFiles | edgeRanks
)

// stable is a set of p's discs that can never be flipped. It finds most, not all: those the edges keep, those on
// four full lines, and those that in each direction lean on the border, a full line or a stable disc of their own.
// It is not cheap, so the solver asks only where the score asked for makes a cut likely.
func stable(p, o uint64) uint64 {
	found := stableOnEdges(p, o)
	full := fullLines(p | o)
	found |= p & full[0] & full[1] & full[2] & full[3]
	inner := p &^ allBorders
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
	west := spreadFile(edgeStable[gatherFile(p)][gatherFile(o)])
	east := spreadFile(edgeStable[gatherFile(p>>7)][gatherFile(o>>7)]) << 7
	return north | south | west | east
}

// gatherFile packs file a into a byte, a1 in the lowest bit.
func gatherFile(set uint64) uint8 { return uint8(set & firstFile * 0x0102040810204080 >> 56) }

// spreadFile is the inverse of gatherFile.
func spreadFile(packed uint8) uint64 {
	low := uint64(packed&0x0f) * 0x00204081 & 0x01010101
	high := uint64(packed>>4) * 0x00204081 & 0x01010101
	return low | high<<32
}

// fullLines holds the cells whose rank, file and diagonals (step 7, step 9) have no empty cell.
func fullLines(discs uint64) [4]uint64 {
	ranks := discs
	ranks &= ranks >> 4
	ranks &= ranks >> 2
	ranks &= ranks >> 1
	files := discs
	files &= files>>8 | files<<56
	files &= files>>16 | files<<48
	files &= files>>32 | files<<32
	return [4]uint64{ranks & firstFile * 0xff, files, fullDiagonals7(discs), fullDiagonals9(discs)}
}

// Beyond the border a diagonal counts as full: shifted-in cells and wrapped files are set, one, two and four steps
// at a time.
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

func fullDiagonals9(discs uint64) uint64 {
	const (
		up1, down1 = 0x01010101010101ff, 0xff80808080808080
		up2, down2 = 0x030303030303ffff, 0xffffc0c0c0c0c0c0
		up4, down4 = 0x0f0f0f0fffffffff, 0xfffffffff0f0f0f0
	)
	up, down := discs, discs
	up &= up<<9 | up1
	down &= down>>9 | down1
	up &= up<<18 | up2
	down &= down>>18 | down2
	up &= up<<36 | up4
	down &= down>>36 | down4
	return up & down
}
