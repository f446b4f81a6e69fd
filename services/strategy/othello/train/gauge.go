package train

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// MatchFiles plays a match of pairs of games between two files of weights and prints its outcome.
func MatchFiles(ctx context.Context, files [2]string, depth, pairs int, out io.Writer) error {
	var weights [2]*pattern.Weights
	for i, path := range files {
		w, err := readWeights(path)
		if err != nil {
			return err
		}
		weights[i] = w
	}
	o := Match(ctx, weights[0], weights[1], depth, pairs, 1)
	games := o.Wins + o.Draws + o.Losses
	_, err := fmt.Fprintf(out, "%d won, %d drawn, %d lost: %.1f %%, %+.2f ± %.2f discs a game\n",
		o.Wins, o.Draws, o.Losses, 100*(float64(o.Wins)+float64(o.Draws)/2)/float64(games), o.Discs, o.Error)
	return err
}

// MeasureFile measures the weights in a file on games of a generation of a run, as Measure does.
func MeasureFile(ctx context.Context, weights string, s Settings, generation, boards int, out io.Writer) error {
	w, err := readWeights(weights)
	if err != nil {
		return err
	}
	games, err := readGames(s.path(generation, "games"))
	if err != nil {
		return err
	}
	Measure(ctx, games[:min(boards, len(games))], w, out)
	return nil
}

func readWeights(path string) (*pattern.Weights, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer file.Close()
	return pattern.Read(file)
}
