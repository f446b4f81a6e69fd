package train

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// fit fits weights to the games in files and writes them.
func (t *trainer) fit(paths []string) error {
	l := t.engine.newLearner()
	if err := t.addGames(l, paths...); err != nil {
		return err
	}
	l.learn(t.options, t.log)
	return writeFile(t.out, l.write)
}

// addGames adds the positions of the games in files.
func (t *trainer) addGames(l learner, paths ...string) error {
	games, err := readGames(paths...)
	if err != nil {
		return err
	}
	for i, g := range games {
		lessons, _, err := replay(g, t.start)
		if err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		for _, lesson := range lessons {
			l.add(i, lesson)
		}
	}
	return nil
}

// generation is a step of a run: self-play with limits, then learning.
type generation struct{ games, depth, exact, mistakes int }

// plan has the generations of the embedded weights of model othello: from random games with exact
// endgames to ever deeper searches.
var plan = []generation{
	{games: 40_000, depth: 0, exact: 10},
	{games: 80_000, depth: 1, exact: 10},
	{games: 100_000, depth: 2, exact: 11},
	{games: 150_000, depth: 3, exact: 12},
	{games: 122_000, depth: 3, exact: 13},
	{games: 41_000, depth: 6, exact: 16},
	{games: 255_000, depth: 4, exact: 14, mistakes: 12},
	{games: 127_000, depth: 6, exact: 14, mistakes: 12},
}

// run trains the model othello, generation by generation. It continues from the files in the
// folder.
func (t *trainer) run(ctx context.Context, plan []generation) error {
	if t.model != "othello" {
		return fmt.Errorf("no plan for model %q: use play and fit", t.model)
	}
	if err := os.MkdirAll(t.folder, 0o750); err != nil {
		return err
	}
	var weights bytes.Buffer
	if err := new(pattern.Weights).Write(&weights); err != nil {
		return err
	}
	step := *t
	step.nodes, step.initial = 0, weights.Bytes()
	var games []string
	for i, g := range plan {
		step.generation, step.games, step.depth = i, g.games, g.depth
		step.exact, step.mistakes = g.exact, g.mistakes
		games = append(games, t.path(i, "txt"))
		if err := step.play(ctx, games[i]); err != nil {
			return err
		}
		var err error
		step.out = t.path(i, "weights")
		if step.initial, err = os.ReadFile(step.out); err == nil {
			continue
		}
		if err := step.fit(games[max(0, len(games)-t.window):]); err != nil {
			return err
		}
		if step.initial, err = os.ReadFile(step.out); err != nil {
			return err
		}
	}
	return os.WriteFile(t.out, step.initial, 0o644)
}

// path returns a file of the folder.
func (t *trainer) path(generation int, kind string) string {
	return filepath.Join(t.folder, fmt.Sprintf("generation%d.%s", generation, kind))
}
