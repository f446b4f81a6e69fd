package train

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// boardEngine trains a model of package search.
type boardEngine struct{ extractor *search.Extractor }

func newBoardEngine(model string, start *reversi.Position) (engine, error) {
	extractor, err := search.NewExtractor(model, start)
	return boardEngine{extractor}, err
}

func (e boardEngine) load(data []byte) (func() analyzer, error) {
	if data == nil {
		return func() analyzer { return search.Analyze }, nil
	}
	w, err := e.extractor.ReadWeights(bytes.NewReader(data))
	return func() analyzer { return w.Analyze }, err
}

func (boardEngine) chunk() int { return 1 }

func (boardEngine) opening(o options, random *rand.Rand) (plies, advantage int) {
	return 1 + random.IntN(o.random), math.MaxInt
}

func (boardEngine) drawsForced() bool { return true }

func (e boardEngine) phase(p *reversi.Position) int { return e.extractor.Extract(p).Phase }

func (boardEngine) shallowDepths(depth int) []int {
	if depth < search.ProbCutDepth {
		return nil
	}
	depths := search.ShallowDepths(depth)
	return depths[:]
}

func (boardEngine) deviation(depth, shallow int) float64 {
	return search.DeviationRatio(depth, shallow)
}

// boardLearner minimizes the squared error of each phase: by stochastic gradient descent for the
// weights of patterns and, after each epoch, by least squares for those of features. There are few
// features, and all positions have them: in a gradient descent they would follow the noise of each
// position.
type boardLearner struct {
	extractor *search.Extractor
	samples   []sample
	byFeature [search.Phases][search.Features]float64
	byPattern [search.Phases][]float32
	// seen counts the samples that have a pattern.
	seen [search.Phases][]int32
}

// sample is a position and the part of the score for its side to move that depends on the weights.
type sample struct {
	search.Inputs
	score float64
	// repeats is the sum, over the patterns of the position, of how often each occurs in it.
	repeats float64
	// test marks the samples that measure the error and are not learned.
	test bool
}

func (e boardEngine) newLearner() learner {
	l := &boardLearner{extractor: e.extractor}
	for phase := range search.Phases {
		l.byPattern[phase] = make([]float32, e.extractor.PatternWeights())
		l.seen[phase] = make([]int32, e.extractor.PatternWeights())
	}
	return l
}

// testInterval is the number of games for each game of test samples.
const testInterval = 20

func (l *boardLearner) add(game int, from lesson) {
	in := l.extractor.Extract(from.Position)
	s := sample{Inputs: in, score: float64(from.score) - in.Fixed, test: game%testInterval == 0}
	for _, a := range in.Patterns {
		l.seen[in.Phase][a]++
		for _, b := range in.Patterns {
			if a == b {
				s.repeats++
			}
		}
	}
	l.samples = append(l.samples, s)
}

// The learning rate is the share of an error that the weights of its position take up. It falls
// from the first to the last epoch by the same factor each time.
const (
	boardFirstRate = 0.5
	boardLastRate  = 0.02
)

// learn logs the errors after each epoch. A model without patterns needs one epoch only.
func (l *boardLearner) learn(o options, log io.Writer) {
	fmt.Fprintln(log, len(l.samples), "positions")
	random := rand.New(rand.NewPCG(o.seed, 0))
	epochs := o.epochs
	if l.extractor.PatternWeights() == 0 {
		epochs = min(1, epochs)
	}
	for epoch := range epochs {
		random.Shuffle(len(l.samples), func(i, j int) {
			l.samples[i], l.samples[j] = l.samples[j], l.samples[i]
		})
		progress := float64(epoch) / float64(max(1, o.epochs-1))
		l.learnEpoch(boardFirstRate * math.Pow(boardLastRate/boardFirstRate, progress))
		fmt.Fprintln(log, "epoch", epoch, "error", l.errors())
	}
}

func (l *boardLearner) learnEpoch(rate float64) {
	for i := range l.samples {
		if s := &l.samples[i]; !s.test && len(s.Patterns) > 0 {
			l.correct(s, float64((s.score-l.evaluate(s))*rate))
		}
	}
	l.byFeature = leastSquares(l.samples, l.evaluatePatterns)
}

// rare is the number of samples with a pattern below which its weight moves at a lower rate.
const rare = 20

// correct moves the weights of patterns so that together they take up a share of the error. A
// pattern that occurs several times moves, and counts, as many times.
func (l *boardLearner) correct(s *sample, share float64) {
	part := share / s.repeats
	for _, i := range s.Patterns {
		weight := min(1, float64(l.seen[s.Phase][i])/rare)
		l.byPattern[s.Phase][i] += float32(part * weight)
	}
}

func (l *boardLearner) evaluate(s *sample) float64 {
	sum := l.evaluatePatterns(s)
	for i, f := range s.Features {
		sum += float64(float64(f) * l.byFeature[s.Phase][i])
	}
	return sum
}

func (l *boardLearner) evaluatePatterns(s *sample) (sum float64) {
	for _, i := range s.Patterns {
		sum += float64(l.byPattern[s.Phase][i])
	}
	return sum
}

// errors returns, for each phase, the root mean square of the error on the test samples.
func (l *boardLearner) errors() (errors [search.Phases]float64) {
	var counts [search.Phases]float64
	for i := range l.samples {
		if s := &l.samples[i]; s.test {
			e := s.score - l.evaluate(s)
			errors[s.Phase] += e * e
			counts[s.Phase]++
		}
	}
	for phase := range errors {
		errors[phase] = math.Sqrt(errors[phase] / max(1, counts[phase]))
	}
	return errors
}

func (l *boardLearner) write(to io.Writer) error {
	return l.extractor.Write(to, l.byFeature, l.byPattern)
}
