package search

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestTheGeometryLeavesOutCellsThatStayEmpty(t *testing.T) {
	t.Parallel()
	for name, setup := range everyBoard() {
		p := start(t, setup)
		g := newGeometry(p)
		want := 0
		for _, c := range p.Board().Cells() {
			if q, r := coordinates(c); !c.Hexagonal() || q%2 != 0 || r%2 != 0 {
				want++
			}
		}
		if setup == hexagon(1) {
			want = 0 // its lines are too short for a flip
		}
		if len(g.cells) != want {
			t.Errorf("%s: the geometry has %d cells, want %d", name, len(g.cells), want)
		}
	}
}

func coordinates(c rules.Cell) (int, int) {
	if c.Hexagonal() {
		return c.Axial()
	}
	return c.RowColumn()
}

func TestTheGeometryDependsOnThePosition(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, notation string
		cells, lines   int
	}{
		{"a disc in the centre makes all cells fillable", "reversi/hex:2 ___/_XO_/_OXX_/_XO_/___ X 0", 19, 15},
		{"three discs in a row reach along their line", "reversi/square:6 ______/______/__XOX_/______/______/______ X 0", 6, 1},
		{"a lone disc reaches nothing", "reversi/square:4 X___/____/____/____ X 0 pass_rule=voluntary", 0, 0},
	} {
		p, err := reversi.Parse(test.notation)
		if err != nil {
			t.Fatal(err)
		}
		if g := newGeometry(p); len(g.cells) != test.cells || len(g.lines) != test.lines {
			t.Errorf("%s: %d cells on %d lines, want %d on %d", test.name, len(g.cells), len(g.lines), test.cells, test.lines)
		}
	}
}

// A game needs no other weights half way.
func TestTheGeometryStaysTheSameThroughAGame(t *testing.T) {
	t.Parallel()
	from := start(t, hexagon(5))
	for seed := range uint64(20) {
		p := random(t, from, 30, seed)
		if got, want := len(newGeometry(p).cells), len(newGeometry(from).cells); got != want {
			t.Errorf("the geometry of %[2]s has %[1]d cells, at the start %[3]d", got, p.Notation(), want)
		}
	}
}

func TestAFreeSlotSeparatesTheLines(t *testing.T) {
	t.Parallel()
	for name, setup := range everyBoard() {
		g := newGeometry(start(t, setup))
		starts, count := g.pack()
		used := map[int]bool{}
		for i, line := range g.lines {
			first, last := starts[i], starts[i]+len(line)-1
			if first/wordBits != last/wordBits || last >= count*wordBits {
				t.Errorf("%s: a line goes from slot %d to %d", name, first, last)
			}
			for slot := first; slot <= last; slot++ {
				if used[slot] || slot%wordBits > 0 && slot == first && used[slot-1] || slot%wordBits < 63 && slot == last && used[slot+1] {
					t.Errorf("%s: slot %d belongs to two lines, or lies beside another line", name, slot)
				}
			}
			for slot := first; slot <= last; slot++ {
				used[slot] = true
			}
		}
	}
}
