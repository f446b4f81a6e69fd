package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/search"
)

// differences are the scores of one depth less those of a smaller one, in discs, over many positions.
type differences struct{ count, sum, squares float64 }

func (d *differences) add(x float64) { d.count, d.sum, d.squares = d.count+1, d.sum+x, d.squares+x*x }

func (d *differences) mean() float64 { return d.sum / max(1, d.count) }

// size is the root of the mean square.
func (d *differences) size() float64 { return math.Sqrt(d.squares / max(1, d.count)) }

// errorTable is what measure finds.
type errorTable struct {
	depth int
	// pairs are by the greater and the smaller depth.
	pairs map[[2]int]*differences
	// phases are all differences that a cut goes by, each divided by how much is to be expected between its depths.
	phases [search.Phases]differences
}

// measure prints how far scores of searches to one depth lie from those to another, all in full width: for each two
// depths the number of positions, the mean of the difference and the root of its mean square; and for each phase the
// deviation that is a constant in package search. Of each game in the file it takes one position in every phase.
func measure(o options, log io.Writer) error {
	start, lesson, err := o.lesson()
	if err != nil {
		return err
	}
	file, err := os.Open(o.file)
	if err != nil {
		return err
	}
	defer file.Close()
	table := errorTable{depth: o.depth, pairs: map[[2]int]*differences{}}
	in := bufio.NewScanner(file)
	for number := 0; in.Scan(); number++ {
		positions, _, err := replay(in.Text(), start)
		if err != nil {
			return fmt.Errorf("game %d: %w", number+1, err)
		}
		random := rand.New(rand.NewPCG(o.seed, uint64(number)))
		for phase, p := range onePerPhase(positions, lesson, random) {
			if p != nil {
				table.add(phase, scores(p, o.depth))
			}
		}
	}
	table.print(log)
	return in.Err()
}

// onePerPhase picks a position with a choice of moves of each phase at random, nil where there is none.
func onePerPhase(
	positions []*reversi.Position, lesson *search.Extractor, random *rand.Rand,
) (picked [search.Phases]*reversi.Position) {
	var seen [search.Phases]int
	for _, p := range positions {
		if p.CountPlacements() < 2 {
			continue
		}
		phase := lesson.Extract(p).Phase
		if seen[phase]++; random.IntN(seen[phase]) == 0 {
			picked[phase] = p
		}
	}
	return picked
}

// scores are those of searches to each depth, from one on, as far as they are no exact ones.
func scores(p *reversi.Position, depth int) (scores []int) {
	meter := limits.NewMeter(context.Background())
	options := limits.Options{Limits: limits.Limits{Depth: depth}, FullWidth: true}
	for known := range search.Analyze(meter, p, options) {
		if known.Exact {
			break
		}
		scores = append(scores, known.Best().Score)
	}
	return scores
}

func (t *errorTable) add(phase int, scores []int) {
	for i, score := range scores {
		depth := i + 1
		for j, before := range scores[:i] {
			pair := [2]int{depth, j + 1}
			if t.pairs[pair] == nil {
				t.pairs[pair] = &differences{}
			}
			t.pairs[pair].add(float64(score - before))
		}
		if depth < search.ProbCutDepth {
			continue
		}
		for _, shallow := range search.ShallowDepths(depth) {
			t.phases[phase].add(float64(score-scores[shallow-1]) / search.DeviationRatio(depth, shallow))
		}
	}
}

func (t *errorTable) print(out io.Writer) {
	fmt.Fprintln(out, "depth less shallow: positions, mean, deviation, expected of a deviation of 1")
	for depth := 2; depth <= t.depth; depth++ {
		for shallow := 1; shallow < depth; shallow++ {
			if d := t.pairs[[2]int{depth, shallow}]; d != nil {
				expected := search.DeviationRatio(depth, shallow)
				fmt.Fprintf(out, "%2d %2d %5.0f %+6.2f %5.2f %5.2f\n", depth, shallow, d.count, d.mean(), d.size(), expected)
			}
		}
	}
	fmt.Fprint(out, "deviation by phase:")
	for phase := range t.phases {
		fmt.Fprintf(out, " %.1f", t.phases[phase].size())
	}
	fmt.Fprintln(out)
}
