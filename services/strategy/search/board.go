package search

import (
	"math/bits"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// board holds the discs of a position from the point of view of the side to move. A move returns a
// new board: where a board is a few words, that takes less time than to make and unmake moves.
type board[W words] struct {
	own, opp W
	// ownKey and oppKey are the Zobrist keys of the discs of each side.
	ownKey, oppKey uint64
	// lead is the number of discs of the side to move less those of the opponent. It includes the
	// discs that are on no line.
	lead int32
	// empties is the number of cells that can still be filled.
	empties int32
}

func (l *layout[W]) newBoard(p *reversi.Position) board[W] {
	b := board[W]{lead: int32(p.Score().Margin(p.Turn()))}
	for i := range l.cells {
		c := &l.cells[i]
		switch p.At(c.at) {
		case p.Turn():
			markAll(&b.own, c)
			b.ownKey ^= c.key
		case rules.NoSide:
			b.empties++
		default:
			markAll(&b.opp, c)
			b.oppKey ^= c.key
		}
	}
	return b
}

// key returns the Zobrist key of the position. It does not depend on the colour of the side to
// move.
func (b *board[W]) key() uint64 { return b.ownKey ^ bits.RotateLeft64(b.oppKey, 31) }

// markAll sets all slots of a cell.
func markAll[W words](set *W, c *cell) {
	for k := range c.count {
		(*set)[c.lines[k].word] |= c.lines[k].bit
	}
}

// pass returns the board after a pass.
func (b *board[W]) pass() board[W] {
	return board[W]{b.opp, b.own, b.oppKey, b.ownKey, -b.lead, b.empties}
}

// moveSlots returns the slots where a disc of own would outflank discs of opp along the slot's
// line. If one flip is enough, these are all placements, each in at least one of its slots.
//
// Upwards it adds, to each run of opp, the lowest bit of the run if own is just below: the carry
// ends in the slot above the run. Downwards there is no carry, so it fills runs in steps of 1, 2, 4
// and more.
func (l *layout[W]) moveSlots(own, opp *W) (to W) {
	for i := 0; i < len(to); i++ {
		p, o := (*own)[i], (*opp)[i]
		up := (o + (p<<1)&o) &^ o
		f := (p >> 1) & o
		f |= (f >> 1) & o
		two := o & (o >> 1)
		f |= (f >> 2) & two
		four := two & (two >> 2)
		f |= (f >> 4) & four
		if l.long {
			eight := four & (four >> 4)
			f |= (f >> 8) & eight
			f |= (f >> 8) & eight
		}
		to[i] = (up | f>>1) & l.valid[i] &^ (o | p)
	}
	return to
}

// flipSet is the effect of a placement: the slots that flip, the number of discs and their key.
type flipSet[W words] struct {
	slots W
	count int32
	key   uint64
}

// flips returns the flips of a placement of own on an empty cell.
func (l *layout[W]) flips(b *board[W], at int) (f flipSet[W]) {
	c := &l.cells[at]
	for k := range c.count {
		r := &c.lines[k]
		run := r.outflanked(b.own[r.word], b.opp[r.word])
		for ; run != 0; run &= run - 1 {
			flipped := &l.cells[l.cellOf[r.word*wordBits+bits.TrailingZeros64(run)]]
			markAll(&f.slots, flipped)
			f.key ^= flipped.key
			f.count++
		}
	}
	return f
}

// outflanked returns the slots between the cell and the next disc of own on either side, if all of
// them are slots of opp.
func (r *ray) outflanked(own, opp uint64) uint64 {
	// Adding one to a run of ones carries to the first slot above it.
	above := ((opp | ^r.up) + 1) & r.up & own
	between, none := bits.Sub64(above, 1, 0)
	up := between & r.up & (none - 1)
	// The highest slot below that is not opp's ends the run downwards.
	below := (uint64(1) << 63) >> bits.LeadingZeros64(r.down&^opp) & own
	down := r.down & -(below << 1)
	return up | down
}

// countFlips returns the number of discs that a placement of own flips.
func (l *layout[W]) countFlips(b *board[W], at int) (count int32) {
	c := &l.cells[at]
	for k := range c.count {
		r := &c.lines[k]
		count += int32(bits.OnesCount64(r.outflanked(b.own[r.word], b.opp[r.word])))
	}
	return count
}

// play returns the board after a placement with its flips.
func (l *layout[W]) play(b *board[W], at int, f *flipSet[W]) board[W] {
	c := &l.cells[at]
	next := board[W]{
		ownKey: b.oppKey ^ f.key, oppKey: b.ownKey ^ f.key ^ c.key,
		lead: -(b.lead + 1 + 2*f.count), empties: b.empties - 1,
	}
	for i := 0; i < len(next.own); i++ {
		next.own[i] = b.opp[i] &^ f.slots[i]
		next.opp[i] = b.own[i] | f.slots[i]
	}
	markAll(&next.opp, c)
	return next
}

// final returns the final score for the side to move of a game that ends with this lead.
func (l *layout[W]) final(lead, empties int32) int {
	score := int(lead)
	if !l.rules.emptiesToWinner || score == 0 {
		return score
	}
	left := int(empties) + l.dead
	if score < 0 {
		return score - left
	}
	return score + left
}
