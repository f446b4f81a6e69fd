package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

const (
	// levelRounds is the number of measurements and corrections.
	levelRounds = 12
	// tempo is the mean score of depth 2 minus that of depth 1 where weights come from exact scores,
	// in discs: a search prefers errors in its own favour, and depth 1 makes only these.
	tempo = -1.4
	// levelEmpties is the number of empty cells up to which scores are exact.
	levelEmpties = 14
)

// level corrects the constants of model othello. Scores of searches to even depths do not determine
// the value of having the move: weights fitted to them can be too high for the side to move on all
// boards with n empty cells. Scores of depth 2 then are too high, those of depth 1 too low. On the
// boards of these games, level moves the constants until the depths differ by tempo.
func (t *trainer) level(ctx context.Context, path string) error {
	if t.model != "othello" || t.initial == nil {
		return errors.New("level needs -model othello and -weights")
	}
	games, err := readGames(path)
	if err != nil {
		return err
	}
	w, err := pattern.Read(bytes.NewReader(t.initial))
	if err != nil {
		return err
	}
	for range levelRounds {
		gaps, err := t.tempoGaps(ctx, w, games)
		if err != nil {
			return err
		}
		for n := levelEmpties + 1; n < 60; n++ {
			// Depth 1 evaluates a board with n empty cells from one with n+1, depth 2 from one with n+2.
			gap := (gaps[n+1].mean() + gaps[n+2].mean()) / 2
			w.SetBias(n, w.Bias(n)-int(gap/2*pattern.Unit))
		}
	}
	return writeFile(t.out, w.Write)
}

// tempoGaps returns by how much the scores of depth 2 exceed those of depth 1 plus tempo, by number
// of empty cells.
func (t *trainer) tempoGaps(
	ctx context.Context, w *pattern.Weights, games []string,
) (gaps [65]differences, err error) {
	var data bytes.Buffer
	if err := w.Write(&data); err != nil {
		return gaps, err
	}
	newAnalyzer, err := t.engine.load(data.Bytes())
	if err != nil {
		return gaps, err
	}
	shallow := *t
	shallow.depth, shallow.exact = 2, 0
	a := newAnalyzer()
	for i, g := range games {
		lessons, _, err := replay(g, t.start)
		if err != nil {
			return gaps, fmt.Errorf("game %d: %w", i+1, err)
		}
		for _, l := range lessons {
			n := empties(l.Position)
			if scores := shallow.scores(ctx, a, l.Position); n > levelEmpties && len(scores) == 2 {
				gaps[n].add(float64(scores[2]-scores[1]) - tempo)
			}
		}
	}
	return gaps, ctx.Err()
}
