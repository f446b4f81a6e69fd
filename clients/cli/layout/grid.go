package layout

// Margins around a board, for labels and for the brackets of a selection at the edge.
const (
	margin    = 1
	hexMargin = 4
)

// Grid places a board on characters. A character is twice as high as it is wide.
type Grid struct {
	Shape
	// PitchX and PitchY are the distances between neighbours, in characters. PitchX is even.
	PitchX, PitchY int
	// Lines reports whether lines separate the cells. They need one column and one row more.
	Lines bool
	// Labels reports whether there is room for labels of rows and columns.
	Labels bool
}

// Grids returns the grids for a shape, the largest first. All but the last two have lines.
func Grids(s Shape, labels bool) []Grid {
	grids := []Grid{
		{Shape: s, PitchX: 8, PitchY: 4, Lines: true, Labels: labels},
		{Shape: s, PitchX: 4, PitchY: 2, Lines: true, Labels: labels},
		{Shape: s, PitchX: 4, PitchY: 1, Labels: labels},
		{Shape: s, PitchX: 2, PitchY: 1, Labels: labels},
	}
	if s.Rings > 0 {
		return grids[1:]
	}
	return grids
}

// Width returns the number of columns that the board takes, with its margins.
func (g Grid) Width() int { return g.left() + g.Columns*g.PitchX + g.lines() + g.right() }

// Height returns the number of rows that the board takes, with its margins.
func (g Grid) Height() int { return g.top() + g.Rows*g.PitchY + g.lines() }

func (g Grid) lines() int {
	if g.Lines {
		return 1
	}
	return 0
}

func (g Grid) left() int {
	switch {
	case !g.Labels:
		return margin
	case g.Rings > 0:
		return hexMargin
	default:
		return margin + 2
	}
}

func (g Grid) right() int {
	if g.Labels && g.Rings > 0 {
		return hexMargin
	}
	return margin
}

func (g Grid) top() int {
	if g.Labels && (g.Rings == 0 || !g.Lines) {
		return 1
	}
	return 0
}

// Corner returns the top left character of the box around a cell. The box is PitchX wide and PitchY
// high, and one more in each direction with lines.
func (g Grid) Corner(c Cell) (x, y int) {
	x = g.left() + c.Index*g.PitchX
	if g.Rings > 0 {
		x += abs(c.Row-g.Rings) * g.PitchX / 2
	}
	return x, g.top() + c.Row*g.PitchY
}

// Centre returns the character in the middle of a cell.
func (g Grid) Centre(c Cell) (x, y int) {
	x, y = g.Corner(c)
	if g.Lines {
		return x + g.PitchX/2, y + g.PitchY/2
	}
	return x + (g.PitchX-1)/2, y
}

// At returns the cell that a character belongs to. Cells of a hexagon are hexagons: a corner of the
// box around a cell belongs to its neighbour, or to no cell at the edge of the board.
func (g Grid) At(x, y int) (Cell, bool) {
	if g.Rings > 0 && g.Lines {
		return g.nearest(x, y)
	}
	if x < g.left() || y < g.top() {
		return Cell{}, false
	}
	c := Cell{Row: (y - g.top()) / g.PitchY}
	if g.Lines {
		c.Row = min(c.Row, g.Rows-1) // the last line belongs to the last row
	}
	offset, _ := g.Corner(Cell{Row: c.Row})
	if x < offset {
		return c, false
	}
	c.Index = (x - offset) / g.PitchX
	if g.Lines && x-offset == g.Columns*g.PitchX {
		c.Index = g.Columns - 1
	}
	return c, g.Contains(c) && y-g.top() < g.Rows*g.PitchY+g.lines()
}

// nearest returns the cell of a hexagon with the nearest centre, in an endless plane of hexagons. A
// character between two cells belongs to the one on the board.
func (g Grid) nearest(x, y int) (found Cell, ok bool) {
	best := 1 << 30
	middle := floorDiv(y-g.top()-g.PitchY/2, g.PitchY)
	for row := middle - 1; row <= middle+2; row++ {
		first, _ := g.Centre(Cell{Row: row})
		index := floorDiv(x-first+g.PitchX/2, g.PitchX)
		for _, c := range []Cell{{row, index - 1}, {row, index}} {
			cx, cy := g.Centre(c)
			distance := 2*((x-cx)*(x-cx)+4*(y-cy)*(y-cy)) + 1
			if g.Contains(c) {
				distance-- // wins a tie
			}
			if distance < best {
				best, found, ok = distance, c, g.Contains(c)
			}
		}
	}
	return found, ok
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}
