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

// endDepth stands for the depth of a search to the end of the game.
const endDepth = 64

// errorTable holds the differences between the scores of searches to different depths.
type errorTable struct {
	engine engine
	pairs  [endDepth + 1][endDepth]differences
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
	newAnalyzer, err := t.engine.load(t.initial)
	if err != nil {
		return err
	}
	games, err := readGames(path)
	if err != nil {
		return err
	}
	table := errorTable{engine: t.engine}
	for i, g := range games {
		lessons, _, err := replay(g, t.start)
		if err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		random := rand.New(rand.NewPCG(t.seed, uint64(i)))
		for phase, p := range onePerPhase(t.engine, lessons, random) {
			if p != nil {
				table.add(phase, empties(p), t.scores(ctx, newAnalyzer(), p))
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
	e engine, lessons []lesson, random *rand.Rand,
) (picked []*reversi.Position) {
	var seen []int
	for _, l := range lessons {
		p := l.Position
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
func (t *trainer) scores(ctx context.Context, a analyzer, p *reversi.Position) map[int]int {
	scores := map[int]int{}
	o := limits.Options{Limits: limits.Limits{Depth: t.depth}, FullWidth: true}
	solve := empties(p) <= t.exact
	if solve {
		o.Depth = 0
	}
	for found := range a(limits.NewMeter(ctx), p, o) {
		switch {
		case !found.Exact:
			scores[found.Depth] = found.Best().Score
		case solve:
			scores[endDepth] = found.Best().Score
		}
	}
	return scores
}

// add adds the scores of a position by depth.
func (t *errorTable) add(phase, empties int, scores map[int]int) {
	for phase >= len(t.phases) {
		t.phases = append(t.phases, differences{})
	}
	for depth := range endDepth + 1 {
		score, ok := scores[depth]
		if !ok {
			continue
		}
		for shallow := range depth {
			if before, ok := scores[shallow]; ok {
				t.pairs[depth][shallow].add(float64(score - before))
			}
		}
		for _, shallow := range t.engine.shallowDepths(min(depth, empties)) {
			if before, ok := scores[shallow]; ok {
				t.phases[phase].add(float64(score-before) / t.engine.deviation(depth, shallow))
			}
		}
	}
}

func (t *errorTable) print(out io.Writer) {
	fmt.Fprintln(out, "depth, shallow depth: positions, mean, deviation, modelled deviation")
	for depth := range t.pairs {
		for shallow, d := range t.pairs[depth] {
			if d.count > 0 {
				fmt.Fprintf(out, "%2d %2d %5.0f %+6.2f %5.2f %5.2f\n", depth, shallow,
					d.count, d.mean(), d.deviation(), t.engine.deviation(depth, shallow))
			}
		}
	}
	fmt.Fprint(out, "deviation by phase, relative to the model:")
	for _, d := range t.phases {
		fmt.Fprintf(out, " %.1f", d.deviation())
	}
	fmt.Fprintln(out)
}
