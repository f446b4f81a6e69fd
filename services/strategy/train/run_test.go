//go:build !race

package train

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/flipside-games/flipside/services/strategy/othello/pattern"
)

// The weights of a run depend on the seed alone. An interrupted run continues from the whole
// chunks.
func TestWeightsOfOthelloAreReproducible(t *testing.T) {
	t.Parallel()
	const hash = "18b9c5cfdddaeaf3acce979fd75cf37e2f2aff0de7a791ae270265f4c688fefd"
	plan := []generation{{games: 500, depth: 0, exact: 6}, {games: 500, depth: 1, exact: 6}}
	folder := t.TempDir()
	o := options{model: "othello", folder: folder, window: 2, seed: 3}
	o.out = filepath.Join(folder, "out")
	run := func(threads int) *trainer {
		o.threads = threads
		tr := newTestTrainer(t, o)
		if err := tr.run(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		checkHash(t, tr.out, hash)
		return tr
	}
	tr := run(1)
	if err := os.Truncate(tr.path(1, "txt"), 1000); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(tr.path(1, "weights")); err != nil {
		t.Fatal(err)
	}
	run(2)

	l := tr.engine.newLearner().(*othelloLearner)
	if err := tr.addGames(l, tr.path(0, "txt")); err != nil {
		t.Fatal(err)
	}
	const phase = pattern.Phases / 2
	random := rand.New(rand.NewPCG(1, 1))
	first := l.learnPhase(l.lessons[phase], random)
	if second := l.learnPhase(l.lessons[phase], random); second >= first {
		t.Errorf("errors of %.0f discs in the first pass, %.0f in the second", first, second)
	}

	taught, untaught := tr.path(1, "weights"), filepath.Join(folder, "untaught")
	if err := writeFile(untaught, new(pattern.Weights).Write); err != nil {
		t.Fatal(err)
	}
	result := train(t, "match", "-depth", "2", "-nodes", "0", "-games", "20", taught, untaught)
	if !regexp.MustCompile(`^\d\d won, \d drawn, \d lost: .*%, \+.* discs per game\n$`).MatchString(result) {
		t.Errorf("trained weights against zero weights: %s", result)
	}
}
