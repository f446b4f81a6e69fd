// Package pattern evaluates boards of 8x8 Reversi by patterns (Buro, "Improving Heuristic Mini-Max
// Search by Supervised Learning", 2002): the contents of lines, edges, corners and blocks, each a
// number in base three, are indices into tables of weights. The package updates the contents move
// by move and reads and writes weights. It has no rules and does not train.
package pattern

import (
	"slices"
	"sync"
)

// Words is the size of a [Vector], where a word holds four instances of a pattern.
const Words = 12

// lanes is the number of instances in a word. Sixteen bits hold the content of up to ten cells.
const lanes = 4

// pattern is a set of cells whose contents have a weight together. Its instances are the images of
// these cells under the symmetries of the board; all of them share a table of weights.
type pattern struct {
	name  string
	cells []int
	// words is the number of words of a Vector that its instances fill.
	words int
}

// patterns holds the patterns in the order of the words of a Vector. They overlap on purpose: the
// triangle covers the region of a corner, the block an edge with its second rank, and the edge with
// both X squares the cost of a sacrifice there.
var patterns = []pattern{
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

// Count is the number of patterns.
const Count = 11

// cells parses squares in the usual notation, separated by spaces.
func cells(text string) (squares []int) {
	for i := 0; i < len(text); i += 3 {
		squares = append(squares, int(text[i]-'a')+8*int(text[i+1]-'1'))
	}
	return squares
}

// size returns the number of contents of the pattern.
func (p pattern) size() int { return powers[len(p.cells)] }

// instances returns the images of the pattern under the eight symmetries, in a fixed order. Of
// several images with the same cells it returns the first.
func (p pattern) instances() (found [][]int) {
	seen := map[uint64]bool{}
	for symmetry := range 8 {
		instance := make([]int, len(p.cells))
		var set uint64
		for i, x := range p.cells {
			instance[i] = image(x, symmetry)
			set |= 1 << instance[i]
		}
		if !seen[set] {
			seen[set] = true
			found = append(found, instance)
		}
	}
	return found
}

// image returns the image of a cell under a symmetry: bit 0 mirrors the files, bit 1 the ranks, bit
// 2 swaps both.
func image(x, symmetry int) int {
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

// mirrored returns, for each place in the pattern, its place in the mirrored pattern. It returns
// the identity if no symmetry maps the pattern to itself.
func (p pattern) mirrored() []int {
	order := make([]int, len(p.cells))
	for symmetry := 7; ; symmetry-- {
		for i, x := range p.cells {
			order[i] = slices.Index(p.cells, image(x, symmetry))
		}
		if symmetry == 0 || !slices.Contains(order, -1) && !slices.IsSorted(order) {
			return order
		}
	}
}

// mirrors holds the mirrored content of each content of each pattern. The two share a weight.
var mirrors = sync.OnceValue(func() (tables [Count][]uint16) {
	for i, p := range patterns {
		mirror := p.mirrored()
		tables[i] = make([]uint16, p.size())
		for content := range tables[i] {
			mirrored := 0
			for left, place := content, 0; left != 0; left, place = left/3, place+1 {
				mirrored += left % 3 * powers[mirror[place]]
			}
			tables[i][content] = uint16(mirrored)
		}
	}
	return tables
})

// Canonical returns the smaller of a content of a pattern and its mirrored content.
func Canonical(pattern, content int) int { return min(content, int(mirrors()[pattern][content])) }

// Contents returns the number of contents of a pattern.
func Contents(pattern int) int { return patterns[pattern].size() }

// powers holds the powers of three up to the size of the largest pattern.
var powers = [...]int{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049}

// Lanes returns the pattern of each lane of a [Vector] that holds an instance.
func Lanes() (patternOf []int) {
	for i, p := range patterns {
		for range p.instances() {
			patternOf = append(patternOf, i)
		}
	}
	return patternOf
}
