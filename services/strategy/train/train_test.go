package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// train runs a command and returns its results.
func train(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Main(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func newTestTrainer(t *testing.T, o options) *trainer {
	t.Helper()
	tr, err := newTrainer(o, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// shortChunks makes tests short.
type shortChunks struct{ engine }

func (shortChunks) chunk() int { return 10 }

// checkHash pins the bytes of a file.
func checkHash(t *testing.T, path, want string) {
	t.Helper()
	if sum := sha256.Sum256(read(t, path)); hex.EncodeToString(sum[:]) != want {
		t.Errorf("the hash of %s is %x, want %s", filepath.Base(path), sum, want)
	}
}

func TestWeightsOfPackageSearchAreReproducible(t *testing.T) {
	t.Parallel()
	for model, test := range map[string]struct{ play, fit, hash string }{
		"hexagon": {
			"-board hex:3 -nodes 200 -games 60", "-board hex:3",
			"cb664daa9f3daea7eb236489bb2a6b75d8c3384dc4713ac76755b6b75c9174b6",
		},
		"hexagon5": {
			"-nodes 100 -games 6 -seed 5", "-epochs 3",
			"b171c807eba91586102e704a63ce886cd99f2412f70c0cdde1300d43d9ec6ac4",
		},
		"square6": {
			"-nodes 100 -games 6 -seed 5", "-epochs 3",
			"a5ca8a2ca5497ffa7cb3f36da1a7fb91c7915cd56fb0db5cb719b7c94dfffa17",
		},
		"square": {
			"-board square:4 -nodes 20 -games 40 -random 6", "-board square:4",
			"ce1d9903bf0400c20c15d6803ebc1ab0f7e15eadf555ced7a87be116709156dd",
		},
	} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			games, weights := filepath.Join(folder, "games"), filepath.Join(folder, "weights")
			run := func(command string, args ...string) {
				args = append([]string{command, "-model", model, "-out", weights}, args...)
				train(t, append(args, games)...)
			}
			run("play", strings.Fields(test.play)...)
			run("fit", strings.Fields(test.fit)...)
			checkHash(t, weights, test.hash)
		})
	}
}

func TestInterruptedPlayContinues(t *testing.T) {
	t.Parallel()
	once, twice := filepath.Join(t.TempDir(), "once"), filepath.Join(t.TempDir(), "twice")
	play := func(path, games, threads string) {
		train(t, "play", "-model", "hexagon", "-board", "hex:3", "-nodes", "200",
			"-games", games, "-threads", threads, path)
	}
	play(once, "4", "1")
	play(twice, "2", "1")
	if err := os.Truncate(twice, int64(len(read(t, twice))-3)); err != nil {
		t.Fatal(err)
	}
	play(twice, "4", "3")
	a, b := read(t, once), read(t, twice)
	if !bytes.Equal(a, b) || bytes.Count(a, []byte("\n")) != 4 {
		t.Errorf("games of one run:\n%s\nof an interrupted one:\n%s", a, b)
	}
}

func TestGamesArePlayedToTheEnd(t *testing.T) {
	t.Parallel()
	for _, o := range []options{
		{model: "othello", depth: 1, exact: 8, seed: 1},
		{model: "othello", exact: 8, seed: 1},
		{model: "hexagon", board: "hex:3", nodes: 100, random: 24, seed: 1},
	} {
		tr := newTestTrainer(t, o)
		tr.engine = shortChunks{tr.engine}
		tr.games, tr.threads = 20, 1
		path := filepath.Join(t.TempDir(), "games")
		if err := tr.play(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		games, err := readGames(path)
		if err != nil || len(games) != tr.games {
			t.Fatalf("%d games, want %d: %v", len(games), tr.games, err)
		}
		for _, g := range games {
			if _, final, err := replay(g, tr.start); err != nil || final.Turn() != rules.NoSide {
				t.Errorf("%s: game %q does not end: %v", o.model, g, err)
			}
		}
	}
}

// A position that the engine searched has the score of the search. Any other has the final score.
func TestLessonsHaveTheScoreOfTheSearchOrTheFinalOne(t *testing.T) {
	t.Parallel()
	tr := newTestTrainer(t, options{model: "othello"})
	lessons, final, err := replay("1 f5 d6/-3 c3/7 d3", tr.start)
	if err != nil {
		t.Fatal(err)
	}
	want := []int{-3, 7, final.FinalScore().Margin(lessons[2].Turn())}
	for i, l := range lessons {
		if l.score != want[i] {
			t.Errorf("position %d has score %d, want %d", i, l.score, want[i])
		}
	}
	if _, _, err := replay("0 f5/many", tr.start); err == nil {
		t.Error("no error for a score that is no number")
	}
}

func TestGamesStartBalancedAndHaveMistakes(t *testing.T) {
	t.Parallel()
	games := func(mistakes int) (lines string) {
		tr := newTestTrainer(t, options{
			model: "othello", depth: 1, exact: 8, mistakes: mistakes, seed: 1,
		})
		newAnalyzer, err := tr.engine.load(nil)
		if err != nil {
			t.Fatal(err)
		}
		pl := player{tr, newAnalyzer(), rand.New(rand.NewPCG(1, 1))}
		for range 20 {
			line := pl.game(t.Context())
			lessons, _, err := replay(line, tr.start)
			if err != nil {
				t.Fatal(err)
			}
			if score := lessons[0].score; score < -10 || score > 10 {
				t.Errorf("the score after the opening is %d: %s", score, line)
			}
			lines += line + "\n"
		}
		return lines
	}
	if games(0) == games(1) {
		t.Error("mistakes change no game")
	}
}

func TestLearningReducesTheErrors(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games")
	train(t, "play", "-model", "hexagon", "-board", "hex:3", "-nodes", "100", "-games", "60", games)
	tr := newTestTrainer(t, options{model: "hexagon", board: "hex:3", epochs: 1, seed: 1})
	l := tr.engine.newLearner().(*boardLearner)
	if err := tr.addGames(l, games); err != nil {
		t.Fatal(err)
	}
	before := l.errors()
	l.learn(tr.options, io.Discard)
	improved := 0
	for phase, after := range l.errors() {
		if after < before[phase] {
			improved++
		}
	}
	if improved <= len(before)/2 {
		t.Errorf("the errors of %d of %d phases are smaller", improved, len(before))
	}
}

func TestErrorTableIsDeterministic(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games")
	train(t, "play", "-model", "hexagon5", "-nodes", "100", "-games", "4", games)
	measure := func() string {
		return train(t, "error", "-model", "hexagon5", "-depth", "5", games)
	}
	table := measure()
	if again := measure(); again != table {
		t.Errorf("two tables:\n%s\n%s", table, again)
	}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if pairs := 4 + 3 + 2 + 1; len(lines) != 1+pairs+1 {
		t.Errorf("%d lines, want a head, %d pairs of depths and the phases:\n%s",
			len(lines), pairs, table)
	}
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"learn", "level games", "run file", "run -model square", "play", "play -nonsense",
		"play -board round:3 games", "play -board hex:99 games",
		"play -model othello -board hex:5 games", "play -model checkers -board hex:5 games",
		"fit -model hexagon5 -board hex:3 games", "error -model hexagon5 missing", "fit missing",
		"match missing missing", "play -weights missing games",
	} {
		if err := Main(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil {
			t.Errorf("no error for %q", args)
		}
	}
}
