package search

import (
	"math/bits"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// A symmetry turns or mirrors a layout onto itself: it is the cell that each cell comes to. nil changes nothing.
type symmetry []int16

// newSymmetries finds the symmetries of a layout but the one that changes nothing. There are fewer than the board has if
// the cells that can be filled lie unevenly.
func (l *layout[W]) newSymmetries(b *reversi.Board) (all []symmetry) {
	index := make(map[rules.Cell]int16, len(l.cells))
	for i := range l.cells {
		index[l.cells[i].at] = int16(i)
	}
	for i := range l.cells {
		places := images(l.cells[i].at, b.Size())[1:]
		if i == 0 {
			all = make([]symmetry, len(places))
		}
		for k, place := range places {
			if at, ok := index[place]; ok {
				all[k] = append(all[k], at)
			}
		}
	}
	return slices.DeleteFunc(all, func(s symmetry) bool { return len(s) < len(l.cells) })
}

// images returns the images of a cell under the symmetries of a board of so many cells a side, the cell itself first: twelve
// of a hexagon, eight of a square.
func images(c rules.Cell, side int) []rules.Cell {
	if c.Hexagonal() {
		images := hexImages(c)
		return images[:]
	}
	images := make([]rules.Cell, 0, 8)
	row, column := c.RowColumn()
	for len(images) < cap(images) {
		images = append(images, rules.SquareCell(row, column), rules.SquareCell(column, row))
		row, column = column, side-1-row
	}
	return images
}

// address is where the table keeps a position: its key, or the lowest of those of the positions that it can be turned
// and mirrored to, and how it comes to that one.
type address struct {
	key uint64
	by  symmetry
}

// addressOf takes positions that are the same when turned or mirrored for one, as long as there may be such: while few
// discs lie. Where little is left to search it does not pay to look. Games on three rings then take less than half the
// positions to solve from the first move.
func (l *layout[W]) addressOf(b *board[W], depth int) address {
	lowest := address{key: b.key()}
	if depth < turnedFrom || len(l.cells)-int(b.empties) > turnedDiscs {
		return lowest
	}
	for _, s := range l.symmetries {
		if key := l.turnedKey(b, s); key < lowest.key {
			lowest = address{key, s}
		}
	}
	return lowest
}

const (
	turnedFrom  = 8
	turnedDiscs = 12
)

// turnedKey is the key of the board after a symmetry.
func (l *layout[W]) turnedKey(b *board[W], s symmetry) uint64 {
	turned := board[W]{}
	for i := range len(l.home) {
		for own := b.own[i] & l.home[i]; own != 0; own &= own - 1 {
			turned.ownKey ^= l.cells[s[l.cellOf[i*wordBits+bits.TrailingZeros64(own)]]].key
		}
		for opp := b.opp[i] & l.home[i]; opp != 0; opp &= opp - 1 {
			turned.oppKey ^= l.cells[s[l.cellOf[i*wordBits+bits.TrailingZeros64(opp)]]].key
		}
	}
	return turned.key()
}

// recall returns what is known of the position at an address.
func (s *searcher[W]) recall(a address) (bounds, bool) {
	known, found := s.table.get(a.key)
	if a.by != nil && known.best != noMove {
		known.best = int16(slices.Index(a.by, known.best))
	}
	return known, found
}

// remember puts into the table what was found of a position at an address.
func (s *searcher[W]) remember(a address, b *board[W], depth int, value int, atLeast bool, best int16) {
	if a.by != nil && best != noMove {
		best = a.by[best]
	}
	s.table.put(a.key, b.empties, uint8(depth), value, atLeast, best)
}
