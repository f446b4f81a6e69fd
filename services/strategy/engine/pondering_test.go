package engine_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/internal/rules/rulestest"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// useProcessors sets the number of processors for a test.
func useProcessors(t *testing.T, count int) {
	t.Helper()
	before := runtime.GOMAXPROCS(count)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// inGame returns a search for a move of a game.
func inGame(game string, m *engine.MemoryBudget) engine.Search {
	return engine.Search{Limits: limits.Limits{Time: time.Second}, Memory: m, Game: game}
}

// ponder searches three plies of p and ponders on the position after the best move. It returns the
// analysis.
func ponder(t *testing.T, s engine.Search, p rules.Position) (a strategy.Analysis) {
	t.Helper()
	for a = range s.Analyze(limits.NewMeter(t.Context()), p, 1) {
		if a.Depth == 3 {
			break
		}
	}
	p, _, err := p.Play(a.Best().Moves[0])
	if err != nil {
		t.Fatal(err)
	}
	s.Ponder(p)
	return a
}

// allowing returns a budget with room for idle tables that allows pondering.
func allowing(atMost time.Duration) *engine.MemoryBudget {
	budget := engine.NewMemoryBudget(2 * limits.LargestTable)
	budget.AllowPondering(atMost)
	return budget
}

// A bubble ends only when all of its goroutines have ended, also those that ponder.
func TestASearchContinuesWhatItsGameHasPondered(t *testing.T) {
	useProcessors(t, 2)
	for board, plies := range map[string]int{"8x8": 46, "hexagon of 5": 50, "cards": 2} {
		t.Run(board, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				positions, _ := rulestest.RandomGame(t, start(t, boards[board]), 7)
				nodes := map[time.Duration]int64{}
				for _, allowed := range []time.Duration{0, time.Hour} {
					s := inGame("g", allowing(allowed))
					next := played(t, positions[plies], ponder(t, s, positions[plies]))
					synctest.Wait() // until pondering has the exact score
					nodes[allowed] = analyzed(t, s, next).Nodes
				}
				if 4*nodes[time.Hour] > nodes[0] {
					t.Errorf("the next search takes %v nodes by the time of pondering", nodes)
				}
			})
		})
	}
}

// pondering returns a budget and a search that ponders on a large board.
func pondering(t *testing.T) (*engine.MemoryBudget, engine.Search, rules.Position) {
	t.Helper()
	budget := allowing(time.Hour)
	p, s := start(t, boards["hexagon of 5"]), inGame("g", budget)
	next := played(t, p, ponder(t, s, p))
	if use := budget.Usage(); use.Pondering != 1 || use.Running != 0 || use.Used != 0 {
		t.Fatalf("while it ponders the usage is %+v", use)
	}
	return budget, s, next
}

func TestTheNextSearchOfTheGameEndsPonderingAndTakesItsTable(t *testing.T) {
	useProcessors(t, 4)
	synctest.Test(t, func(t *testing.T) {
		budget, s, next := pondering(t)
		defer hold(t, s, next)()
		if use := budget.Usage(); use.Pondering != 0 || use.Idle != 0 || use.Running != 1 {
			t.Errorf("the usage is %+v", use)
		}
	})
}

func TestASearchThatNeedsTheMemoryEndsPondering(t *testing.T) {
	useProcessors(t, 4)
	synctest.Test(t, func(t *testing.T) {
		budget, _, next := pondering(t)
		all := engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}
		for range 2 {
			defer hold(t, all, next)()
		}
		if use := budget.Usage(); use.Pondering != 0 || use.Idle != 0 || use.Used != use.Limit {
			t.Errorf("the usage is %+v", use)
		}
		synctest.Wait() // until it has ended
	})
}

func TestASearchThatNeedsTheProcessorEndsPondering(t *testing.T) {
	useProcessors(t, 3)
	synctest.Test(t, func(t *testing.T) {
		budget, _, next := pondering(t)
		defer hold(t, inGame("other", budget), next)()
		if use := budget.Usage(); use.Pondering != 1 {
			t.Errorf("with a processor for calls and one for each search the usage is %+v", use)
		}
		defer hold(t, inGame("third", budget), next)()
		synctest.Wait()
		if use := budget.Usage(); use.Pondering != 0 || use.Running != 2 {
			t.Errorf("with two searches on three processors the usage is %+v", use)
		}
	})
}

func TestTheLatestGamePonders(t *testing.T) {
	useProcessors(t, 2)
	budget, s, _ := pondering(t)
	defer budget.StopPondering()
	s.Game = "other"
	ponder(t, s, start(t, boards["square of 16"]))
	if use := budget.Usage(); use.Pondering != 1 {
		t.Errorf("with one processor to spare the usage is %+v", use)
	}
}

func TestPonderingEndsAfterItsTime(t *testing.T) {
	useProcessors(t, 2)
	budget := allowing(time.Millisecond)
	ponder(t, inGame("g", budget), start(t, boards["hexagon of 5"]))
	for began := time.Now(); budget.Usage().Pondering != 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("it ponders for a minute")
		}
	}
}

func TestThereIsNoPonderingAfterItsEnd(t *testing.T) {
	useProcessors(t, 2)
	synctest.Test(t, func(t *testing.T) {
		budget, s, next := pondering(t)
		budget.StopPondering()
		s.Ponder(next)
		if use := budget.Usage(); use.Pondering != 0 || use.Idle == 0 {
			t.Errorf("the usage is %+v", use)
		}
	})
}

func TestASearchPondersOnlyInAGameAndIfAllowed(t *testing.T) {
	for name, test := range map[string]struct {
		processors int
		allowed    time.Duration
		change     func(*engine.Search)
	}{
		"by default":            {2, 0, func(*engine.Search) {}},
		"on one processor":      {1, time.Hour, func(*engine.Search) {}},
		"without a game":        {2, time.Hour, func(s *engine.Search) { s.Game = "" }},
		"with a limit of depth": {2, time.Hour, func(s *engine.Search) { s.Depth = 4 }},
		"with a limit of nodes": {2, time.Hour, func(s *engine.Search) { s.Nodes = 10_000 }},
		"without a budget":      {2, time.Hour, func(s *engine.Search) { s.Memory = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			useProcessors(t, test.processors)
			budget := allowing(test.allowed)
			s := inGame("g", budget)
			test.change(&s)
			ponder(t, s, start(t, boards["hexagon of 5"]))
			if use := budget.Usage(); use.Pondering != 0 {
				t.Errorf("the usage is %+v", use)
			}
		})
	}
}
