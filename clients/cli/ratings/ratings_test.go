package ratings_test

import (
	"math"
	"testing"

	"github.com/flipside-games/flipside/clients/cli/ratings"
)

// pair returns a match in which the first player is stronger by a difference in Elo.
func pair(first, second, games int, elo float64) ratings.Match {
	score := 1 / (1 + math.Pow(10, -elo/400))
	return ratings.Match{First: first, Second: second, Games: games, Points: score * float64(games)}
}

func TestConsistentResultsGiveTheirDifferences(t *testing.T) {
	const many = 1_000_000 // the added draw does not matter
	fitted := ratings.Fit(3, []ratings.Match{
		pair(0, 1, many, 100), pair(1, 2, many, 200), pair(0, 2, many, 300),
	})
	for i, want := range []float64{400.0 / 3, 100.0 / 3, -500.0 / 3} {
		if math.Abs(fitted[i].Elo-want) > 0.1 {
			t.Errorf("player %d has %.2f, want %.2f", i, fitted[i].Elo, want)
		}
	}
}

// Ten times the odds are 400 points. The information of n even games is n/4, and the rating of each
// player varies by half of the difference.
func TestTheIntervalOfTwoEvenPlayers(t *testing.T) {
	fitted := ratings.Fit(2, []ratings.Match{{First: 0, Second: 1, Points: 49.5, Games: 99}})
	want := 1.96 / math.Sqrt(100.0/4) / 2 * 400 / math.Ln10
	for i, f := range fitted {
		if math.Abs(f.Elo) > 1e-6 || math.Abs(f.Error-want) > 1e-6 {
			t.Errorf("player %d has %.2f ± %.2f, want 0 ± %.2f", i, f.Elo, f.Error, want)
		}
	}
}

func TestAllPointsGiveAFiniteRating(t *testing.T) {
	fitted := ratings.Fit(3, []ratings.Match{
		{First: 0, Second: 1, Points: 10, Games: 10}, {First: 1, Second: 2, Points: 10, Games: 10},
	})
	for i, f := range fitted {
		if math.IsInf(f.Elo, 0) || math.IsNaN(f.Error) || f.Error <= 0 || i > 0 && f.Elo >= fitted[i-1].Elo {
			t.Errorf("player %d has %v", i, f)
		}
	}
}
