package train

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/othello"
	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// measuredDepth is the depth of the deepest midgame search that shallower ones are compared with, and measuredEnd the
// number of empty cells up to which they are compared with the final score.
const (
	measuredDepth = 8
	measuredEnd   = 18
)

// pairing is two depths compared with this many empty cells.
type pairing struct{ empties, deep, shallow int }

// Measure compares the scores of searches of different depth, without selective cuts, on boards of the games, and
// prints for each number of empty cells and pair of depths how many were compared and the mean and standard deviation
// of the difference in discs. The selective cuts of package othello rest on this table.
func Measure(ctx context.Context, games []record, w *pattern.Weights, out io.Writer) {
	differences := map[pairing][]float64{}
	for i := range games {
		if ctx.Err() != nil {
			break
		}
		empties := 12 + i%40
		games[i].replay(func(_ int, b othello.Board, _ othello.Square, _ int) {
			if b.Empties() == empties {
				compare(ctx, b, w, differences)
			}
		})
	}
	for empties := range 65 {
		for deep := range 65 {
			for shallow := range deep {
				if d := differences[pairing{empties, deep, shallow}]; len(d) > 1 {
					mean, deviation := moments(d)
					fmt.Fprintln(out, empties, deep, shallow, len(d), mean, deviation)
				}
			}
		}
	}
}

// compare adds the differences between all depths on one board.
func compare(ctx context.Context, b othello.Board, w *pattern.Weights, differences map[pairing][]float64) {
	engine := othello.New(othello.Options{TableBytes: 4 << 20, Scoring: othello.EmptiesToWinner, Weights: w})
	o := limits.Options{Limits: limits.Limits{Depth: measuredDepth}, FullWidth: true}
	if b.Empties() <= measuredEnd {
		o.Depth = 0
	}
	var scores []othello.Info
	for infos := range engine.Analyze(limits.NewMeter(ctx), b, o) {
		for _, before := range scores {
			p := pairing{b.Empties(), infos[0].Depth, before.Depth}
			differences[p] = append(differences[p], float64(infos[0].Score-before.Score))
		}
		scores = append(scores, infos[0])
	}
}

// moments are the mean and the standard deviation.
func moments(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / float64(len(values)-1)
	}
	return mean, math.Sqrt(deviation)
}
