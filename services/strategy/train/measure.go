package train

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// differences collects scores of one depth minus those of a smaller one, in discs.
type differences struct{ count, sum, squares float64 }

func (d *differences) add(x float64) {
	d.count, d.sum, d.squares = d.count+1, d.sum+x, d.squares+x*x
}

func (d differences) mean() float64 { return d.sum / max(1, d.count) }

// deviation returns the root mean square.
func (d differences) deviation() float64 { return math.Sqrt(d.squares / max(1, d.count)) }

// endDepth stands for a search to the end of the game.
const endDepth = 64

// errorTable holds the differences between the scores of searches to different depths.
type errorTable struct {
	engine engine
	pairs  [endDepth + 1][endDepth]struct{ scores, modelled differences }
	// phases holds the differences for pairs of depths that ProbCut uses, divided by the modelled
	// deviation of the pair.
	phases []differences
}

// measure searches positions of the games in full width and prints, for each pair of depths, the
// number of positions, the mean and the deviation of the difference between the scores, and the
// modelled deviation. Then it prints the deviation of each phase relative to the model. The
// positions are one of each phase of each game. Where the options say so, the final score counts as
// one more depth.
func (t *trainer) measure(ctx context.Context, path string, out io.Writer) error {
	newSearch, err := t.engine.load(t.initial)
	if err != nil {
		return err
	}
	games, err := readGames(path)
	if err != nil {
		return err
	}
	table := errorTable{engine: t.engine}
	for i, g := range games {
		positions, _, err := replay(g, t.start)
		if err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		random := rand.New(rand.NewPCG(t.seed, uint64(i)))
		for phase, p := range onePerPhase(t.engine, positions, random) {
			if p != nil {
				table.add(phase, p, t.scores(ctx, newSearch(), p))
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	table.print(out)
	return nil
}

// onePerPhase picks a random position with a choice of moves for each phase, nil if there is none.
func onePerPhase(
	e engine, positions []*reversi.Position, random *rand.Rand,
) (picked []*reversi.Position) {
	var seen []int
	for _, p := range positions {
		if p.CountPlacements() < 2 {
			continue
		}
		phase := e.phase(p)
		for phase >= len(seen) {
			seen, picked = append(seen, 0), append(picked, nil)
		}
		if seen[phase]++; random.IntN(seen[phase]) == 0 {
			picked[phase] = p
		}
	}
	return picked
}

// scores returns the scores by depth, in full width. The final score is one of them if there are
// few enough empty cells.
func (t *trainer) scores(ctx context.Context, s search, p *reversi.Position) map[int]int {
	scores := map[int]int{}
	o := limits.Options{Limits: limits.Limits{Depth: t.depth}, FullWidth: true}
	solve := empties(p) <= t.exact
	if solve {
		o.Depth = 0
	}
	for a := range s(limits.NewMeter(ctx), p, o) {
		switch {
		case !a.Exact:
			scores[a.Depth] = a.Best().Score
		case solve:
			scores[endDepth] = a.Best().Score
		}
	}
	return scores
}

func (t *errorTable) add(phase int, p *reversi.Position, scores map[int]int) {
	n := empties(p)
	for phase >= len(t.phases) {
		t.phases = append(t.phases, differences{})
	}
	for key := range endDepth + 1 {
		score, ok := scores[key]
		if !ok {
			continue
		}
		depth := key
		if key == endDepth {
			depth = n
		}
		for shallow := 1; shallow < key; shallow++ {
			if before, ok := scores[shallow]; ok {
				pair := &t.pairs[key][shallow]
				pair.scores.add(float64(score - before))
				pair.modelled.add(t.engine.deviation(n, depth, shallow))
			}
		}
		for _, shallow := range t.engine.shallowDepths(depth) {
			if before, ok := scores[shallow]; ok {
				t.phases[phase].add(float64(score-before) / t.engine.deviation(n, depth, shallow))
			}
		}
	}
}

func (t *errorTable) print(out io.Writer) {
	fmt.Fprintln(out, "depth, shallow depth: positions, mean, deviation, modelled deviation")
	for depth := range t.pairs {
		for shallow, pair := range t.pairs[depth] {
			if pair.scores.count > 0 {
				d := pair.scores
				fmt.Fprintf(out, "%2d %2d %5.0f %+6.2f %5.2f %5.2f\n", depth, shallow,
					d.count, d.mean(), d.deviation(), pair.modelled.mean())
			}
		}
	}
	fmt.Fprint(out, "deviation by phase, relative to the model:")
	for _, d := range t.phases {
		fmt.Fprintf(out, " %.1f", d.deviation())
	}
	fmt.Fprintln(out)
}
