package main

import (
	"math"

	"github.com/flipside-games/flipside/services/strategy/search"
)

// The rates at which errors are corrected, in the first epoch and in the last: a share of the error of a position is
// spread over all its weights.
const (
	firstRate = 0.5
	lastRate  = 0.02
)

// rare is how often a way to fill a shape has to be seen for its weight to move at full rate.
const rare = 20

// learner makes the squared error small, for each phase by itself: by stochastic gradient descent for the weights of
// shapes and, after each time through the samples, by least squares for those of features. Features are few, are
// there in every position, and would take up its noise with every step of a descent.
type learner struct {
	byFeature [search.Phases][search.Features]float64
	byWay     [search.Phases][]float32
	seen      [search.Phases][]int32
}

func newLearner(lesson *search.Extractor, samples []sample) *learner {
	l := &learner{}
	for phase := range search.Phases {
		l.byWay[phase] = make([]float32, lesson.PatternWeights())
		l.seen[phase] = make([]int32, lesson.PatternWeights())
	}
	for _, s := range samples {
		for _, way := range s.Patterns {
			l.seen[s.Phase][way]++
		}
	}
	return l
}

// epochs is how often to go through the samples, of the times asked for: once, to tell the error, if there are no shapes.
func (l *learner) epochs(asked int) int {
	if len(l.byWay[0]) == 0 {
		return min(1, asked)
	}
	return asked
}

func (l *learner) estimate(s *sample) float64 {
	sum := l.fromShapes(s)
	for i, f := range s.Features {
		sum += float64(f) * l.byFeature[s.Phase][i]
	}
	return sum
}

func (l *learner) fromShapes(s *sample) (sum float64) {
	for _, way := range s.Patterns {
		sum += float64(l.byWay[s.Phase][way])
	}
	return sum
}

// learn goes once through the samples, and returns how wrong the estimates are then.
func (l *learner) learn(samples []sample, rate float64) [search.Phases]float64 {
	for i := range samples {
		if s := &samples[i]; !s.test && len(s.Patterns) > 0 {
			l.correct(s, (s.score-l.estimate(s))*rate)
		}
	}
	l.byFeature = leastSquares(samples, l.fromShapes)
	return l.wrong(samples)
}

// wrong is, for each phase, the root of the mean square of what the estimates are wrong by in the positions that are not
// learnt from.
func (l *learner) wrong(samples []sample) (wrong [search.Phases]float64) {
	var tests [search.Phases]float64
	for i := range samples {
		if s := &samples[i]; s.test {
			off := s.score - l.estimate(s)
			wrong[s.Phase] += off * off
			tests[s.Phase]++
		}
	}
	for phase := range wrong {
		wrong[phase] = math.Sqrt(wrong[phase] / max(1, tests[phase]))
	}
	return wrong
}

// correct moves the weights of the ways so that they together take up a share of the error, less where they are seldom
// seen. A way that is there several times moves, and counts, as many times.
func (l *learner) correct(s *sample, off float64) {
	part := off / s.repeats
	for _, way := range s.Patterns {
		l.byWay[s.Phase][way] += float32(part * min(1, float64(l.seen[s.Phase][way])/rare))
	}
}

// repeats is the sum, over the ways of a position, of how many times each is there.
func repeats(ways []int32) (sum float64) {
	for _, a := range ways {
		for _, b := range ways {
			if a == b {
				sum++
			}
		}
	}
	return sum
}
