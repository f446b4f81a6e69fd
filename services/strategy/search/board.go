package search

import (
	"math/bits"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// board is the discs of a position as the side to move sees them. It is a value: a move makes a new one, which costs
// less than taking moves back wherever a board is a few words.
type board[W words] struct {
	own, opp W
	// ownKey and oppKey are the Zobrist keys of the discs of each side.
	ownKey, oppKey uint64
	// lead is how many more discs the side to move has than its opponent, those on no line among them.
	lead int32
	// empties is the number of cells that may still be filled.
	empties int32
}

// newBoard reads the position with the side to move in front.
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

// key tells positions apart, with the side to move in front: what colour it has does not matter.
func (b *board[W]) key() uint64 { return b.ownKey ^ bits.RotateLeft64(b.oppKey, 31) }

func markAll[W words](set *W, c *cell) {
	for k := range c.count {
		(*set)[c.lines[k].word] |= c.lines[k].bit
	}
}

// passed returns the board with the other side to move.
func (b *board[W]) passed() board[W] {
	return board[W]{b.opp, b.own, b.oppKey, b.ownKey, -b.lead, b.empties}
}

// landings returns slots where a disc of own would outflank discs of opp along the slot's line: all the places to go,
// each in at least one of its slots, if one flip is enough.
//
// Upwards, adding to every run of opp the bit where it starts, if own is just below it, carries to the slot above the
// run. Downwards there is no carry, and runs are filled in steps of 1, 2, 4 and more.
func (l *layout[W]) landings(own, opp *W) (to W) {
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

// flip is what a placement changes: the slots that flip, how many discs that is, and their key.
type flip[W words] struct {
	slots W
	count int32
	key   uint64
}

// flips finds what own flips when it is placed on an empty cell.
func (l *layout[W]) flips(b *board[W], at int) (f flip[W]) {
	c := &l.cells[at]
	for k := range c.count {
		r := &c.lines[k]
		run := r.outflanked(b.own[r.word], b.opp[r.word])
		for ; run != 0; run &= run - 1 {
			turned := &l.cells[l.cellOf[r.word*wordBits+bits.TrailingZeros64(run)]]
			markAll(&f.slots, turned)
			f.key ^= turned.key
			f.count++
		}
	}
	return f
}

// outflanked returns the slots between the cell and the next disc of own on either side, where all are opp's.
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

// countFlips is the number of discs that own flips there.
func (l *layout[W]) countFlips(b *board[W], at int) (count int32) {
	c := &l.cells[at]
	for k := range c.count {
		r := &c.lines[k]
		count += int32(bits.OnesCount64(r.outflanked(b.own[r.word], b.opp[r.word])))
	}
	return count
}

// place returns the board after a placement that flips f.
func (l *layout[W]) place(b *board[W], at int, f *flip[W]) board[W] {
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

// final is the score of the game, for the side to move, if it ends like this.
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
