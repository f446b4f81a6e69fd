package train

import "github.com/flipside-games/flipside/services/strategy/search"

const features = int(search.Features)

// equations are the normal equations of a least-squares problem in the features of one phase. The
// last column is the right side.
type equations [features][features + 1]float64

// The conversions of products forbid fused operations, for equal results on every processor.
func (e *equations) add(values [features]int32, score float64) {
	for i, f := range values {
		for j, g := range values {
			e[i][j] += float64(float64(f) * float64(g))
		}
		e[i][features] += float64(float64(f) * score)
	}
}

// ridge is added to the diagonal (ridge regression): the weight of a feature that is rare stays
// near zero.
const ridge = 100

// solve returns the weights with the least squared error, by Gauss-Jordan elimination. The matrix
// is positive definite, so that every pivot is positive.
func (e equations) solve() (weights [features]float64) {
	for i := range e {
		e[i][i] += ridge
	}
	for i := range e {
		for j := range e {
			if j == i {
				continue
			}
			factor := e[j][i] / e[i][i]
			for k := i; k <= features; k++ {
				e[j][k] -= float64(factor * e[i][k])
			}
		}
	}
	for i := range e {
		weights[i] = e[i][features] / e[i][i]
	}
	return weights
}

// leastSquares returns the weights of features for the part of the scores that the patterns leave.
func leastSquares(
	samples []sample, patterns func(*sample) float64,
) (byFeature [search.Phases][features]float64) {
	var phases [search.Phases]equations
	for i := range samples {
		if s := &samples[i]; !s.test {
			phases[s.Phase].add(s.Features, s.score-patterns(s))
		}
	}
	for phase := range phases {
		byFeature[phase] = phases[phase].solve()
	}
	return byFeature
}
