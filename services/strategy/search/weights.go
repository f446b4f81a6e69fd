package search

import (
	"compress/flate"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// The weights were made by package train, whose comment has the commands.
//
//go:embed weights
var weightFiles embed.FS

// weights are as a file has them: for each phase those of the features, then those of the ways to fill each shape. They
// are in units, as little-endian 16-bit integers, deflated.
type weights struct {
	features [phases][features]int32
	tables   [phases][]int16
}

// A model is a set of weights and what they are for.
type model struct {
	name   string
	shapes []shape
	// cells is how many cells matter in the games the weights are for; 0 for any number.
	cells int
	// deviations are those of scores that its weights give.
	deviations deviations
	read       func() *weights
	margins    func() *margins
}

func newModel(name string, shapes []shape, cells int, d deviations) *model {
	m := &model{name: name, shapes: shapes, cells: cells, deviations: d}
	m.read, m.margins = sync.OnceValue(m.load), sync.OnceValue(m.deviations.margins)
	return m
}

// The models there are. Those without shapes fit boards of any size, since their features do.
var (
	fiveRings  = newModel("hexagon5", hexShapes(5), 72, deviations{6.1, 6.1, 5.4, 6.1, 6.7, 6.5, 5.2, 3.7})
	anyHexagon = newModel("hexagon", nil, 0, deviations{19.4, 6.4, 3.9, 7.9, 7.3, 6.6, 6.8, 6.3})
	anySquare  = newModel("square", nil, 0, deviations{3.9, 2.2, 2.5, 2.4, 3.4, 3.9, 5.2, 7.0})
)

// modelsFor returns the models that fit a board, the best first.
func modelsFor(b *reversi.Board) []*model {
	switch {
	case b.Shape() == reversi.Square:
		return []*model{anySquare}
	case b.Size() == 5:
		return []*model{fiveRings, anyHexagon}
	}
	return []*model{anyHexagon}
}

// newEvaluation takes the best model for the board, and for as many cells as matter.
func newEvaluation[W words](l *layout[W], b *reversi.Board) evaluation {
	for _, m := range modelsFor(b) {
		if m.cells != 0 && m.cells != len(l.cells) {
			continue
		}
		places := placeAll(l, m.shapes)
		w := m.read()
		e := evaluation{features: &w.features, places: places, margins: m.margins()}
		if len(places) > 0 {
			e.tables = &w.tables
		}
		return e
	}
	return evaluation{}
}

// placeAll puts the shapes in all their places.
func placeAll[W words](l *layout[W], shapes []shape) (places []placed) {
	table := int32(0)
	for _, s := range shapes {
		for _, image := range s.images() {
			places = append(places, placed{l.segments(image), table})
		}
		table += int32(s.ways())
	}
	return places
}

// ways is the number of weights that a model's shapes have in each phase.
func (m *model) ways() (n int) {
	for _, s := range m.shapes {
		n += s.ways()
	}
	return n
}

// load reads weights that are part of the program, so that what is wrong with them is a mistake in it.
func (m *model) load() *weights {
	file, err := weightFiles.Open("weights/" + m.name + ".bin")
	if err != nil {
		panic(fmt.Sprintf("search: weights of %s: %v", m.name, err))
	}
	defer file.Close()
	w, err := readWeights(file, m.ways())
	if err != nil {
		panic(fmt.Sprintf("search: weights of %s: %v", m.name, err))
	}
	return w
}

func readWeights(from io.Reader, ways int) (*weights, error) {
	numbers := make([]int16, phases*(int(features)+ways))
	if err := binary.Read(flate.NewReader(from), binary.LittleEndian, numbers); err != nil {
		return nil, err
	}
	var w weights
	for phase := range phases {
		for i := range w.features[phase] {
			w.features[phase][i] = int32(numbers[i])
		}
		w.tables[phase] = numbers[features : int(features)+ways]
		numbers = numbers[int(features)+ways:]
	}
	return &w, nil
}

// write is the opposite of readWeights.
func (w *weights) write(to io.Writer) error {
	deflater, err := flate.NewWriter(to, flate.BestCompression)
	if err != nil {
		return err
	}
	for phase := range phases {
		numbers := make([]int16, features)
		for i, weight := range w.features[phase] {
			numbers[i] = int16(weight)
		}
		if err := binary.Write(deflater, binary.LittleEndian, slices.Concat(numbers, w.tables[phase])); err != nil {
			return err
		}
	}
	return deflater.Close()
}
