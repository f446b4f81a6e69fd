package search

import (
	"bytes"
	"io/fs"
	"reflect"
	"slices"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

func TestTheWeightsAreSmall(t *testing.T) {
	t.Parallel()
	total := int64(0)
	err := fs.WalkDir(weightFiles, ".", func(_ string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		info, err := file.Info()
		total += info.Size()
		return err
	})
	if err != nil || total == 0 || total > 3<<20 {
		t.Errorf("weights take %d bytes, %v", total, err)
	}
}

func TestWeightsAreReadAsWritten(t *testing.T) {
	t.Parallel()
	want := &weights{features: models[0].read().features}
	for phase := range want.tables {
		want.tables[phase] = []int16{int16(phase), -1, 1 << 14}
	}
	var file bytes.Buffer
	if err := want.write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := readWeights(&file, 3)
	if err != nil || !reflect.DeepEqual(want, got) {
		t.Errorf("read back %v, %v, want %v", got, err, want)
	}
}

func TestEveryModelHasWeights(t *testing.T) {
	t.Parallel()
	for _, m := range models {
		if m.read() == nil {
			t.Errorf("no weights of %s", m.name)
		}
	}
}

func TestPatternsApplyOnlyIfTheGeometryHasAllTheirCells(t *testing.T) {
	t.Parallel()
	usual := newGame(start(t, hexagon(5))).(sized[[3]uint64])
	if got := len(usual.eval.instances.tables); got != 8*6 {
		t.Errorf("five rings have %d pattern instances, want eight patterns six times each", got)
	}
	even := newGame(start(t, hexagon(6))).(sized[[4]uint64])
	if got := len(even.eval.instances.tables); got != 6+2*6+12 {
		t.Errorf("six rings have %d pattern instances, want a corner and two lines six times each and "+
			"the ends of the longest line twelve times", got)
	}
	square := newGame(start(t, square(6))).(sized[[3]uint64])
	if got := len(square.eval.instances.tables); got != 4+8+3*4+4+4+2 {
		t.Errorf("6x6 has %d pattern instances, want two blocks in 4 and 8 places, 3 lines 4 times, "+
			"2 diagonals 4 times and one twice", got)
	}
	p, err := reversi.Parse("reversi/hex:5 ______/_______/________/_________/____XO____/____OX_____/" +
		"____XO____/_________/________/_______/______ X 0")
	if err != nil {
		t.Fatal(err)
	}
	if all := newGame(p).(sized[[8]uint64]); all.eval.tables != nil {
		t.Errorf("patterns apply to a game with %d cells", len(all.cells))
	}
}

func TestEachPatternIsTheMirrorImageOfItsMirrorImage(t *testing.T) {
	t.Parallel()
	for _, p := range slices.Concat(fiveRingPatterns(), hexPatterns(6), squarePatterns(6), squarePatterns(12)) {
		mirror, moved := p.mirror(), 0
		for content, mirrored := range mirror {
			if mirror[mirrored] != int32(content) {
				t.Fatalf("content %d has the image %d, which has %d", content, mirrored, mirror[mirrored])
			}
			if int(mirrored) != content {
				moved++
			}
		}
		orders := [][]rules.Cell{p.cells}
		for _, image := range p.allImages() {
			if image.sameCells(p) && !slices.ContainsFunc(orders, func(order []rules.Cell) bool {
				return slices.Equal(order, image.cells)
			}) {
				orders = append(orders, image.cells)
			}
		}
		if len(orders) > 2 || (len(orders) == 2) != (moved > 0) {
			t.Errorf("the pattern %v maps to itself in %d ways, and %d contents have another image",
				p, len(orders), moved)
		}
	}
}
