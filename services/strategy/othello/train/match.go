package train

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// openingMoves is how many moves of a match game are drawn by lot.
const openingMoves = 8

// Outcome is the result of a match for the first side.
type Outcome struct {
	Wins, Draws, Losses int
	// Discs is the mean difference a game, Error its standard error.
	Discs, Error float64
}

// Match plays pairs of games between two sets of weights at the same depth, each opening twice with sides swapped, the
// last twelve cells solved by both.
func Match(ctx context.Context, first, second *pattern.Weights, depth, pairs int, seed uint64) (o Outcome) {
	chance := rand.New(rand.NewPCG(seed, 2))
	var scores []float64
	for range pairs {
		lot := player{Generation: Generation{}, chance: chance}
		start := othello.Start()
		for range openingMoves {
			start = start.Play(lot.choose(ctx, start, true))
		}
		scores = append(scores, duel(ctx, start, [2]*pattern.Weights{first, second}, depth))
		scores = append(scores, -duel(ctx, start, [2]*pattern.Weights{second, first}, depth))
	}
	for _, s := range scores {
		switch {
		case s > 0:
			o.Wins++
		case s < 0:
			o.Losses++
		default:
			o.Draws++
		}
	}
	o.Discs, o.Error = moments(scores)
	o.Error /= math.Sqrt(float64(len(scores)))
	return o
}

// duel is the score of one game for the side to move, who plays with the first weights.
func duel(ctx context.Context, b othello.Board, weights [2]*pattern.Weights, depth int) float64 {
	var engines [2]*othello.Engine
	for i, w := range weights {
		engines[i] = othello.New(othello.Options{TableBytes: 4 << 20, Scoring: othello.EmptiesToWinner, Weights: w})
	}
	side := 0
	for !b.Over() {
		if b.Moves() == 0 {
			b, side = b.Pass(), 1-side
			continue
		}
		o := limits.Options{Limits: limits.Limits{Depth: depth}}
		if b.Empties() <= 12 {
			o.Depth = 0
		}
		b, side = b.Play(engines[side].Search(limits.NewMeter(ctx), b, o)[0].PrincipalVariation[0]), 1-side
	}
	return float64(othello.EmptiesToWinner.Final(b) * (1 - 2*side))
}
