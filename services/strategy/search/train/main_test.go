package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flipside-games/flipside/services/strategy/search"
)

func train(t *testing.T, args ...string) {
	t.Helper()
	if err := run(args, io.Discard); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestPlayingGoesOnWhereItStopped: games played in two goes are the same as in one.
func TestPlayingGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	once, twice := filepath.Join(t.TempDir(), "once"), filepath.Join(t.TempDir(), "twice")
	train(t, "play", "-board", "hex:3", "-nodes", "200", "-games", "4", "-file", once)
	train(t, "play", "-board", "hex:3", "-nodes", "200", "-games", "1", "-file", twice)
	train(t, "play", "-board", "hex:3", "-nodes", "200", "-games", "4", "-file", twice)
	if a, b := read(t, once), read(t, twice); !bytes.Equal(a, b) || bytes.Count(a, []byte("\n")) != 4 {
		t.Errorf("in one go the games are\n%s\nin two\n%s", a, b)
	}
}

// TestLearnsSomething: from many games, weights estimate the others better than nothing does.
func TestLearnsSomething(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games")
	train(t, "play", "-board", "hex:3", "-nodes", "100", "-games", "60", "-file", games)
	o := options{board: "hex:3"}
	from, err := o.start()
	if err != nil {
		t.Fatal(err)
	}
	lesson, err := search.NewExtractor("hexagon", from)
	if err != nil {
		t.Fatal(err)
	}
	samples, err := readSamples(games, from, lesson)
	if err != nil {
		t.Fatal(err)
	}
	l := newLearner(lesson, samples)
	before, after := l.wrong(samples), l.learn(samples, firstRate)
	better := 0
	for phase := range before {
		if after[phase] < before[phase] {
			better++
		}
	}
	if better <= len(before)/2 {
		t.Errorf("the error went from %.1f to %.1f", before, after)
	}
}

func TestSameWeightsEveryTime(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games")
	train(t, "play", "-nodes", "100", "-games", "3", "-file", games)
	var weights [2]string
	for i := range weights {
		weights[i] = filepath.Join(t.TempDir(), "weights")
		train(t, "fit", "-model", "hexagon5", "-epochs", "2", "-file", games, "-weights", weights[i])
	}
	if !bytes.Equal(read(t, weights[0]), read(t, weights[1])) {
		t.Error("the weights differ")
	}
}

// TestSameErrorsEveryTime: what is measured is a table of depths and a deviation for each phase, the same on every run.
func TestSameErrorsEveryTime(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games")
	train(t, "play", "-nodes", "100", "-games", "4", "-file", games)
	var tables [2]bytes.Buffer
	for i := range tables {
		if err := run([]string{"error", "-depth", "5", "-file", games}, &tables[i]); err != nil {
			t.Fatal(err)
		}
	}
	if tables[0].String() != tables[1].String() {
		t.Errorf("the errors are\n%s\nand\n%s", &tables[0], &tables[1])
	}
	lines := strings.Split(strings.TrimSpace(tables[0].String()), "\n")
	if pairs := 4 + 3 + 2 + 1; len(lines) != 1+pairs+1 {
		t.Errorf("there are %d lines, want one for each pair of depths, a head and the phases:\n%s", len(lines), &tables[0])
	}
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{}, {"learn"}, {"play", "-board", "round:3"}, {"play", "-board", "hex:99"}, {"play", "-nonsense"},
		{"fit", "-board", "hex:3", "-model", "hexagon5"}, {"error", "-board", "hex:3", "-model", "hexagon5"},
		{"error", "-file", "there is none"},
	} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
