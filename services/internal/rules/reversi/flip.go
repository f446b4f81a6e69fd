package reversi

import (
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// The discs of a position are a string with one letter a cell in reading order, and one more for what
// is outside, which is neither a disc nor empty and so ends every run.
const (
	black   = 'X'
	white   = 'O'
	empty   = '_'
	outside = '.'
)

// maxFlips is the most that one placement can flip: on the largest hexagon, from the centre, all but the
// last of the twelve discs in each of six directions.
const maxFlips = 6 * (MaxRings - 1)

// letterOf returns how the discs of a side are written.
func letterOf(side rules.Side) byte {
	if side == rules.First {
		return black
	}
	return white
}

// sideOf returns whose disc a letter is; NoSide for none.
func sideOf(letter byte) rules.Side {
	switch letter {
	case black:
		return rules.First
	case white:
		return rules.Second
	}
	return rules.NoSide
}

// otherLetter turns black into white and back.
func otherLetter(letter byte) byte { return black + white - letter }

// outflanked returns the cells of the discs that flip when own is placed on an empty cell, in reading
// order: in every direction, the run of opposing discs that starts next to the cell, if a disc of its own
// closes it. It appends to found, which lets the caller keep it off the heap.
func (b *Board) outflanked(discs string, cell int, own byte, found []int16) []int16 {
	opposing := otherLetter(own)
	for d := range b.directions {
		open := len(found)
		at := b.next[cell][d]
		for ; discs[at] == opposing; at = b.next[at][d] {
			found = append(found, at)
		}
		if discs[at] != own {
			found = found[:open]
		}
	}
	slices.Sort(found)
	return found
}

// flipCounts holds for every cell how many discs flip when a disc is placed there.
type flipCounts [maxCells]uint8

// mobility counts the cells where placing own flips at least minFlips discs, up to limit of them. It
// walks from the discs of own, of which there are fewer than empty cells for much of a game, over every run of
// opposing discs to the empty cell behind, and adds the run's length to counts there. Counts are complete
// if the limit was not reached.
func (b *Board) mobility(discs string, own byte, minFlips, limit int, counts *flipCounts) int {
	opposing, enough, placements := otherLetter(own), uint8(minFlips), 0
	next, directions := b.next[:len(discs)], b.directions
	for cell := strings.IndexByte(discs, own); cell >= 0; cell = indexAfter(discs, own, cell) {
		neighbours := &next[cell]
		for d := range neighbours[:directions] {
			at := neighbours[d]
			if discs[at] != opposing {
				continue
			}
			run := uint8(0)
			for ; discs[at] == opposing; at = next[at][d] {
				run++
			}
			if discs[at] != empty {
				continue
			}
			before := counts[at]
			counts[at] = before + run
			if before < enough && before+run >= enough {
				if placements++; placements == limit {
					return placements
				}
			}
		}
	}
	return placements
}

// indexAfter returns where the next such letter is after a cell, -1 if there is none.
func indexAfter(discs string, letter byte, cell int) int {
	if i := strings.IndexByte(discs[cell+1:], letter); i >= 0 {
		return cell + 1 + i
	}
	return -1
}
