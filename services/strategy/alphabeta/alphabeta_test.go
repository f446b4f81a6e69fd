package alphabeta_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

func position(t testing.TB, notation string) rules.Position {
	t.Helper()
	p, err := games.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func start(t testing.TB, s games.Setup) rules.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func square(side int) games.Setup {
	return games.Setup{Reversi: &reversi.Setup{Shape: reversi.Square, Size: side}}
}

func hexagon(rings int, rule reversi.PassRule) games.Setup {
	return games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: rings, PassRule: rule}}
}

func cards(named ...threetrios.Rule) games.Setup {
	return games.Setup{ThreeTrios: &threetrios.Setup{Rules: named}}
}

// analyze returns the analysis of each finished iteration.
func analyze(t testing.TB, s alphabeta.Search, p rules.Position, lines int) []strategy.Analysis {
	t.Helper()
	return slices.Collect(s.Analyze(limits.NewMeter(t.Context()), p, lines))
}

func last(analyses []strategy.Analysis) strategy.Analysis { return analyses[len(analyses)-1] }

// minimax returns the plain minimax value of a position for a side. A finished game is worth 1000
// more than its score, as finished games are in the search.
func minimax(p rules.Position, side rules.Side, depth int) int {
	moves := strategy.Placements(p)
	switch {
	case over(p):
		score := p.FinalScore().Margin(side)
		return score + 1000*cmp.Compare(score, 0)
	case depth == 0:
		return p.Score().Margin(side)
	case len(moves) == 0:
		return -minimax(p.WithTurn(side.Other()), side.Other(), depth-1)
	}
	best := -10_000
	for _, c := range moves {
		next, _, err := p.Play(c.Move)
		if err != nil {
			panic(err)
		}
		best = max(best, -minimax(next, side.Other(), depth-1))
	}
	return best
}

// over reports whether neither side can place.
func over(p rules.Position) bool {
	return len(strategy.Placements(p)) == 0 && len(strategy.Placements(p.WithTurn(p.Turn().Other()))) == 0
}

// bestLines returns the first moves and scores of the best lines by plain minimax: the highest
// score first, then in reading order.
func bestLines(p rules.Position, depth, lines int) string {
	type valued struct {
		move  rules.Move
		value int
	}
	var all []valued
	for _, c := range strategy.Placements(p) {
		next, _, err := p.Play(c.Move)
		if err != nil {
			panic(err)
		}
		all = append(all, valued{c.Move, -minimax(next, p.Turn().Other(), depth-1)})
	}
	slices.SortStableFunc(all, func(a, b valued) int { return cmp.Compare(b.value, a.value) })
	var words []string
	for _, v := range all[:min(lines, len(all))] {
		score := v.value
		if score > 500 || score < -500 {
			score -= 1000 * cmp.Compare(score, 0)
		}
		words = append(words, fmt.Sprintf("%s=%d", p.MoveNotation(v.move), score))
	}
	return strings.Join(words, " ")
}

func firstMoves(p rules.Position, a strategy.Analysis) string {
	var words []string
	for _, l := range a.Lines {
		words = append(words, fmt.Sprintf("%s=%d", p.MoveNotation(l.Moves[0]), l.Score))
	}
	return strings.Join(words, " ")
}

// drawPosition draws a position of a random game in which the side to move has a placement.
func drawPosition(t *rapid.T, start rules.Position) rules.Position {
	p := start
	for range rapid.IntRange(0, 30).Draw(t, "plies") {
		moves := strategy.Placements(p)
		next := p
		if len(moves) > 0 {
			next, _, _ = p.Play(rapid.SampledFrom(moves).Draw(t, "move").Move)
		} else if p.Turn() != rules.NoSide {
			next, _, _ = p.Play(rules.Pass)
		}
		if over(next) {
			break
		}
		p = next
	}
	if len(strategy.Placements(p)) == 0 {
		p = p.WithTurn(p.Turn().Other())
	}
	return p
}

func TestTheSearchFindsThePlainMinimaxValue(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup games.Setup
		depth int
	}{
		{"square", square(4), 4},
		{"square of six", square(6), 3},
		{"hexagon, voluntary passing", hexagon(2, reversi.Voluntary), 4},
		{"hexagon, forced passing", hexagon(3, reversi.Forced), 3},
		{"two flips at least, empties to the winner", games.Setup{Reversi: &reversi.Setup{
			Shape: reversi.Square, Size: 6, MinFlips: 2, EmptiesToWinner: new(true),
			StartFrom: "reversi/square:6 __X___/_OOX__/XOXXO_/_XXOO_/__OX__/______ X 0 min_flips=2 empties_to_winner=true",
		}}, 3},
		{"cards", cards(), 2},
		{"cards with many rules", cards(threetrios.Reverse, threetrios.FallenAce, threetrios.Same, threetrios.Plus), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			from := start(t, test.setup)
			rapid.Check(t, func(r *rapid.T) {
				p := drawPosition(r, from)
				depth, lines := rapid.IntRange(1, test.depth).Draw(r, "depth"), rapid.IntRange(1, 4).Draw(r, "lines")
				for _, found := range analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: depth}}, p, lines) {
					if got, want := firstMoves(p, found), bestLines(p, found.Depth, lines); got != want {
						r.Fatalf("depth %d of %s finds %s, want %s", found.Depth, p.Notation(), got, want)
					}
				}
			})
		})
	}
}

func TestEachLineIsLegalAndReachesItsScore(t *testing.T) {
	for _, setup := range []games.Setup{square(6), hexagon(2, reversi.Voluntary), cards(threetrios.Same)} {
		from := start(t, setup)
		rapid.Check(t, func(r *rapid.T) {
			p := drawPosition(r, from)
			for _, found := range analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 3}}, p, 3) {
				for _, l := range found.Lines {
					end := rulestest.Replay(t, p, l.Moves)
					if len(l.Moves) != found.Depth && !over(end) {
						r.Errorf("at depth %d the line %v ends early at %s", found.Depth, l.Moves, end.Notation())
					}
					if got := end.FinalScore().Margin(p.Turn()); got != l.Score && end.Score().Margin(p.Turn()) != l.Score {
						r.Errorf("the line %v leads to %d, not %d", l.Moves, got, l.Score)
					}
				}
			}
		})
	}
}

// The values are the published ones of perfect play.
func TestTheSearchSolvesSmallBoards(t *testing.T) {
	for _, v := range rulestest.ReversiVectors(t, "value", "line") {
		if v.Rule != "forced" || v.Size == 1 {
			continue // there is nothing to search
		}
		t.Run(v.Name(), func(t *testing.T) {
			setup := square(v.Size)
			if v.Hexagonal {
				setup = hexagon(v.Size, reversi.Forced)
			}
			p := start(t, setup)
			if v.Kind == "line" {
				p = rulestest.Replay(t, p, v.Moves(t, v.Key))
			}
			found := last(analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 64}}, p, 1))
			want := rulestest.Number(t, v.Value)
			if p.Turn() == rules.Second {
				want = -want
			}
			if !found.Exact || found.Best().Score != want {
				t.Errorf("depth %d gives %d, exact %t, want %d", found.Depth, found.Best().Score, found.Exact, want)
			}
		})
	}
}

func TestVoluntaryPassingIsSearchedAsForced(t *testing.T) {
	voluntary := last(analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 64}}, start(t, hexagon(2, reversi.Voluntary)), 1))
	forced := last(analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 64}}, start(t, hexagon(2, reversi.Forced)), 1))
	if !voluntary.Exact || voluntary.Best().Score != forced.Best().Score || voluntary.Depth != forced.Depth {
		t.Errorf("voluntary passing gives %+v, forced passing %+v", voluntary, forced)
	}
}

func TestAPassIsAPly(t *testing.T) {
	// Black takes a3, White must pass, Black takes f3 and has won.
	p := position(t, "reversi/square:6 ______/______/_OXXO_/______/______/______ X 0")
	found := last(analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 64}}, p, 1))
	if got := words(p, found.Best().Moves); got != "a3 pass f3" || found.Depth != 3 || !found.Exact || found.Best().Score != 6 {
		t.Errorf("depth %d gives %s with %+v", found.Depth, got, found)
	}
}

func TestAPositionWithOnlyAPassIsAnalyzed(t *testing.T) {
	for _, test := range []struct {
		name, notation, want string
		score                int
	}{
		{"forced", "reversi/square:6 ______/______/XXXXO_/______/______/______ O 0", "pass f3", -6},
		{"the end of a voluntary game", "reversi/hex:1 XO/O_X/XX X 0", "pass", 2},
		{"the end of a voluntary game, after a pass", "reversi/hex:1 XO/O_X/XX O 1", "pass", -2},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := position(t, test.notation)
			found := last(analyze(t, alphabeta.Search{}, p, 1))
			if got := words(p, found.Best().Moves); got != test.want || !found.Exact || found.Best().Score != test.score {
				t.Errorf("found %s with %+v", got, found)
			}
		})
	}
}

func words(p rules.Position, moves []rules.Move) string {
	var all []string
	for _, m := range moves {
		all = append(all, p.MoveNotation(m))
	}
	return strings.Join(all, " ")
}

func TestAFinishedGameIsBeyondAnyEstimate(t *testing.T) {
	for _, test := range []struct{ name, notation, want string }{
		{
			// c5 ends the game with 5-2, where a3 would make it 6-1 and leave White a move.
			"a small win is better than a larger lead",
			"reversi/square:6 ______/__X___/_OOOX_/__O___/______/______ X 0 min_flips=2", "c5=3 a3=5",
		},
		{
			// f1 ends the game one disc behind.
			"a small loss is worse than being further behind",
			"reversi/square:6 XXXXX_/XXXXO_/XOOOOO/OOOOXO/OOOOOO/XOOOOO X 0", "f2=-7 f1=-1",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := position(t, test.notation)
			if got := firstMoves(p, last(analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 1}}, p, 2))); got != test.want {
				t.Errorf("found %s, want %s", got, test.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	p := start(t, square(8))
	for _, test := range []struct {
		name   string
		search alphabeta.Search
		want   int
	}{
		{"no limit means four plies", alphabeta.Search{}, 4},
		{"a depth limit", alphabeta.Search{Limits: limits.Limits{Depth: 2}}, 2},
		{"a depth limit before a time limit", alphabeta.Search{Limits: limits.Limits{Depth: 3, Time: time.Minute}}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := analyze(t, test.search, p, 1)
			if len(found) != test.want || last(found).Depth != test.want || last(found).Exact {
				t.Errorf("searched %d depths to %d, exact %t", len(found), last(found).Depth, last(found).Exact)
			}
		})
	}
}

// slow is a position whose Score takes a millisecond.
type slow struct{ rules.Position }

func (s slow) Score() rules.Score {
	time.Sleep(time.Millisecond)
	return s.Position.Score()
}

func (s slow) Play(m rules.Move) (rules.Position, []rules.Flip, error) {
	next, flips, err := s.Position.Play(m)
	return slow{next}, flips, err
}

func (s slow) WithTurn(side rules.Side) rules.Position { return slow{s.Position.WithTurn(side)} }

func TestTime(t *testing.T) {
	p := slow{start(t, square(8))}
	for _, test := range []struct {
		name             string
		search           alphabeta.Search
		deadline, within time.Duration
		shallow, deep    int
	}{
		{"its own time limit", alphabeta.Search{Limits: limits.Limits{Time: 100 * time.Millisecond}}, time.Hour, 101 * time.Millisecond, 3, 6},
		{"the deadline of the context", alphabeta.Search{Limits: limits.Limits{Depth: 64}}, 100 * time.Millisecond, 101 * time.Millisecond, 3, 6},
		{"the earlier one of both", alphabeta.Search{Limits: limits.Limits{Time: time.Minute}}, 20 * time.Millisecond, 21 * time.Millisecond, 2, 4},
		{"iteration 1 always finishes", alphabeta.Search{Limits: limits.Limits{Time: 1}}, time.Hour, 4 * time.Millisecond, 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
				defer cancel()
				start := time.Now()
				found := slices.Collect(test.search.Analyze(limits.NewMeter(ctx), p, 1))
				took := time.Since(start)
				best := last(found)
				if best.Depth < test.shallow || best.Depth > test.deep || len(found) != best.Depth {
					t.Errorf("reached depth %d in %v", best.Depth, took)
				}
				if took > test.within {
					t.Errorf("took %v, more than %v", took, test.within)
				}
				whole := last(analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: best.Depth}}, p, 1))
				if words(p, whole.Best().Moves) != words(p, best.Best().Moves) || whole.Best().Score != best.Best().Score {
					t.Errorf("depth %d before the limit gives %+v, alone %+v", best.Depth, best.Best(), whole.Best())
				}
			})
		})
	}
}

func TestAnEndedContextStillGetsAMove(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	choice, err := strategy.Choose(ctx, alphabeta.Search{Limits: limits.Limits{Depth: 64}}, start(t, square(8)), 0)
	if err != nil || choice.Analysis.Depth != 1 || choice.Chosen.Measure != strategy.Score {
		t.Errorf("error %v, choice %+v", err, choice)
	}
}

func TestTheSameDepthGivesTheSameAnswer(t *testing.T) {
	positions, _ := rulestest.RandomGame(t, start(t, hexagon(4, reversi.Forced)), 3)
	for _, p := range positions[:20] {
		first, second := analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 4}}, p, 2), analyze(t, alphabeta.Search{Limits: limits.Limits{Depth: 4}}, p, 2)
		for i := range first {
			if first[i].Nodes != second[i].Nodes || firstMoves(p, first[i]) != firstMoves(p, second[i]) {
				t.Errorf("%s: %+v, then %+v", p.Notation(), first[i], second[i])
			}
		}
	}
}

func TestKeepKeepsTheBestCandidate(t *testing.T) {
	p := position(t, "reversi/square:8 ________/________/_OX_____/________/__OOOX__/________/________/________ X 0")
	all := strategy.Placements(p)
	meter := limits.NewMeter(t.Context())
	search := alphabeta.Search{Limits: limits.Limits{Depth: 1}}
	for _, test := range []struct {
		name       string
		candidates []strategy.Candidate
		want       string
	}{
		{"all candidates", all, "b5=5"},
		{"one candidate", all[:1], "a3=1"},
		{"no candidate", nil, ""},
	} {
		kept, err := search.Keep(meter, p, test.candidates)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range kept {
			got += fmt.Sprintf("%s=%d", p.MoveNotation(c.Move), c.Value)
		}
		if got != test.want {
			t.Errorf("%s: it keeps %q, want %q", test.name, got, test.want)
		}
	}
}
