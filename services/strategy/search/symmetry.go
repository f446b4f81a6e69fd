package search

import (
	"math/bits"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// A symmetry maps each cell of a layout to its image. nil is the identity.
type symmetry []int16

// newSymmetries returns the symmetries of a layout except the identity. It has fewer than the board
// if the cells that can be filled are not symmetric.
func (l *layout[W]) newSymmetries(b *reversi.Board) (all []symmetry) {
	for i := range l.cells {
		images := images(l.cells[i].at, b.Size())[1:]
		if i == 0 {
			all = make([]symmetry, len(images))
		}
		for k, image := range images {
			if at, ok := l.indices[image]; ok {
				all[k] = append(all[k], at)
			}
		}
	}
	return slices.DeleteFunc(all, func(s symmetry) bool { return len(s) < len(l.cells) })
}

// images returns the images of a cell under the symmetries of a board with side cells on each side,
// the cell itself first: twelve on a hexagon, eight on a square.
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

// tableKey is the lowest key of a position and its images, and the symmetry to that image.
type tableKey struct {
	key uint64
	by  symmetry
}

// canonicalKey returns the key under which the table holds a position. While there are few discs,
// symmetric positions share an entry. Near the leaves that costs more than it saves. Three rings
// take less than half the nodes to solve with it.
func (l *layout[W]) canonicalKey(b *board[W], depth int) tableKey {
	lowest := tableKey{key: b.key()}
	if depth < symmetryDepth || len(l.cells)-int(b.empties) > symmetryDiscs {
		return lowest
	}
	for _, s := range l.symmetries {
		if key := l.imageKey(b, s); key < lowest.key {
			lowest = tableKey{key, s}
		}
	}
	return lowest
}

// symmetryDepth is the least depth, and symmetryDiscs the greatest number of discs, of positions
// that share their entry with their images.
const (
	symmetryDepth = 8
	symmetryDiscs = 12
)

// imageKey returns the key of the image of a board.
func (l *layout[W]) imageKey(b *board[W], s symmetry) uint64 {
	image := board[W]{}
	for i := range len(l.home) {
		for own := b.own[i] & l.home[i]; own != 0; own &= own - 1 {
			image.ownKey ^= l.cells[s[l.cellOf[i*wordBits+bits.TrailingZeros64(own)]]].key
		}
		for opp := b.opp[i] & l.home[i]; opp != 0; opp &= opp - 1 {
			image.oppKey ^= l.cells[s[l.cellOf[i*wordBits+bits.TrailingZeros64(opp)]]].key
		}
	}
	return image.key()
}

// probe returns the table entry of a position, with the best move on the position's own board.
func (w *worker[W]) probe(c tableKey) (e entry, found bool) {
	e, found = w.table.probe(c.key)
	if c.by != nil && e.bestMove != noMove {
		e.bestMove = int16(slices.Index(c.by, e.bestMove))
	}
	return e, found
}

// store stores the value of a position, a lower or an upper bound, and its best move.
func (w *worker[W]) store(
	c tableKey, b *board[W], depth int, value int, isLower bool, bestMove int16,
) {
	if c.by != nil && bestMove != noMove {
		bestMove = c.by[bestMove]
	}
	w.table.store(c.key, b.empties, uint8(depth), value, isLower, bestMove)
}
