package main

import "github.com/flipside-games/flipside/services/strategy/search"

// equations are the normal equations of least squares for the features of one phase: the last column is the right side.
type equations [search.Features][search.Features + 1]float64

func (e *equations) add(features [search.Features]int32, score float64) {
	for i, f := range features {
		for j, g := range features {
			e[i][j] += float64(f) * float64(g)
		}
		e[i][search.Features] += float64(f) * score
	}
}

// ridge is added to the diagonal, so that features that are seldom there stay near 0, and those never there at it.
const ridge = 100

// solve returns the weights with the least squared error, by elimination. The matrix is positive definite, so that
// every pivot is positive.
func (e equations) solve() (weights [search.Features]float64) {
	for i := range e {
		e[i][i] += ridge
	}
	for i := range e {
		for j := range e {
			if j == i {
				continue
			}
			factor := e[j][i] / e[i][i]
			for k := i; k <= search.Features; k++ {
				e[j][k] -= factor * e[i][k]
			}
		}
	}
	for i := range e {
		weights[i] = e[i][search.Features] / e[i][i]
	}
	return weights
}

// leastSquares are the weights of features for what is left of the scores once known is taken off.
func leastSquares(samples []sample, known func(*sample) float64) (byFeature [search.Phases][search.Features]float64) {
	var phases [search.Phases]equations
	for i := range samples {
		if s := &samples[i]; !s.test {
			phases[s.Phase].add(s.Features, s.score-known(s))
		}
	}
	for phase := range phases {
		byFeature[phase] = phases[phase].solve()
	}
	return byFeature
}
