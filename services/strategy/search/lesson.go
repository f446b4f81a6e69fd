package search

import (
	"fmt"
	"io"
	"math"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
)

// Lesson is for training: it tells what the evaluation sees in the positions of one game, and writes the weights
// that were learnt from it.
type Lesson struct {
	model *model
	look  func(p *reversi.Position) Sight
	// same is, for every way to fill the shapes, the one that stands for it and its mirror image.
	same []int32
}

// Phases and Features are how many weights there are of each feature, and how many features.
const (
	Phases   = phases
	Features = features
)

// Sight is a position as the evaluation sees it: the sum of its features times their weights, and of the weights of
// the ways in which shapes are filled, is the estimate in discs for the side to move.
type Sight struct {
	Phase    int
	Features [Features]int32
	Ways     []int32
}

// NewLesson looks at the game of Reversi that a position is from with the named model: hexagon5, hexagon or square. It
// is an error if the model does not fit.
func NewLesson(name string, p *reversi.Position) (*Lesson, error) {
	for _, m := range modelsFor(p.Board()) {
		if m.name != name {
			continue
		}
		g := newGeometry(p)
		starts, _ := g.pack()
		l := newLayout[[32]uint64](p, g, starts)
		if m.cells != 0 && m.cells != len(l.cells) {
			break
		}
		places := placeAll(l, m.shapes)
		lesson := &Lesson{model: m, same: m.mirrors()}
		lesson.look = func(p *reversi.Position) Sight { return lesson.sight(l, places, p) }
		return lesson, nil
	}
	return nil, fmt.Errorf("no model %s for %s", name, p.Notation())
}

func (m *model) mirrors() []int32 {
	var same []int32
	for _, s := range m.shapes {
		table := int32(len(same))
		for way, mirrored := range s.mirror() {
			same = append(same, table+min(int32(way), mirrored))
		}
	}
	return same
}

// Look returns what the evaluation sees in a position of the game.
func (l *Lesson) Look(p *reversi.Position) Sight { return l.look(p) }

func (l *Lesson) sight(layout *layout[[32]uint64], places []placed, p *reversi.Position) Sight {
	b := layout.newBoard(p)
	s := Sight{Phase: layout.phase(b.empties)}
	if s.Features, _ = layout.activity(&b); len(places) == 0 {
		layout.count(&b, &s.Features)
	}
	for i := range places {
		s.Ways = append(s.Ways, l.same[layout.filled(&b, &places[i])])
	}
	return s
}

// Ways is one more than the largest of Sight.Ways can be.
func (l *Lesson) Ways() int { return len(l.same) }

// Write writes weights in discs, for each phase those of features and those of ways, to be embedded.
func (l *Lesson) Write(to io.Writer, byFeature [Phases][Features]float64, byWay [Phases][]float32) error {
	var w weights
	for phase := range Phases {
		for i, weight := range byFeature[phase] {
			w.features[phase][i] = int32(math.Round(weight * unit))
		}
		w.tables[phase] = make([]int16, len(l.same))
		for way, same := range l.same {
			w.tables[phase][way] = int16(math.Round(float64(byWay[phase][same]) * unit))
		}
	}
	return w.write(to)
}
