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
	name  string
	shape reversi.Shape
	// board is what the model fits.
	board      fit
	patterns   []pattern
	deviations deviations
	// read and margins compute their results once.
	read    func() *weights
	margins func() *margins
}

// fit is a board of one size whose games fill a number of cells. The zero value is any board.
type fit struct{ size, cells int }

func newModel(
	name string, shape reversi.Shape, board fit, patterns []pattern, d deviations,
) *model {
	m := &model{name: name, shape: shape, board: board, patterns: patterns, deviations: d}
	m.read, m.margins = sync.OnceValue(m.load), sync.OnceValue(m.deviations.margins)
	return m
}

// models are all models, the best ones for a board first. Those without patterns fit boards of any
// size, since their features do.
var models = []*model{
	newModel("hexagon4", reversi.Hexagon, fit{4, 42}, hexPatterns(4),
		deviations{10.5, 10.5, 7.4, 6.3, 6.2, 5.2, 4.4, 4.4}),
	newModel("hexagon5", reversi.Hexagon, fit{5, 72}, fiveRingPatterns(),
		deviations{2.5, 3.3, 4.5, 5.2, 5.9, 5.8, 4.3, 3.0}),
	newModel("hexagon6", reversi.Hexagon, fit{6, 90}, hexPatterns(6),
		deviations{9.1, 7.2, 5.0, 5.5, 7.2, 8.7, 7.7, 5.2}),
	newModel("hexagon7", reversi.Hexagon, fit{7, 132}, hexPatterns(7),
		deviations{6.4, 3.7, 4.1, 5.3, 7.2, 7.4, 7.5, 4.7}),
	newModel("square6", reversi.Square, fit{6, 36}, squarePatterns(6),
		deviations{2.0, 2.0, 3.3, 4.4, 4.1, 3.9, 3.8, 3.8}),
	newModel("square10", reversi.Square, fit{10, 100}, squarePatterns(10),
		deviations{0.6, 1.3, 1.3, 2.2, 2.9, 3.8, 4.7, 5.7}),
	newModel("square12", reversi.Square, fit{12, 144}, squarePatterns(12),
		deviations{0.9, 1.2, 2.0, 1.7, 2.3, 3.6, 5.6, 7.6}),
	newModel("hexagon", reversi.Hexagon, fit{}, nil,
		deviations{19.4, 6.4, 3.9, 7.9, 7.3, 6.6, 6.8, 6.3}),
	newModel("square", reversi.Square, fit{}, nil,
		deviations{5.4, 2.2, 2.3, 2.4, 2.6, 3.3, 5.4, 7.9}),
}

// fits reports whether the model fits games on a board that fill a number of cells.
func (m *model) fits(b *reversi.Board, cells int) bool {
	return m.shape == b.Shape() && (m.board == fit{} || m.board == fit{b.Size(), cells})
}

// modelFor returns the best model for games on a board that fill a number of cells.
func modelFor(b *reversi.Board, cells int) *model {
	return models[slices.IndexFunc(models, func(m *model) bool { return m.fits(b, cells) })]
}

// Weights are weights of a model.
type Weights struct {
	model   *model
	weights *weights
}

// bestWeights returns the embedded weights of the best model for games on a board that fill a number of
// cells.
func bestWeights(b *reversi.Board, cells int) *Weights {
	m := modelFor(b, cells)
	return &Weights{m, m.read()}
}

// newEvaluation returns the evaluation of a layout with these weights.
func newEvaluation[W words](l *layout[W], w *Weights) evaluation {
	e := evaluation{
		features: &w.weights.features, instances: instancesOf(l, w.model.patterns),
		margins: w.model.margins(),
	}
	if len(w.model.patterns) > 0 {
		e.tables = &w.weights.tables
	}
	return e
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
