package arena_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/alphabeta"
	"github.com/flipside-games/flipside/services/strategy/arena"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/heuristic"
	"github.com/flipside-games/flipside/services/strategy/limits"
	"github.com/flipside-games/flipside/services/strategy/trios"
)

func hexagons(count int) arena.Match {
	return arena.Match{
		Setup:        games.Setup{Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 3}},
		First:        arena.Strategy(alphabeta.Search{Limits: limits.Limits{Depth: 3}}),
		Second:       arena.Strategy(heuristic.MaxCapture{}),
		Games:        count,
		Seed:         7,
		OpeningPlies: 4,
		Parallel:     2,
	}
}

// play plays a match and returns its games in the order of their starts.
func play(t *testing.T, m arena.Match) ([]arena.Game, arena.Tally) {
	t.Helper()
	var played []arena.Game
	tally, err := arena.Play(t.Context(), m, func(g arena.Game, _ arena.Tally) error {
		played = append(played, g)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(played, func(a, b arena.Game) int { return a.Number - b.Number })
	return played, tally
}

func TestTheGamesOfAPairHaveTheSameStart(t *testing.T) {
	played, tally := play(t, hexagons(20))
	if len(played) != 20 || tally.Games() != 20 {
		t.Fatalf("it plays %d games and counts %d", len(played), tally.Games())
	}
	for i := 0; i < len(played); i += 2 {
		a, b := played[i], played[i+1]
		if a.Start != b.Start || !slices.Equal(a.Moves[:4], b.Moves[:4]) || a.FirstSide == b.FirstSide {
			t.Errorf("games %d and %d are no pair: %v, %v", a.Number, b.Number, a, b)
		}
	}
	if slices.Equal(played[0].Moves[:4], played[2].Moves[:4]) && slices.Equal(played[2].Moves[:4], played[4].Moves[:4]) {
		t.Error("three pairs have the same opening")
	}
}

func TestARecordReplaysToItsScore(t *testing.T) {
	played, _ := play(t, hexagons(4))
	for _, g := range played {
		p, err := games.Parse(g.Start)
		if err != nil {
			t.Fatal(err)
		}
		for _, notation := range g.Moves {
			m, err := p.ParseMove(notation)
			if err != nil {
				t.Fatal(err)
			}
			if p, _, err = p.Play(m); err != nil {
				t.Fatalf("game %d: %s: %v", g.Number, notation, err)
			}
		}
		if p.Turn() != rules.NoSide || p.Score() != g.Score || p.FinalScore().Leader() != g.Winner {
			t.Errorf("game %d ends with %v, but its record has %v", g.Number, p.Score(), g.Score)
		}
	}
}

func TestTheSameSeedGivesTheSameGamesAtAnyParallelism(t *testing.T) {
	one, two := hexagons(8), hexagons(8)
	one.Parallel = 1
	a, _ := play(t, one)
	b, _ := play(t, two)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	two.Seed++
	if c, _ := play(t, two); cmp.Equal(a, c) {
		t.Error("another seed gave the same games")
	}
}

func TestEachPairHasItsOwnDeal(t *testing.T) {
	played, _ := play(t, arena.Match{
		Setup: games.Setup{ThreeTrios: &threetrios.Setup{}},
		First: arena.Strategy(trios.MostFlips{}), Second: arena.Strategy(trios.Corners{}), Games: 6, Seed: 1, Parallel: 2,
	})
	if played[0].Start != played[1].Start || played[0].Start == played[2].Start {
		t.Errorf("the deals are %s, %s, %s", played[0].Start, played[1].Start, played[2].Start)
	}
}

func TestSeedZeroGivesEachPairItsOwnOpeningAndDeal(t *testing.T) {
	m := hexagons(20)
	m.Seed = 0
	onHexagon, _ := play(t, m)
	withCards, _ := play(t, arena.Match{
		Setup: games.Setup{ThreeTrios: &threetrios.Setup{}}, First: arena.Strategy(trios.MostFlips{}), Second: arena.Strategy(trios.Corners{}), Games: 20,
	})
	openings, deals := map[string]bool{}, map[string]bool{}
	for i := range onHexagon {
		openings[strings.Join(onHexagon[i].Moves[:m.OpeningPlies], " ")] = true
		deals[withCards[i].Start] = true
	}
	if len(openings) < 8 || len(deals) != 10 {
		t.Errorf("ten pairs have %d openings and %d deals", len(openings), len(deals))
	}
}

func TestAMatchEndsWhenTheTestIsDecided(t *testing.T) {
	m := hexagons(400)
	m.SPRT = &arena.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}
	_, tally := play(t, m)
	if !tally.Decided() || tally.Games() == 400 {
		t.Errorf("after %d games the ratio is %.2f", tally.Games(), tally.LLR)
	}
}

func TestAMatchEndsWithAnErrorOfReport(t *testing.T) {
	wantErr := errors.New("closed")
	_, err := arena.Play(t.Context(), hexagons(100), func(arena.Game, arena.Tally) error { return wantErr })
	if !errors.Is(err, wantErr) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = arena.Play(ctx, hexagons(100), func(arena.Game, arena.Tally) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// An interrupted search returns any move, so its game must not count.
func TestACancelledMatchCountsNoMoreGames(t *testing.T) {
	m := hexagons(2)
	m.Parallel = 1
	ctx, cancel := context.WithCancel(t.Context())
	m.First = arena.Strategy(cancelling{alphabeta.Search{Limits: limits.Limits{Depth: 1}}, cancel})
	counted := 0
	tally, err := arena.Play(ctx, m, func(arena.Game, arena.Tally) error { counted++; return nil })
	if !errors.Is(err, context.Canceled) || counted+tally.Games() != 0 {
		t.Errorf("%v; it reports %d games and counts %d", err, counted, tally.Games())
	}
}

// cancelling is a search that cancels the match.
type cancelling struct {
	alphabeta.Search
	cancel context.CancelFunc
}

func (c cancelling) Analyze(meter *limits.Meter, p rules.Position, lines int) iter.Seq[strategy.Analysis] {
	c.cancel()
	return c.Search.Analyze(meter, p, lines)
}

func TestAllPointsAreNotCertain(t *testing.T) {
	m := hexagons(20)
	m.First = arena.Strategy(engine.Search{Limits: limits.Limits{Nodes: 2000}})
	_, tally := play(t, m)
	score, margin := tally.Score()
	// Ten pairs and one of variance 1/8: 1.96 times the square root of 1/8/11/10.
	if score != 1 || math.Abs(margin-0.0661) > 0.0001 {
		t.Errorf("after +%d =%d -%d the score is %v ± %v", tally.Wins, tally.Draws, tally.Losses, score, margin)
	}
}

// Ten times the odds are 400 points by definition.
func TestTheEloScale(t *testing.T) {
	for score, want := range map[float64]float64{0.5: 0, 10.0 / 11: 400, 1.0 / 11: -400} {
		if got := arena.EloOf(score); math.Abs(got-want) > 1e-9 {
			t.Errorf("a score of %v is %v Elo, want %v", score, got, want)
		}
	}
	_, tally := play(t, hexagons(20))
	elo, margin := tally.Elo()
	if elo <= 0 || margin <= 0 || math.IsInf(elo, 0) || math.IsInf(margin, 0) {
		t.Errorf("three plies against one: %+.0f ± %.0f Elo after +%d =%d -%d", elo, margin, tally.Wins, tally.Draws, tally.Losses)
	}
}

func TestTheBoundsOfTheSPRT(t *testing.T) {
	lower, upper := arena.SPRT{Alpha: 0.05, Beta: 0.05}.Bounds()
	if math.Abs(lower+math.Log(19)) > 1e-9 || math.Abs(upper-math.Log(19)) > 1e-9 {
		t.Errorf("got %v, %v", lower, upper)
	}
}
