package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func shapes() map[string]Shape {
	return map[string]Shape{
		"hexagon 1": Hexagon(1), "hexagon 5": Hexagon(5), "hexagon 12": Hexagon(12),
		"square 8": Rectangle(8, 8), "cards 3x5": Rectangle(3, 5),
	}
}

// Each cell is found at its centre, and no character outside the board belongs to a cell.
func TestAtFindsEachCellAtItsCentre(t *testing.T) {
	t.Parallel()
	for name, shape := range shapes() {
		for _, grid := range Grids(shape, true) {
			for row := range shape.Rows {
				for index := range shape.Length(row) {
					want := Cell{row, index}
					x, y := grid.Centre(want)
					if got, ok := grid.At(x, y); got != want || !ok {
						t.Errorf("%s, %dx%d: found %v, %t at the centre of %v", name, grid.PitchX, grid.PitchY, got, ok, want)
					}
					if x >= grid.Width() || y >= grid.Height() {
						t.Errorf("%s: centre %d,%d is outside %dx%d", name, x, y, grid.Width(), grid.Height())
					}
				}
			}
			for _, outside := range [][2]int{{-1, 0}, {0, -1}, {grid.Width(), 1}, {1, grid.Height()}, {0, 0}} {
				if cell, ok := grid.At(outside[0], outside[1]); ok {
					t.Errorf("%s, %dx%d: found %v at %v, outside the board", name, grid.PitchX, grid.PitchY, cell, outside)
				}
			}
		}
	}
}

// The cells of a hexagon have six sides. The map shows the index of the cell that each character
// belongs to: the corners of the box around a cell belong to its neighbours.
func TestHitTestOnAHexagon(t *testing.T) {
	t.Parallel()
	grid := Grid{Shape: Hexagon(1), PitchX: 4, PitchY: 2, Lines: true}
	var got strings.Builder
	for y := range grid.Height() {
		line := make([]byte, grid.Width())
		for x := range line {
			line[x] = ' '
			if cell, ok := grid.At(x, y); ok {
				line[x] = []string{"ab", "cde", "fg"}[cell.Row][cell.Index]
			}
		}
		got.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	want := `
    aaa bbb
   aaaaabbbb
  ccaaadbbbee
 cccccddddeeee
  cccfdddgeee
   fffffgggg
    fff ggg
`
	if diff := cmp.Diff(want, "\n"+got.String()); diff != "" {
		t.Errorf("the hexagon (-want +got):\n%s", diff)
	}
}

func TestStepFollowsTheAxes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shape Shape
		from  Cell
		want  [4]Cell // left, right, up, down
	}{
		{Hexagon(2), Cell{2, 2}, [4]Cell{{2, 1}, {2, 3}, {1, 1}, {3, 2}}}, // the centre
		{Hexagon(2), Cell{0, 0}, [4]Cell{{0, 0}, {0, 1}, {0, 0}, {1, 1}}}, // the top left corner
		{Hexagon(2), Cell{4, 2}, [4]Cell{{4, 1}, {4, 2}, {3, 2}, {4, 2}}}, // the bottom right corner
		{Rectangle(3, 3), Cell{0, 1}, [4]Cell{{0, 0}, {0, 2}, {0, 1}, {1, 1}}},
	} {
		got := [4]Cell{}
		for _, d := range []Direction{Left, Right, Up, Down} {
			got[d] = test.shape.Step(test.from, d)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("from %v (-want +got):\n%s", test.from, diff)
		}
	}
}

func TestCellsKeepTheirNameInTheAPI(t *testing.T) {
	t.Parallel()
	for name, shape := range shapes() {
		for row := range shape.Rows {
			for index := range shape.Length(row) {
				cell := Cell{row, index}
				if got := shape.FromProto(shape.Proto(cell)); got != cell {
					t.Errorf("%s: %v became %v", name, cell, got)
				}
			}
		}
	}
	if got := Hexagon(5).Name(Cell{3, 4}); got != "q 1, r -2, s 1" {
		t.Errorf("a cell of a hexagon is %q", got)
	}
	if got := Rectangle(8, 8).Name(Cell{2, 3}); got != "d3" {
		t.Errorf("a cell of a square is %q", got)
	}
}
