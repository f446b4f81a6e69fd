// Package pattern values a board of 8x8 Reversi by the shapes its discs make: lines, edges, corners and blocks, each
// a number in base three that looks up a weight. It keeps those numbers up to date move by move and reads and writes
// the weights; it knows no rules and trains nothing.
package pattern

import "sync"

// Words is the size of a Vector: four instances of a shape to a word.
const Words = 12

// lanes is the number of shape instances a word holds, sixteen bits each: 3^10 cells still fit.
const lanes = 4

// shape is a set of cells whose contents are looked up together. Its instances are the images of the cells under the
// symmetries of the board; all share one table.
type shape struct {
	name  string
	cells []int
	// words is how many words of the Vector its instances fill.
	words int
}

// shapes, in the order of the words of a Vector. They overlap on purpose: the triangle sees a corner's region as a
// whole, the block how an edge leans on its second rank, the edge with both X squares what a sacrifice there costs.
var shapes = []shape{
	{"edge and both X squares", cells("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"), 1},
	{"triangle in a corner", cells("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"), 1},
	{"3x3 corner", cells("a1 b1 c1 a2 b2 c2 a3 b3 c3"), 1},
	{"2x5 block in a corner", cells("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"), 2},
	{"second line", cells("a2 b2 c2 d2 e2 f2 g2 h2"), 1},
	{"third line", cells("a3 b3 c3 d3 e3 f3 g3 h3"), 1},
	{"fourth line", cells("a4 b4 c4 d4 e4 f4 g4 h4"), 1},
	{"diagonal of seven", cells("a2 b3 c4 d5 e6 f7 g8"), 1},
	{"diagonal of six", cells("a3 b4 c5 d6 e7 f8"), 1},
	{"diagonal of five", cells("a4 b5 c6 d7 e8"), 1},
	{"diagonal of eight", cells("a1 b2 c3 d4 e5 f6 g7 h8"), 1},
}

// Shapes is the number of tables.
const Shapes = 11

// cells reads squares in the usual notation, a separator after each.
func cells(text string) (squares []int) {
	for i := 0; i < len(text); i += 3 {
		squares = append(squares, int(text[i]-'a')+8*int(text[i+1]-'1'))
	}
	return squares
}

// size is the number of contents the shape can have.
func (s shape) size() int { return powers[len(s.cells)] }

// instances are the different images of the shape's cells under the eight symmetries, in a fixed order. Images with
// the same cells count once: the shape is read in the order of the first.
func (s shape) instances() (found [][]int) {
	seen := map[uint64]bool{}
	for symmetry := range 8 {
		image := make([]int, len(s.cells))
		var set uint64
		for i, x := range s.cells {
			image[i] = turned(x, symmetry)
			set |= 1 << image[i]
		}
		if !seen[set] {
			seen[set] = true
			found = append(found, image)
		}
	}
	return found
}

// turned is the image of a cell under a symmetry: bit 0 mirrors the files, bit 1 the ranks, bit 2 swaps them.
func turned(x, symmetry int) int {
	file, rank := x%8, x/8
	if symmetry&1 != 0 {
		file = 7 - file
	}
	if symmetry&2 != 0 {
		rank = 7 - rank
	}
	if symmetry&4 != 0 {
		file, rank = rank, file
	}
	return file + 8*rank
}

// mirrored gives, for each place in the shape, the place it changes with when the shape is read mirrored; the
// identity if no symmetry maps the shape to itself.
func (s shape) mirrored() []int {
	place := map[int]int{}
	for i, x := range s.cells {
		place[x] = i
	}
	same := make([]int, len(s.cells))
	for symmetry := 7; symmetry >= 0; symmetry-- {
		fits := true
		for i, x := range s.cells {
			j, ok := place[turned(x, symmetry)]
			same[i], fits = j, fits && ok
		}
		if fits && !identity(same) {
			break
		}
	}
	return same
}

func identity(order []int) bool {
	for i, j := range order {
		if i != j {
			return false
		}
	}
	return true
}

// mirrors holds, for each content of each shape, the content read mirrored: the two share a weight.
var mirrors = sync.OnceValue(func() (tables [Shapes][]uint16) {
	for i, s := range shapes {
		mirror := s.mirrored()
		tables[i] = make([]uint16, s.size())
		for content := range tables[i] {
			image := 0
			for rest, place := content, 0; rest != 0; rest, place = rest/3, place+1 {
				image += rest % 3 * powers[mirror[place]]
			}
			tables[i][content] = uint16(image)
		}
	}
	return tables
})

// Canonical is the lesser of a content of a shape and its mirror image.
func Canonical(shape, content int) int { return min(content, int(mirrors()[shape][content])) }

// Contents is the number of contents a shape can have.
func Contents(shape int) int { return shapes[shape].size() }

// powers of three, as far as a shape needs them.
var powers = [...]int{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049}

// Lanes names the shape of each lane of a Vector that holds an instance.
func Lanes() (shapeOf []int) {
	for i, s := range shapes {
		for range s.instances() {
			shapeOf = append(shapeOf, i)
		}
	}
	return shapeOf
}
