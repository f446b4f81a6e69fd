package search

import (
	"bytes"
	"compress/flate"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
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
	read   func() *weights
}

func newModel(name string, shapes []shape) *model {
	m := &model{name: name, shapes: shapes}
	m.read = sync.OnceValue(m.load)
	return m
}

// The models there are. Those without shapes fit boards of any size, since their features do.
var (
	fiveRings  = newModel("hexagon5", hexShapes(5))
	anyHexagon = newModel("hexagon", nil)
	anySquare  = newModel("square", nil)
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

// newEvaluation takes the best model for the board whose shapes are all there in the layout.
func newEvaluation[W words](l *layout[W], b *reversi.Board) evaluation {
	for _, m := range modelsFor(b) {
		places, fits := placeAll(l, m.shapes)
		if !fits {
			continue
		}
		w := m.read()
		e := evaluation{features: &w.features, places: places}
		if len(places) > 0 {
			e.tables = &w.tables
		}
		return e
	}
	return evaluation{}
}

// placeAll puts the shapes in all their places; it reports false if a cell of one is not in the layout.
func placeAll[W words](l *layout[W], shapes []shape) (places []placed, fits bool) {
	table := int32(0)
	for _, s := range shapes {
		for _, image := range s.images() {
			segments := l.segments(image)
			if segments == nil {
				return nil, false
			}
			places = append(places, placed{segments, table})
		}
		table += int32(s.ways())
	}
	return places, true
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
	file, err := weightFiles.ReadFile("weights/" + m.name + ".bin")
	if err != nil {
		panic(fmt.Sprintf("search: weights of %s: %v", m.name, err))
	}
	numbers := make([]int16, phases*(int(features)+m.ways()))
	if err := binary.Read(flate.NewReader(bytes.NewReader(file)), binary.LittleEndian, numbers); err != nil {
		panic(fmt.Sprintf("search: weights of %s: %v", m.name, err))
	}
	var w weights
	for phase := range phases {
		for i := range w.features[phase] {
			w.features[phase][i] = int32(numbers[i])
		}
		w.tables[phase] = numbers[features : int(features)+m.ways()]
		numbers = numbers[int(features)+m.ways():]
	}
	return &w
}

// write is the opposite of load.
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
		if err := binary.Write(deflater, binary.LittleEndian, append(numbers, w.tables[phase]...)); err != nil {
			return err
		}
	}
	return deflater.Close()
}
