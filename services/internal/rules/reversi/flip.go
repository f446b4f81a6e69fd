package reversi

import (
	"slices"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// The letters for the content of a cell. The discs of a position are a string with one letter for
// each cell in reading order, and a last letter, outside, for the cells off the board. It is
// neither a disc nor empty, so it ends every run of discs.
const (
	black   = 'X'
	white   = 'O'
	empty   = '_'
	outside = '.'
)

// maxFlips is the largest number of discs that one placement can flip: on the largest hexagon, from
// the centre, all but the last of the twelve discs in each of six directions.
const maxFlips = 6 * (MaxRings - 1)

// letterOf returns the letter for a disc of a side.
func letterOf(side rules.Side) byte {
	if side == rules.First {
		return black
	}
	return white
}

// sideOf returns the side that owns a disc, or NoSide if the letter is not a disc.
func sideOf(letter byte) rules.Side {
	switch letter {
	case black:
		return rules.First
	case white:
		return rules.Second
	}
	return rules.NoSide
}

// opposingLetter returns white for black and black for white.
func opposingLetter(letter byte) byte { return black + white - letter }

// outflanked returns the discs that flip if a disc of own is placed on an empty cell: in every
// direction, the run of opposing discs that starts next to the cell, if a disc of own follows the
// run. The result is in reading order. It is appended to found, which the caller can keep on its
// stack.
func (b *Board) outflanked(discs string, cell int, own byte, found []int16) []int16 {
	opposing := opposingLetter(own)
	for d := range b.directions {
		start := len(found)
		at := b.next[cell][d]
		for ; discs[at] == opposing; at = b.next[at][d] {
			found = append(found, at)
		}
		if discs[at] != own {
			found = found[:start]
		}
	}
	slices.Sort(found)
	return found
}

// flipCounts holds, for each cell, the number of discs that a placement on it flips.
type flipCounts [maxCells]uint8

// mobility counts the cells on which a placement of own flips at least minFlips discs. It stops at
// limit. If it did not stop, counts holds the flips for every cell.
//
// It starts from the discs of own, because for most of a game they are fewer than the empty cells.
// It follows each run of opposing discs, and adds the length of the run to the empty cell behind
// it.
func (b *Board) mobility(discs string, own byte, minFlips, limit int, counts *flipCounts) int {
	opposing, enough, placements := opposingLetter(own), uint8(minFlips), 0
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

// indexAfter returns the index of the next such letter after a cell, or -1.
func indexAfter(discs string, letter byte, cell int) int {
	if i := strings.IndexByte(discs[cell+1:], letter); i >= 0 {
		return cell + 1 + i
	}
	return -1
}
