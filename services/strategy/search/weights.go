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

// Package train made the weights; its comment has the commands.
//
//go:embed weights
var weightFiles embed.FS

// weights are the contents of a weights file: for each phase the weights of the features, then
// those of the contents of each pattern. They are in units, as little-endian 16-bit integers,
// deflated.
type weights struct {
	features [phases][features]int32
	tables   [phases][]int16
}

// A model is a set of weights with its patterns.
type model struct {
	name     string
	patterns []pattern
	// cells is the number of cells of the geometry that the model fits; 0 means any number.
	cells      int
	deviations deviations
	// read and margins compute their results once.
	read    func() *weights
	margins func() *margins
}

func newModel(name string, patterns []pattern, cells int, d deviations) *model {
	m := &model{name: name, patterns: patterns, cells: cells, deviations: d}
	m.read, m.margins = sync.OnceValue(m.load), sync.OnceValue(m.deviations.margins)
	return m
}

// The models. Those without patterns fit boards of any size, since their features do.
var (
	fiveRings = newModel("hexagon5", hexPatterns(5), 72,
		deviations{5.0, 3.6, 4.4, 5.0, 6.1, 6.0, 5.0, 3.6})
	anyHexagon = newModel("hexagon", nil, 0, deviations{19.4, 6.4, 3.9, 7.9, 7.3, 6.6, 6.8, 6.3})
	anySquare  = newModel("square", nil, 0, deviations{3.9, 2.2, 2.5, 2.4, 3.4, 3.9, 5.2, 7.0})
)

// modelsFor returns the models for a board, the best one first.
func modelsFor(b *reversi.Board) []*model {
	switch {
	case b.Shape() == reversi.Square:
		return []*model{anySquare}
	case b.Size() == 5:
		return []*model{fiveRings, anyHexagon}
	}
	return []*model{anyHexagon}
}

// newEvaluation returns the evaluation of the best model for the board and its number of cells.
func newEvaluation[W words](l *layout[W], b *reversi.Board) evaluation {
	for _, m := range modelsFor(b) {
		if m.cells == 0 || m.cells == len(l.cells) {
			return evaluationWith(l, m, m.read())
		}
	}
	return evaluation{}
}

// evaluationWith returns the evaluation of a model with these weights.
func evaluationWith[W words](l *layout[W], m *model, w *weights) evaluation {
	instances := instancesOf(l, m.patterns)
	e := evaluation{features: &w.features, instances: instances, margins: m.margins()}
	if len(instances) > 0 {
		e.tables = &w.tables
	}
	return e
}

// instancesOf returns all instances of the patterns.
func instancesOf[W words](l *layout[W], patterns []pattern) (instances []instance) {
	table := int32(0)
	for _, p := range patterns {
		for _, image := range p.images() {
			instances = append(instances, instance{l.segments(image), table})
		}
		table += int32(p.size())
	}
	return instances
}

// patternWeights returns the number of pattern weights in each phase.
func (m *model) patternWeights() (n int) {
	for _, p := range m.patterns {
		n += p.size()
	}
	return n
}

// load reads the embedded weights. It panics on an error, which is a mistake in the program.
func (m *model) load() *weights {
	file, err := weightFiles.Open("weights/" + m.name + ".bin")
	if err != nil {
		panic(fmt.Sprintf("search: weights of %s: %v", m.name, err))
	}
	defer file.Close()
	w, err := readWeights(file, m.patternWeights())
	if err != nil {
		panic(fmt.Sprintf("search: weights of %s: %v", m.name, err))
	}
	return w
}

func readWeights(from io.Reader, patternWeights int) (*weights, error) {
	numbers := make([]int16, phases*(int(features)+patternWeights))
	if err := binary.Read(flate.NewReader(from), binary.LittleEndian, numbers); err != nil {
		return nil, err
	}
	var w weights
	for phase := range phases {
		for i := range w.features[phase] {
			w.features[phase][i] = int32(numbers[i])
		}
		w.tables[phase] = numbers[features : int(features)+patternWeights]
		numbers = numbers[int(features)+patternWeights:]
	}
	return &w, nil
}

// write writes weights in the format that readWeights reads.
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
		all := slices.Concat(numbers, w.tables[phase])
		if err := binary.Write(deflater, binary.LittleEndian, all); err != nil {
			return err
		}
	}
	return deflater.Close()
}
