package train

import (
	"context"
	"io"
	"iter"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// engine is a search whose weights this package trains.
type engine interface {
	// load reads weights, or takes the embedded ones if data is nil. The result makes analyzers,
	// each with an own table.
	load(data []byte) (func() analyzer, error)
	// chunk is the number of games that share an analyzer and a source of random numbers.
	chunk() int
	// opening draws the number of random moves at the start of a game, and the greatest advantage
	// that they may give to one side, in discs.
	opening(o options, random *rand.Rand) (plies, advantage int)
	// drawsForced reports whether a forced move or pass takes a random number and counts as one of
	// the random moves. Otherwise the engine gets forced moves too, and passes cost nothing.
	drawsForced() bool
	// newLearner returns a learner without positions.
	newLearner() learner
	// phase returns the index of the weights for a position.
	phase(p *reversi.Position) int
	// shallowDepths returns the depths that ProbCut uses for a deep search: none if it does not
	// cut.
	shallowDepths(depth int) []int
	// deviation returns the modelled deviation between the scores of two depths, up to a constant
	// factor for each phase. The depth endDepth stands for the final score.
	deviation(depth, shallow int) float64
}

// analyzer searches a position.
type analyzer func(*limits.Meter, *reversi.Position, limits.Options) iter.Seq[strategy.Analysis]

// best returns the last analysis.
func (a analyzer) best(
	ctx context.Context, p *reversi.Position, o limits.Options,
) (last strategy.Analysis) {
	for last = range a(limits.NewMeter(ctx), p, o) {
	}
	return last
}

// learner fits weights to the final scores of games.
type learner interface {
	// add adds a lesson of a game.
	add(game int, l lesson)
	// learn fits the weights and logs the errors.
	learn(o options, log io.Writer)
	// write writes the weights in the format that the engine reads.
	write(to io.Writer) error
}

// empties counts the cells without a disc.
func empties(p *reversi.Position) int {
	score := p.Score()
	return len(p.Board().Cells()) - score.First - score.Second
}
