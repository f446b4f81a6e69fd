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
	const hash = "b15a18dd9ba32967a41198104acdfd31b0ff1399cc4c5d15c3a58b8460377850"
	plan := []generation{{games: 500, depth: 0, exact: 6}, {games: 500, depth: 1, exact: 6, mistakes: 10}}
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
	boards := l.boardsOf(phase)
	first := l.learnPhase(phase, boards, random)
	if second := l.learnPhase(phase, boards, random); second >= first {
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
