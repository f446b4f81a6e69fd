package search

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Extractor is for training: it returns the inputs of the evaluation for the positions of one game
// and writes trained weights. It is safe for concurrent use.
type Extractor struct {
	model   *model
	extract func(p *reversi.Position) Inputs
	// representative is, for each pattern index, the lower one of it and its mirror image. Both
	// share a weight.
	representative []int32
}

// Phases and Features are the numbers of phases and of features that the evaluation has.
const (
	Phases   = phases
	Features = features
)

// Inputs are the inputs of the evaluation for a position: its value, in discs for the side to move,
// is the sum of the features times their weights, of the weights of the pattern indices, and of a
// part that does not depend on weights.
type Inputs struct {
	Phase    int
	Features [Features]int32
	// Fixed is the part of the value, in discs, that does not depend on weights.
	Fixed float64
	// Patterns holds the index of each pattern, less than [Extractor.PatternWeights].
	Patterns []int32
}

// NewExtractor returns an extractor for the game that p is from and the named model: hexagon4 to
// hexagon7, square6, square10, square12, hexagon or square. It returns an error if the model does
// not fit the game.
func NewExtractor(name string, p *reversi.Position) (*Extractor, error) {
	g := newGeometry(p)
	i := slices.IndexFunc(models, func(m *model) bool {
		return m.name == name && m.fits(p.Board(), len(g.cells))
	})
	if i < 0 {
		return nil, fmt.Errorf("the model %q does not fit %s", name, p.Notation())
	}
	starts, _ := g.pack()
	l := newLayout[[32]uint64](p, g, starts)
	l.eval.instances = instancesOf(l, models[i].patterns)
	e := &Extractor{model: models[i], representative: models[i].mirrors()}
	e.extract = func(p *reversi.Position) Inputs { return e.inputs(l, p) }
	return e, nil
}

func (m *model) mirrors() []int32 {
	var all []int32
	for _, p := range m.patterns {
		table := int32(len(all))
		for content, mirrored := range p.mirror() {
			all = append(all, table+min(int32(content), mirrored))
		}
	}
	return all
}

// Extract returns the inputs for a position of the game.
func (e *Extractor) Extract(p *reversi.Position) Inputs { return e.extract(p) }

func (e *Extractor) inputs(l *layout[[32]uint64], p *reversi.Position) Inputs {
	b, instances := l.newBoard(p), l.eval.instances
	in := Inputs{Phase: l.phase(b.empties), Fixed: float64(l.fewDiscsValue(&b)) / unit}
	if in.Features, _ = l.openFeatures(&b); len(instances.tables) == 0 {
		l.addDiscFeatures(&b, &in.Features)
	}
	r := reading[[32]uint64]{contents: instances.empty()}
	l.read(&r, &b.own, &b.opp)
	for k := range instances.tables {
		in.Patterns = append(in.Patterns, e.representative[instances.index(r.contents, k)])
	}
	return in
}

// PatternWeights returns the number of pattern weights in each phase.
func (e *Extractor) PatternWeights() int { return len(e.representative) }

// Write writes weights in the format that this package embeds. The weights are in discs, by phase:
// those of the features and those of the pattern indices.
func (e *Extractor) Write(
	to io.Writer, byFeature [Phases][Features]float64, byPattern [Phases][]float32,
) error {
	var w weights
	for phase := range Phases {
		for i, weight := range byFeature[phase] {
			w.features[phase][i] = int32(math.Round(weight * unit))
		}
		w.tables[phase] = make([]int16, len(e.representative))
		for i, same := range e.representative {
			w.tables[phase][i] = int16(math.Round(float64(byPattern[phase][same]) * unit))
		}
	}
	return w.write(to)
}

// ReadWeights reads weights of the model of the extractor.
func (e *Extractor) ReadWeights(from io.Reader) (*Weights, error) {
	w, err := readWeights(from, e.PatternWeights())
	return &Weights{e.model, w}, err
}

// Analyze is the function [Analyze] with these weights instead of the embedded ones. The position
// must be of the game of the extractor.
func (w *Weights) Analyze(
	meter *limits.Meter, p *reversi.Position, o limits.Options,
) iter.Seq[strategy.Analysis] {
	g := newGameWith(w, p, newGeometry(p))
	return g.analyze(meter.Within(o.Limits), o.WithDefaults(), newTable)
}
