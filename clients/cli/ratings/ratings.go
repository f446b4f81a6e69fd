// Package ratings puts the players of several matches on one Elo scale.
package ratings

import "math"

// Match is the result of a match between two players, by their indices.
type Match struct {
	First, Second int
	// Points are those of the first player: 1 for a win and 0.5 for a draw.
	Points float64
	Games  int
}

// Rating is the strength of a player.
type Rating struct {
	// Elo is the difference to the mean of all players.
	Elo float64
	// Error is the half width of the 95 % interval of Elo.
	Error float64
}

// Fit returns the maximum likelihood ratings of the Bradley-Terry model, with a draw as half a win.
// Each pair of players must be connected by matches. A drawn game is added to each match, so that
// all points or none give a finite difference.
//
// It uses the algorithm of D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", 2004.
// The intervals follow from the Fisher information.
func Fit(players int, matches []Match) []Rating {
	strengths := fitStrengths(players, withDraw(matches))
	covariance := covariances(strengths, withDraw(matches))
	mean := 0.0
	for _, s := range strengths {
		mean += math.Log(s) / float64(players)
	}
	const confidence = 1.96
	fitted := make([]Rating, players)
	for i, s := range strengths {
		fitted[i] = Rating{
			Elo:   eloPerLog * (math.Log(s) - mean),
			Error: confidence * eloPerLog * math.Sqrt(covariance[i][i]),
		}
	}
	return fitted
}

// eloPerLog is the number of Elo points of a natural logarithm: ten times the odds are 400 points.
const eloPerLog = 400 / math.Ln10

func withDraw(matches []Match) []Match {
	added := make([]Match, len(matches))
	for i, m := range matches {
		m.Points, m.Games = m.Points+0.5, m.Games+1
		added[i] = m
	}
	return added
}

// fitStrengths returns the strengths, of which a player's expected score against another is its
// share of both.
func fitStrengths(players int, matches []Match) []float64 {
	const iterations, precision = 10_000, 1e-10
	strengths := make([]float64, players)
	for i := range strengths {
		strengths[i] = 1
	}
	for range iterations {
		points, weights := make([]float64, players), make([]float64, players)
		for _, m := range matches {
			weight := float64(m.Games) / (strengths[m.First] + strengths[m.Second])
			points[m.First] += m.Points
			points[m.Second] += float64(m.Games) - m.Points
			weights[m.First] += weight
			weights[m.Second] += weight
		}
		change, first := 0.0, points[0]/weights[0]
		for i := range strengths {
			next := points[i] / weights[i] / first // the first strength stays 1
			change = max(change, math.Abs(next/strengths[i]-1))
			strengths[i] = next
		}
		if change < precision {
			break
		}
	}
	return strengths
}

// covariances returns the covariances of the logarithms of the strengths, relative to their mean.
// The information does not bound the mean, so a constant in all of its entries makes it invertible.
func covariances(strengths []float64, matches []Match) [][]float64 {
	n := len(strengths)
	information := square(n)
	for i := range information {
		for j := range information {
			information[i][j] = 1
		}
	}
	for _, m := range matches {
		a, b := m.First, m.Second
		share := strengths[a] / (strengths[a] + strengths[b])
		v := float64(m.Games) * share * (1 - share)
		information[a][a] += v
		information[b][b] += v
		information[a][b] -= v
		information[b][a] -= v
	}
	covariance := inverse(information)
	for i := range covariance {
		for j := range covariance {
			covariance[i][j] -= 1 / float64(n*n)
		}
	}
	return covariance
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	return rows
}

// inverse returns the inverse of a positive definite matrix, which it overwrites, by Gauss-Jordan
// elimination.
func inverse(m [][]float64) [][]float64 {
	result := square(len(m))
	for i := range result {
		result[i][i] = 1
	}
	for pivot := range m {
		scale := 1 / m[pivot][pivot]
		for column := range m {
			m[pivot][column] *= scale
			result[pivot][column] *= scale
		}
		for row := range m {
			if factor := m[row][pivot]; row != pivot {
				for column := range m {
					m[row][column] -= factor * m[pivot][column]
					result[row][column] -= factor * result[pivot][column]
				}
			}
		}
	}
	return result
}
