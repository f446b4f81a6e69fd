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

// learner does stochastic gradient descent on the squared error, for each phase by itself.
type learner struct {
	byFeature [search.Phases][search.Features]float64
	byWay     [search.Phases][]float32
	seen      [search.Phases][]int32
	// power is the mean square of each feature.
	power [search.Phases][search.Features]float64
}

func newLearner(lesson *search.Lesson, samples []sample) *learner {
	l := &learner{}
	for phase := range search.Phases {
		l.byWay[phase] = make([]float32, lesson.Ways())
		l.seen[phase] = make([]int32, lesson.Ways())
	}
	var count [search.Phases]float64
	for _, s := range samples {
		count[s.Phase]++
		for i, f := range s.Features {
			l.power[s.Phase][i] += float64(f) * float64(f)
		}
		for _, way := range s.Ways {
			l.seen[s.Phase][way]++
		}
	}
	for phase := range l.power {
		for i := range l.power[phase] {
			l.power[phase][i] /= max(1, count[phase])
		}
	}
	return l
}

func (l *learner) estimate(s *sample) (sum float64) {
	for i, f := range s.Features {
		sum += float64(f) * l.byFeature[s.Phase][i]
	}
	for _, way := range s.Ways {
		sum += float64(l.byWay[s.Phase][way])
	}
	return sum
}

// learn goes once through the samples. It returns, for each phase, the root of the mean square of what the estimates are
// wrong by in the positions that are not learnt from.
func (l *learner) learn(samples []sample, rate float64) (wrong [search.Phases]float64) {
	var tests [search.Phases]float64
	for i := range samples {
		s := &samples[i]
		off := s.score - l.estimate(s)
		if s.test {
			wrong[s.Phase] += off * off
			tests[s.Phase]++
			continue
		}
		l.correct(s, off*rate)
	}
	for phase := range wrong {
		wrong[phase] = math.Sqrt(wrong[phase] / max(1, tests[phase]))
	}
	return wrong
}

// correct moves each weight by an equal part of the error, less where it is seldom seen.
func (l *learner) correct(s *sample, off float64) {
	part := off / float64(len(s.Ways)+len(s.Features))
	for i, f := range s.Features {
		if power := l.power[s.Phase][i]; power > 0 {
			l.byFeature[s.Phase][i] += part * float64(f) / power / 8
		}
	}
	for _, way := range s.Ways {
		l.byWay[s.Phase][way] += float32(part * min(1, float64(l.seen[s.Phase][way])/rare))
	}
}
