package search

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// A pattern is a list of cells whose contents have a weight together. Its images under the
// symmetries of the board share a table with a weight for each of the 3^n contents of its n cells.
type pattern []rules.Cell

// hexPatterns returns the patterns of a hexagon with an odd number of rings: each line of at most
// maxPatternCells cells, and each corner with four cells along either edge and the two inner cells
// next to the corner.
func hexPatterns(n int) []pattern {
	patterns := []pattern{{
		rules.HexCell(0, -n), rules.HexCell(1, -n), rules.HexCell(2, -n), rules.HexCell(3, -n),
		rules.HexCell(-1, 1-n), rules.HexCell(-2, 2-n), rules.HexCell(-3, 3-n),
		rules.HexCell(1, 1-n), rules.HexCell(-1, 2-n),
	}}
	for r := -n; r < 0; r += 2 {
		var line pattern
		for q := -n - r; q <= n; q++ {
			line = append(line, rules.HexCell(q, r))
		}
		if len(line) <= maxPatternCells {
			patterns = append(patterns, line)
		}
	}
	return patterns
}

// maxPatternCells bounds the cells of a pattern: ten cells have 59049 contents.
const maxPatternCells = 10

// size returns the number of possible contents of a pattern.
func (p pattern) size() int {
	n := 1
	for range p {
		n *= 3
	}
	return n
}

// hexImages returns the images of a cell under the twelve symmetries of a hexagon, the cell itself
// first.
func hexImages(c rules.Cell) (images [12]rules.Cell) {
	q, r := c.Axial()
	for turn := range len(images) / 2 {
		images[2*turn], images[2*turn+1] = rules.HexCell(q, r), rules.HexCell(r, q)
		q, r = -r, q+r
	}
	return images
}

// images returns the images of a pattern under all symmetries, with the cells in corresponding
// order. Of two images with the same cells it returns the first.
func (p pattern) images() (all []pattern) {
	for k := range 12 {
		image := p.image(k)
		if !slices.ContainsFunc(all, image.sameCells) {
			all = append(all, image)
		}
	}
	return all
}

func (p pattern) image(symmetry int) pattern {
	image := make(pattern, len(p))
	for i, c := range p {
		image[i] = hexImages(c)[symmetry]
	}
	return image
}

func (p pattern) sameCells(other pattern) bool {
	return len(p) == len(other) &&
		!slices.ContainsFunc(p, func(c rules.Cell) bool { return !slices.Contains(other, c) })
}

// mirror returns, for each possible content, the content of the mirrored pattern: the same if the
// pattern is not symmetric.
func (p pattern) mirror() []int32 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	for k := 1; k < 12; k++ {
		if image := p.image(k); image.sameCells(p) {
			for i, c := range image {
				order[i] = slices.Index(p, c)
			}
			break
		}
	}
	mirror := make([]int32, p.size())
	for content := range mirror {
		digits := content
		for i := range p {
			mirror[content] += int32(digits%3) * power3[order[i]]
			digits /= 3
		}
	}
	return mirror
}

var power3 = [...]int32{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049}

// ternary converts bits to digits of base three for runs of each length: the lowest bit first, or
// last if reversed.
var ternary = func() (t [maxPatternCells + 1][2][1 << maxPatternCells]uint16) {
	for length := range t {
		for bits := range 1 << length {
			for i := range length {
				if bits>>i&1 == 1 {
					t[length][0][bits] += uint16(power3[i])
					t[length][1][bits] += uint16(power3[length-1-i])
				}
			}
		}
	}
	return t
}()

// segment is a run of cells of a pattern that are neighbours on a line and are read together.
type segment struct {
	digits *[1 << maxPatternCells]uint16
	mask   uint64
	word   int32
	shift  uint8
	// scale is the value of the segment's first digit.
	scale int32
}

// segments splits a pattern into as few segments as its lines allow. All of its cells must be in
// the layout.
func (l *layout[W]) segments(p pattern) (all []segment) {
	cells := make([]*cell, len(p))
	for i, at := range p {
		cells[i] = &l.cells[slices.IndexFunc(l.cells, func(c cell) bool { return c.at == at })]
	}
	for i := 0; i < len(cells); {
		next, length := longestSegment(cells[i:])
		next.scale = power3[i]
		all = append(all, next)
		i += length
	}
	return all
}

// longestSegment returns the longest segment that starts with the first cell, in either direction.
func longestSegment(cells []*cell) (best segment, length int) {
	for k := range cells[0].count {
		for _, down := range []bool{false, true} {
			from := cells[0].lines[k].slot
			n := 1
			for n < len(cells) && cells[n].has(from.step(n, down)) {
				n++
			}
			if n > length {
				best, length = newSegment(from, n, down), n
			}
		}
	}
	return best, length
}

func (s slot) step(n int, down bool) slot {
	if down {
		return slot{s.word, s.bit >> n}
	}
	return slot{s.word, s.bit << n}
}

func (c *cell) has(s slot) bool {
	return s.bit != 0 &&
		slices.ContainsFunc(c.lines[:c.count], func(r ray) bool { return r.slot == s })
}

func newSegment(from slot, length int, down bool) segment {
	low, reversed := from, 0
	if down {
		low, reversed = from.step(length-1, true), 1
	}
	return segment{
		digits: &ternary[length][reversed], mask: 1<<length - 1, word: int32(low.word),
		shift: uint8(ones(low.bit - 1)),
	}
}
