package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// sample is a position and how its game ended, in discs for the side to move.
type sample struct {
	search.Inputs
	score float64
	// repeats is that of its ways.
	repeats float64
	// test marks the samples that are not learnt from.
	test bool
}

// fit makes weights that estimate how the games in the file ended, and writes them.
func fit(o options, log io.Writer) error {
	start, lesson, err := o.lesson()
	if err != nil {
		return err
	}
	samples, err := readSamples(o.file, start, lesson)
	if err != nil {
		return err
	}
	fmt.Fprintln(log, len(samples), "positions")
	l := newLearner(lesson, samples)
	random := rand.New(rand.NewPCG(o.seed, 0))
	for epoch := range l.epochs(o.epochs) {
		random.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
		rate := firstRate * math.Pow(lastRate/firstRate, float64(epoch)/float64(max(1, o.epochs-1)))
		fmt.Fprintln(log, "epoch", epoch, "error", l.learn(samples, rate))
	}
	file, err := os.Create(o.weights)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := lesson.Write(file, l.byFeature, l.byWay); err != nil {
		return err
	}
	return file.Close()
}

// testEvery is how many games there are to each that is not learnt from.
const testEvery = 20

func readSamples(name string, start *reversi.Position, lesson *search.Extractor) (samples []sample, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	for number := 0; in.Scan(); number++ {
		game, err := readGame(in.Text(), start, lesson)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", number+1, err)
		}
		for i := range game {
			game[i].test = number%testEvery == 0
		}
		samples = append(samples, game...)
	}
	return samples, in.Err()
}

// readGame returns the positions after the random moves of a game.
func readGame(line string, start *reversi.Position, lesson *search.Extractor) (samples []sample, err error) {
	learnt, end, err := replay(line, start)
	if err != nil {
		return nil, err
	}
	final := end.FinalScore()
	for _, at := range learnt {
		seen := lesson.Extract(at)
		samples = append(samples, sample{Inputs: seen, score: float64(final.Margin(at.Turn())), repeats: repeats(seen.Patterns)})
	}
	return samples, nil
}

// replay returns the positions after the random moves of a game, and the one it ended with.
func replay(line string, p *reversi.Position) (learnt []*reversi.Position, end *reversi.Position, err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("empty line")
	}
	opening, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, nil, err
	}
	for ply, word := range words[1:] {
		if ply >= opening {
			learnt = append(learnt, p)
		}
		m, err := p.ParseMove(word)
		if err != nil {
			return nil, nil, err
		}
		next, _, err := p.Play(m)
		if err != nil {
			return nil, nil, err
		}
		p = next.(*reversi.Position)
	}
	return learnt, p, nil
}
