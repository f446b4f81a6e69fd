package search

import (
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// A pattern is a list of cells whose contents have a weight together. Its images under the
// symmetries of the board share a table with a weight for each of the 3^n contents of its n cells.
// The symmetries that map it to itself give its cells at most one other order.
type pattern struct {
	cells []rules.Cell
	// side is the number of cells on each side of the board.
	side int
}

// hexPatterns returns the patterns of a hexagon with n rings, of which only cells with an odd q or
// an odd r can be filled: each line that can be filled, and at each corner the nine or ten cells
// next to it.
func hexPatterns(n int) []pattern {
	corner := hexCells(0, -n, 1, -n, 2, -n, 3, -n, -1, 1-n, -2, 2-n, -3, 3-n, 1, 1-n, -1, 2-n)
	firstRow := -n
	if n%2 == 0 {
		corner = hexCells(1, -n, 3, -n, -1, 1-n, -3, 3-n, 0, 1-n, 1, 1-n, 2, 1-n, -1, 2-n, -2, 3-n, 0, 3-n)
		firstRow = 1 - n
	}
	patterns := []pattern{{corner, n}}
	for r := firstRow; r < 0; r += 2 {
		patterns = append(patterns, linePattern(hexRow(n, r), n))
	}
	return patterns
}

// fiveRingPatterns returns the patterns of five rings. With ten cells each, they predict scores better
// than those of hexPatterns: the mean square of the error is a fifth lower.
func fiveRingPatterns() []pattern {
	const n = 5
	all := [][]rules.Cell{
		// A corner.
		hexCells(0, -5, 1, -5, 2, -5, 3, -5, -1, -4, -2, -3, -3, -2, 1, -4, -1, -3, 0, -3),
		// The lines: an edge with the cells behind it, the next line with an edge cell at each end, and
		// one of the longest.
		append(hexRow(n, -5), hexCells(-1, -4, 1, -4, 3, -4, 5, -4)...),
		append(hexRow(n, -3), hexCells(-1, -4, 5, -4)...),
		hexRow(n, -1),
		// The two edges at a corner.
		hexCells(0, -5, 1, -5, 2, -5, 3, -5, 4, -5, -1, -4, -2, -3, -3, -2, -4, -1, 0, -3),
		// Blocks around a cell that stays empty: the centre, one between it and an edge, and one behind
		// an edge.
		append(hexRing(0, 0), hexCells(2, -1, 1, 1, -1, 2, -2, 1)...),
		append(hexRing(0, -2), hexCells(1, -4, -1, -3, 2, -3, -2, -1)...),
		append(hexRing(2, -4), hexCells(0, -3, 3, -3, -1, -2, 3, -2)...),
	}
	patterns := make([]pattern, len(all))
	for i, cells := range all {
		patterns[i] = pattern{cells, n}
	}
	return patterns
}

// hexCells returns cells of a hexagon by their coordinates: q and r of each.
func hexCells(coordinates ...int) (cells []rules.Cell) {
	for at := range slices.Chunk(coordinates, 2) {
		cells = append(cells, rules.HexCell(at[0], at[1]))
	}
	return cells
}

// hexRow returns the cells of a row in the upper half of a hexagon with n rings.
func hexRow(n, r int) (cells []rules.Cell) {
	for q := -n - r; q <= n; q++ {
		cells = append(cells, rules.HexCell(q, r))
	}
	return cells
}

// hexRing returns the six neighbours of a cell.
func hexRing(q, r int) []rules.Cell {
	return hexCells(q, r-1, q+1, r-1, q+1, r, q, r+1, q-1, r+1, q-1, r)
}

// squarePatterns returns the patterns of a square: the lines of four cells and more, and at each
// corner three by three and two by five cells.
func squarePatterns(side int) []pattern {
	patterns := []pattern{{squareBlock(3, 3), side}, {squareBlock(2, 5), side}}
	for row := range side / 2 {
		var line []rules.Cell
		for column := range side {
			line = append(line, rules.SquareCell(row, column))
		}
		patterns = append(patterns, linePattern(line, side))
	}
	for length := 4; length <= side; length++ {
		var diagonal []rules.Cell
		for row := range length {
			diagonal = append(diagonal, rules.SquareCell(row, row+side-length))
		}
		patterns = append(patterns, linePattern(diagonal, side))
	}
	return patterns
}

// linePattern returns the pattern of a line. Of a line with too many cells it has those of one end;
// the image of the pattern in the mirror has the other end.
func linePattern(line []rules.Cell, side int) pattern {
	const partOfLine = 8
	if len(line) > maxPatternCells {
		line = line[:partOfLine]
	}
	return pattern{line, side}
}

func squareBlock(rows, columns int) (cells []rules.Cell) {
	for row := range rows {
		for column := range columns {
			cells = append(cells, rules.SquareCell(row, column))
		}
	}
	return cells
}

// maxPatternCells bounds the cells of a pattern: ten cells have 59049 contents.
const maxPatternCells = 10

// size returns the number of possible contents of a pattern.
func (p pattern) size() int { return int(power3[len(p.cells)]) }

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

// allImages returns the images of a pattern under all symmetries of the board, with the cells in
// corresponding order, the pattern itself first.
func (p pattern) allImages() (all []pattern) {
	for i, c := range p.cells {
		for k, image := range images(c, p.side) {
			if i == 0 {
				all = append(all, pattern{side: p.side})
			}
			all[k].cells = append(all[k].cells, image)
		}
	}
	return all
}

// images is allImages without repetitions: of two images with the same cells it has the first.
func (p pattern) images() (all []pattern) {
	for _, image := range p.allImages() {
		if !slices.ContainsFunc(all, image.sameCells) {
			all = append(all, image)
		}
	}
	return all
}

func (p pattern) sameCells(other pattern) bool {
	return len(p.cells) == len(other.cells) && !slices.ContainsFunc(p.cells, func(c rules.Cell) bool {
		return !slices.Contains(other.cells, c)
	})
}

// mirror returns, for each possible content, the content of the mirrored pattern: the same if the
// pattern is not symmetric.
func (p pattern) mirror() []int32 {
	order := make([]int, len(p.cells))
	for i := range order {
		order[i] = i
	}
	for _, image := range p.allImages() {
		if image.sameCells(p) && !slices.Equal(image.cells, p.cells) {
			for i, c := range image.cells {
				order[i] = slices.Index(p.cells, c)
			}
			break
		}
	}
	mirror := make([]int32, p.size())
	for content := range mirror {
		digits := content
		for i := range order {
			mirror[content] += int32(digits%3) * power3[order[i]]
			digits /= 3
		}
	}
	return mirror
}

var power3 = [...]int32{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049}
