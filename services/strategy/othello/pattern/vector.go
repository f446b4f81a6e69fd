package pattern

import "math/bits"

// Vector holds, for the discs of one side, the sum of 3^i of each instance of each pattern. The
// content of an instance is the sum of the side to move plus twice that of its opponent, so that a
// pass only swaps the two vectors. No lane carries into the next; adding a word adds four instances
// at once.
type Vector [Words]uint64

// terms holds the vector of a disc on each cell.
var terms = makeTerms()

func makeTerms() (table [64]Vector) {
	word := 0
	for _, p := range patterns {
		for lane, image := range p.instances() {
			for i, x := range image {
				table[x][word+lane/lanes] += uint64(powers[i]) << (lane % lanes * 16)
			}
		}
		word += p.words
	}
	return table
}

// of returns the vector of a set of discs.
func of(discs uint64) (v Vector) {
	for rank := range ranks {
		v.add(&ranks[rank][uint8(discs>>(8*rank))])
	}
	return v
}

func (v *Vector) add(term *Vector) {
	for i := range v {
		v[i] += term[i]
	}
}

// ranks holds the vector of each set of discs on each rank.
var ranks = makeRanks()

func makeRanks() *[8][256]Vector {
	table := new([8][256]Vector)
	for rank := range table {
		for discs := 1; discs < 256; discs++ {
			v := table[rank][discs&(discs-1)]
			v.add(&terms[8*rank+bits.TrailingZeros(uint(discs))])
			table[rank][discs] = v
		}
	}
	return table
}

// Pair holds the vectors of the side to move and of its opponent.
type Pair struct{ Mover, Opponent Vector }

// PairOf returns the vectors of the discs of both sides.
func PairOf(mover, opponent uint64) Pair { return Pair{of(mover), of(opponent)} }

// Swap makes a pass.
func (p *Pair) Swap() { p.Mover, p.Opponent = p.Opponent, p.Mover }

// Play sets p to the pair after a move on x that flips these discs, at least one. The side to move
// of before becomes the opponent.
func (p *Pair) Play(before *Pair, x int, flipped uint64) {
	if hasAVX2 {
		playAVX2(p, before, x, flipped)
	} else {
		p.playPortable(before, x, flipped)
	}
}

// playPortable is Play for every processor.
func (p *Pair) playPortable(before *Pair, x int, flipped uint64) {
	sum := terms[bits.TrailingZeros64(flipped)&63]
	for flipped &= flipped - 1; flipped != 0; flipped &= flipped - 1 {
		sum.add(&terms[bits.TrailingZeros64(flipped)&63])
	}
	placed := &terms[x&63]
	for i := range sum {
		p.Mover[i] = before.Opponent[i] - sum[i]
		p.Opponent[i] = before.Mover[i] + sum[i] + placed[i]
	}
}

// contents returns the content of every instance from the view of the side to move.
func (p *Pair) contents() (c Vector) {
	for i := range c {
		c[i] = p.Mover[i] + 2*p.Opponent[i]
	}
	return c
}

// Passed returns the content of every instance from the view of the opponent, for
// [Weights.ValueAfter].
func (p *Pair) Passed() (c Vector) {
	for i := range c {
		c[i] = p.Opponent[i] + 2*p.Mover[i]
	}
	return c
}

// Contents sets into to the content of every instance, in the order of [Lanes]. The remaining lanes
// are unused.
func (p *Pair) Contents(into *[Words * lanes]uint16) {
	for i, k := range p.contents() {
		for lane := range lanes {
			into[lanes*i+lane] = uint16(k >> (16 * lane))
		}
	}
}
