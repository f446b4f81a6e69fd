package search

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// A shape is some cells of a board whose contents are judged together: its images under the symmetries of the board
// share one table of weights, with a place for every way to fill the cells.
type shape []rules.Cell

// hexShapes are those of a hexagon of odd rings: every line of up to longestShape cells by itself, and round each
// corner four cells along either edge with the two cells inside them that are next to the corner.
func hexShapes(n int) []shape {
	shapes := []shape{{
		rules.HexCell(0, -n), rules.HexCell(1, -n), rules.HexCell(2, -n), rules.HexCell(3, -n),
		rules.HexCell(-1, 1-n), rules.HexCell(-2, 2-n), rules.HexCell(-3, 3-n),
		rules.HexCell(1, 1-n), rules.HexCell(-1, 2-n),
	}}
	for r := -n; r < 0; r += 2 {
		var line shape
		for q := -n - r; q <= n; q++ {
			line = append(line, rules.HexCell(q, r))
		}
		if len(line) <= longestShape {
			shapes = append(shapes, line)
		}
	}
	return shapes
}

// longestShape is how many cells a shape may have: 59049 ways to fill it.
const longestShape = 10

// ways is the number of ways to fill a shape.
func (s shape) ways() int {
	n := 1
	for range s {
		n *= 3
	}
	return n
}

// hexImages returns the images of a cell under the twelve symmetries of a hexagon, the cell itself first.
func hexImages(c rules.Cell) (images [12]rules.Cell) {
	q, r := c.Axial()
	for turn := range len(images) / 2 {
		images[2*turn], images[2*turn+1] = rules.HexCell(q, r), rules.HexCell(r, q)
		q, r = -r, q+r
	}
	return images
}

// images returns the shape in all the places where the symmetries of the board put it, the cells in corresponding order.
// Of two images with the same cells it returns the first.
func (s shape) images() (all []shape) {
	for k := range 12 {
		image := s.image(k)
		if !slices.ContainsFunc(all, image.covers) {
			all = append(all, image)
		}
	}
	return all
}

func (s shape) image(symmetry int) shape {
	image := make(shape, len(s))
	for i, c := range s {
		image[i] = hexImages(c)[symmetry]
	}
	return image
}

func (s shape) covers(other shape) bool {
	return len(s) == len(other) && !slices.ContainsFunc(s, func(c rules.Cell) bool { return !slices.Contains(other, c) })
}

// mirror returns, for every way to fill the shape, the way its mirror image is filled: the same if it has none.
func (s shape) mirror() []int32 {
	order := make([]int, len(s))
	for i := range order {
		order[i] = i
	}
	for k := 1; k < 12; k++ {
		if image := s.image(k); image.covers(s) {
			for i, c := range image {
				order[i] = slices.Index(s, c)
			}
			break
		}
	}
	mirror := make([]int32, s.ways())
	for way := range mirror {
		rest := way
		for i := range s {
			mirror[way] += int32(rest%3) * power3[order[i]]
			rest /= 3
		}
	}
	return mirror
}

var power3 = [...]int32{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049}

// ternary turns bits into digits to the base three, the lowest bit first, or last if reversed, for runs of each length.
var ternary = func() (t [longestShape + 1][2][1 << longestShape]uint16) {
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

// segment is cells of a shape that follow each other on a line, read in one go.
type segment struct {
	digits *[1 << longestShape]uint16
	mask   uint64
	word   int32
	shift  uint8
	// scale is the value of the segment's first digit.
	scale int32
}

// segments reads the cells of a shape, in order, in as few goes as their lines allow. All of them must be in the layout.
func (l *layout[W]) segments(s shape) (all []segment) {
	cells := make([]*cell, len(s))
	for i, at := range s {
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

// longestSegment reads as many of the cells as follow each other up or down one line.
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
	return s.bit != 0 && slices.ContainsFunc(c.lines[:c.count], func(r ray) bool { return r.slot == s })
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
