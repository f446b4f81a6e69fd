//go:build !race

package train

import (
	"bytes"
	"math"
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

// The constants move until depth 2 exceeds depth 1 as it should.
func TestLevelBalancesTheDepths(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	games, uneven := filepath.Join(folder, "games"), filepath.Join(folder, "uneven")
	level := filepath.Join(folder, "level")
	o := options{model: "othello", out: level, depth: 1, exact: 8, games: 10, threads: 1, seed: 1}
	tr := newTestTrainer(t, o)
	tr.engine = shortChunks{tr.engine}
	if err := tr.play(t.Context(), games); err != nil {
		t.Fatal(err)
	}
	w := new(pattern.Weights)
	for n := range 61 {
		w.SetBias(n, 3*pattern.Unit)
	}
	if err := writeFile(uneven, w.Write); err != nil {
		t.Fatal(err)
	}
	train(t, "level", "-weights", uneven, "-out", level, games)
	w, err := pattern.Read(bytes.NewReader(read(t, level)))
	if err != nil {
		t.Fatal(err)
	}
	for n := levelEmpties + 2; n < 40; n++ {
		// Without patterns, depth 2 scores the constant of n cells and depth 1 loses that of n+1.
		if gap := float64(w.Bias(n)+w.Bias(n+1)) / pattern.Unit; math.Abs(gap-tempo) > 1 {
			t.Errorf("with %d empty cells depth 2 exceeds depth 1 by %.2f discs, want %.1f",
				n, gap, tempo)
		}
	}
}
