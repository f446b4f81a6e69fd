package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/games"
	"github.com/flipside-games/flipside/services/internal/rules/reversi"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/internal/rules/threetrios"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

const (
	twoFlips = "reversi/square:8 ________/________/_OO_____/_OXOO___/__OXO___/___O____/________/________ X 0 min_flips=2"
	ahead    = "reversi/square:8 ________/________/________/___OX___/___XXX__/________/________/________ X "
)

// boards holds a setup for each search and each part of a search.
var boards = map[string]games.Setup{
	"8x8":               {Reversi: &reversi.Setup{Shape: reversi.Square}},
	"8x8 voluntary":     {Reversi: &reversi.Setup{Shape: reversi.Square, PassRule: reversi.Voluntary}},
	"8x8, two flips":    {Reversi: &reversi.Setup{StartFrom: twoFlips}},
	"square of 4":       {Reversi: &reversi.Setup{Shape: reversi.Square, Size: 4}},
	"square of 16":      {Reversi: &reversi.Setup{Shape: reversi.Square, Size: 16}},
	"hexagon of 2":      {Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 2}},
	"hexagon of 5":      {Reversi: &reversi.Setup{Shape: reversi.Hexagon}},
	"hexagon of 12":     {Reversi: &reversi.Setup{Shape: reversi.Hexagon, Size: 12}},
	"cards":             {ThreeTrios: &threetrios.Setup{}},
	"cards, 5x5":        {ThreeTrios: &threetrios.Setup{Grid: "5 5\n" + strings.Repeat("CCCCC\n", 5), Deck: deck(26)}},
	"cards in a corner": {ThreeTrios: &threetrios.Setup{Grid: "2 2\nCC\nCX\n"}},
}

// deck returns a deck of different cards.
func deck(size int) string {
	var cards strings.Builder
	for i := range size {
		fmt.Fprintf(&cards, "c%d %d %d %d %d\n", i, 1+i%9, 1+i*2%9, 1+i*4%9, 1+i*5%9)
	}
	return cards.String()
}

func start(t *testing.T, s games.Setup) rules.Position {
	t.Helper()
	_, p, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(t *testing.T, notation string) rules.Position {
	t.Helper()
	p, err := games.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryPositionGetsALegalMoveEvenWithoutTime(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, setup := range boards {
		t.Run(name, func(t *testing.T) {
			positions, _ := rulestest.RandomGame(t, start(t, setup), 1)
			for i := 0; i < len(positions)-1; i += 1 + len(positions)/8 {
				p := positions[i]
				for _, ctx := range []context.Context{ended, t.Context()} {
					s := engine.Search{Limits: limits.Limits{Nodes: 2000}}
					choice, err := strategy.Choose(ctx, s, p, 0)
					if err != nil || !slices.Contains(p.Legal(), choice.Chosen.Move) {
						t.Fatalf("ply %d, %s: %v, %v", i, p.Notation(), choice.Chosen.Move, err)
					}
				}
			}
		})
	}
}

func TestConcurrentSearchesAreDeterministic(t *testing.T) {
	for name, setup := range boards {
		t.Run(name, func(t *testing.T) {
			positions, _ := rulestest.RandomGame(t, start(t, setup), 2)
			p := positions[len(positions)/3]
			s := engine.Search{Limits: limits.Limits{Nodes: 20_000}}
			alone, err := strategy.Choose(t.Context(), s, p, 0)
			if err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					again, err := strategy.Choose(t.Context(), s, p, 0)
					if err != nil || again.Chosen != alone.Chosen || again.Analysis.Nodes != alone.Analysis.Nodes {
						t.Errorf("%+v after %d nodes, alone %+v after %d: %v", again.Chosen, again.Analysis.Nodes,
							alone.Chosen, alone.Analysis.Nodes, err)
					}
				})
			}
			all.Wait()
		})
	}
}

// The values are published ones, with forced passing.
func TestTheEngineSolvesSmallBoards(t *testing.T) {
	for name, tt := range map[string]struct {
		setup reversi.Setup
		value int
	}{
		"hexagon of 2": {reversi.Setup{Shape: reversi.Hexagon, Size: 2, PassRule: reversi.Forced}, -4},
		"square of 4":  {reversi.Setup{Shape: reversi.Square, Size: 4}, -8},
	} {
		choice, err := strategy.Choose(t.Context(), engine.Search{}, start(t, games.Setup{Reversi: &tt.setup}), 0)
		if err != nil || !choice.Analysis.Exact || choice.Analysis.Best().Score != tt.value {
			t.Errorf("%s: %+v, %v; want %d", name, choice.Analysis, err, tt.value)
		}
	}
}

func TestTheEnginePassesVoluntarilyOnlyToWinAtOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		notation string
		passes   bool
	}{
		"the opponent has passed, and it leads":     {"reversi/hex:2 ___/_XX_/_X_X_/_XO_/___ X 1", true},
		"the opponent has passed, and it is behind": {"reversi/hex:2 ___/_OO_/_O_O_/_XO_/___ X 1", false},
		"it leads, and the opponent has not passed": {"reversi/hex:2 ___/_XX_/_X_X_/_XO_/___ X 0", false},
		"on 8x8":                               {ahead + "1 pass_rule=voluntary", true},
		"passing is not allowed, and it leads": {ahead + "0", false},
	} {
		t.Run(name, func(t *testing.T) {
			choice, err := strategy.Choose(t.Context(), engine.Search{Limits: limits.Limits{Depth: 4}}, parse(t, tt.notation), 0)
			if err != nil || (choice.Chosen.Move == rules.Pass) != tt.passes {
				t.Errorf("it chose %+v, %v", choice.Chosen, err)
			}
		})
	}
}

func TestKeepKeepsTheBestCandidateEvenIfAnotherMoveIsBetter(t *testing.T) {
	p := start(t, boards["square of 4"])
	p, _, err := p.Play(p.Legal()[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, only := range strategy.Placements(p) {
		kept, err := engine.Search{Limits: limits.Limits{Depth: 3}}.Keep(limits.NewMeter(t.Context()), p, []strategy.Candidate{only})
		if err != nil || len(kept) != 1 || kept[0].Move != only.Move {
			t.Errorf("it keeps %[2]v of %[1]v, %[3]v", only, kept, err)
		}
	}
}

func TestTheEngineKeepsItsTimeLimit(t *testing.T) {
	for name, setup := range boards {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, err := strategy.Choose(t.Context(), engine.Search{Limits: limits.Limits{Time: 100 * time.Millisecond}}, start(t, setup), 0)
			// Other tests use the processors too. A benchmark measures the exact delay.
			if took := time.Since(began); err != nil || took > time.Second {
				t.Errorf("took %v, %v", took, err)
			}
		})
	}
}

// Other searches wait for the memory, and clearing it takes time.
func TestAShortSearchTakesLittleMemory(t *testing.T) {
	const little, all = 1 << 20, 128 << 20
	for name, test := range map[string]struct {
		search engine.Search
		board  string
		want   int
	}{
		"four plies":                  {engine.Search{Limits: limits.Limits{Depth: 4}}, "8x8", little},
		"a thousand nodes":            {engine.Search{Limits: limits.Limits{Nodes: 1000}}, "8x8", little},
		"a millisecond":               {engine.Search{Limits: limits.Limits{Time: time.Millisecond}}, "8x8", little},
		"few nodes and a large depth": {engine.Search{Limits: limits.Limits{Depth: 30, Nodes: 1000}}, "8x8", little},
		"a small board":               {engine.Search{}, "hexagon of 2", 8 << 20},
		"no small limit":              {engine.Search{Limits: limits.Limits{Depth: 30, Time: time.Hour}}, "8x8", all},
		"nine cards":                  {engine.Search{}, "cards", 16 << 20},
		"two plies of cards":          {engine.Search{Limits: limits.Limits{Depth: 2}}, "cards, 5x5", little},
	} {
		t.Run(name, func(t *testing.T) {
			test.search.Memory = engine.NewMemoryBudget(2 * all)
			for range test.search.Analyze(limits.NewMeter(t.Context()), start(t, boards[test.board]), 1) {
				if use := test.search.Memory.Usage(); use.Used != test.want || use.Running != 1 {
					t.Errorf("the usage is %+v, want %d bytes", use, test.want)
				}
				break
			}
			if use := test.search.Memory.Usage(); use.Used != 0 || use.Running != 0 {
				t.Errorf("after the search the usage is %+v", use)
			}
		})
	}
}

func TestASearchAllocatesNoMoreThanItAcquires(t *testing.T) {
	engine.Prepare()
	const besides = 8 << 20 // the memory of each thread and the analyses
	for name, setup := range boards {
		t.Run(name, func(t *testing.T) {
			p := start(t, setup)
			s := engine.Search{Limits: limits.Limits{Time: 10 * time.Millisecond}, Memory: engine.NewMemoryBudget(0)}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			acquired := 0
			for range s.Analyze(limits.NewMeter(t.Context()), p, 1) {
				acquired = s.Memory.Usage().Used
			}
			runtime.ReadMemStats(&after)
			if got := int(after.TotalAlloc - before.TotalAlloc); got > acquired+besides {
				t.Errorf("it allocates %d KiB and acquires %d KiB", got>>10, acquired>>10)
			}
		})
	}
}
