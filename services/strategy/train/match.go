package train

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// openingPlies is the number of random moves at the start of a match game.
const openingPlies = 8

// match plays pairs of games between two files of weights and prints the result of the first.
func (t *trainer) match(ctx context.Context, paths [2]string, out io.Writer) error {
	var players [2]opponent
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		newAnalyzer, err := t.engine.load(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		players[i] = opponent{t, newAnalyzer}
	}
	discs := 0
	tally, err := arena.Play(ctx, arena.Match{
		Setup: games.Setup{Reversi: &t.setup},
		First: arena.Strategy(players[0]), Second: arena.Strategy(players[1]),
		Games: t.games, Seed: int64(t.seed), OpeningPlies: openingPlies, Parallel: t.threads,
	}, func(g arena.Game, _ arena.Tally) error {
		discs += g.Score.Margin(g.FirstSide)
		return nil
	})
	if err != nil {
		return err
	}
	score, margin := tally.Score()
	_, err = fmt.Fprintf(out, "%d won, %d drawn, %d lost: %.1f ± %.1f %%, %+.2f discs per game\n",
		tally.Wins, tally.Draws, tally.Losses, 100*score, 100*margin,
		float64(discs)/float64(tally.Games()))
	return err
}

// opponent is a strategy with a set of weights. Each of its moves uses a new analyzer, so that
// matches are deterministic.
type opponent struct {
	*trainer
	newAnalyzer func() analyzer
}

func (o opponent) Keep(
	meter *limits.Meter, p rules.Position, _ []strategy.Candidate,
) ([]strategy.Candidate, error) {
	position := p.(*reversi.Position)
	a := o.newAnalyzer().best(meter.Context(), position, o.limits(position))
	return []strategy.Candidate{{Move: a.Best().Moves[0]}}, nil
}
