package search

import (
	"bytes"
	"io/fs"
	"reflect"
	"testing"

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
	if err != nil || total == 0 || total > 512<<10 {
		t.Errorf("weights take %d bytes, %v", total, err)
	}
}

func TestWeightsAreReadAsWritten(t *testing.T) {
	t.Parallel()
	want := &weights{features: anyHexagon.read().features}
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

func TestEveryBoardHasAnEvaluation(t *testing.T) {
	t.Parallel()
	for name, setup := range everyBoard() {
		p := start(t, setup)
		for _, m := range modelsFor(p.Board()) {
			if m.read() == nil {
				t.Errorf("%s: no weights of %s", name, m.name)
			}
		}
	}
}

func TestPatternsApplyOnlyIfTheGeometryHasAllTheirCells(t *testing.T) {
	t.Parallel()
	usual := newGame(start(t, hexagon(5))).(sized[[3]uint64])
	if got := len(usual.eval.instances); got != 6*4 {
		t.Errorf("five rings have %d pattern instances, want three lines and a corner six times each", got)
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
	for _, s := range hexPatterns(5) {
		mirror, moved := s.mirror(), 0
		for content, mirrored := range mirror {
			if mirror[mirrored] != int32(content) {
				t.Fatalf("content %d has the image %d, which has %d", content, mirrored, mirror[mirrored])
			}
			if int(mirrored) != content {
				moved++
			}
		}
		if moved == 0 {
			t.Errorf("the pattern %v is its own image for all contents", s)
		}
	}
}
