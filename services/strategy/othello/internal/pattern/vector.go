package pattern

import "math/bits"

// Vector holds one side's part of every shape instance's content: the sum of 3^i over its discs. The content for the
// side to move is its own part plus twice the opponent's, so a pass only swaps the two. No lane ever carries into the
// next, and adding a word adds four instances at once.
type Vector [Words]uint64

// parts is what a disc on each cell adds.
var parts = makeParts()

func makeParts() (table [64]Vector) {
	word := 0
	for _, s := range shapes {
		for lane, image := range s.instances() {
			for i, x := range image {
				table[x][word+lane/lanes] += uint64(powers[i]) << (lane % lanes * 16)
			}
		}
		word += s.words
	}
	return table
}

// Of is the vector of a set of discs.
func Of(discs uint64) (v Vector) {
	for rank := range ranks {
		part := &ranks[rank][uint8(discs>>(8*rank))]
		for i := range v {
			v[i] += part[i]
		}
	}
	return v
}

// ranks is what the discs of a whole rank add.
var ranks = makeRanks()

func makeRanks() *[8][256]Vector {
	table := new([8][256]Vector)
	for rank := range table {
		for discs := 1; discs < 256; discs++ {
			v := table[rank][discs&(discs-1)]
			for i, part := range parts[8*rank+bits.TrailingZeros(uint(discs))] {
				v[i] += part
			}
			table[rank][discs] = v
		}
	}
	return table
}

// Pair is the vectors of a board, without colours like the board itself.
type Pair struct{ Mover, Opponent Vector }

// Swap gives the turn to the opponent.
func (p *Pair) Swap() { p.Mover, p.Opponent = p.Opponent, p.Mover }

// After makes p the pair after the side to move of before plays x and flips these discs; p is seen by the opponent.
func (p *Pair) After(before *Pair, x int, flipped uint64) {
	sum := parts[bits.TrailingZeros64(flipped)&63]
	for flipped &= flipped - 1; flipped != 0; flipped &= flipped - 1 {
		part := &parts[bits.TrailingZeros64(flipped)&63]
		for i := range sum {
			sum[i] += part[i]
		}
	}
	placed := &parts[x&63]
	for i := range sum {
		p.Mover[i] = before.Opponent[i] - sum[i]
		p.Opponent[i] = before.Mover[i] + sum[i] + placed[i]
	}
}

// Contents lists the content of every instance, in the order of the shapes; the last two lanes mean nothing.
func (p *Pair) Contents(into *[Words * lanes]uint16) {
	for i := range Words {
		k := p.Mover[i] + 2*p.Opponent[i]
		into[4*i], into[4*i+1], into[4*i+2], into[4*i+3] = uint16(k), uint16(k>>16), uint16(k>>32), uint16(k>>48)
	}
}
