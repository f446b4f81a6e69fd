package engine_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// hold begins a search and leaves it where it has what it took of the budget, until let go.
func hold(t *testing.T, s engine.Search, p rules.Position) (letGo func()) {
	t.Helper()
	taken, release, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for range s.Analyze(limits.NewMeter(t.Context()), p, 1) {
			close(taken)
			<-release
			return
		}
	}()
	<-taken
	return func() { close(release); <-gone }
}

func TestAFullBudgetMakesSearchesWaitAndTurnsNoneAway(t *testing.T) {
	p := start(t, boards["hexagon of 5"])
	deep := engine.Search{Limits: limits.Limits{Depth: 30}}
	for name, waits := range map[string]engine.Search{
		"much time": {Limits: limits.Limits{Time: time.Hour, Nodes: 2000}},
		"no limit":  {},
		"a depth":   {Limits: limits.Limits{Depth: 3}},
		"nodes":     {Limits: limits.Limits{Nodes: 2000}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				budget := engine.NewBudget(0)
				deep.Budget, waits.Budget = budget, budget
				letGo := hold(t, deep, p)
				known := make(chan strategy.Analysis)
				go func() {
					for a := range waits.Analyze(limits.NewMeter(t.Context()), p, 1) {
						if known <- a; a.Depth == 3 {
							break
						}
					}
					close(known)
				}()
				synctest.Wait()
				if use := budget.Use(); use.Waiting != 1 || use.Running != 1 {
					t.Fatalf("with all memory taken the budget is used like this: %+v", use)
				}
				time.Sleep(time.Hour) // far longer than it may search
				letGo()
				depth := 0
				for a := range known {
					depth = a.Depth
				}
				if use := budget.Use(); depth < 3 || use.Used != 0 || use.Waiting != 0 {
					t.Errorf("it came to a depth of %d, and left the budget like this: %+v", depth, use)
				}
			})
		})
	}
}

func TestWhoWaitsTooLongForMemoryStillNamesAMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, budget := start(t, boards["hexagon of 5"]), engine.NewBudget(0)
		letGo := hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p)
		defer letGo()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		choice, err := strategy.Choose(ctx, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p, 0)
		if err != nil || !slices.Contains(p.Legal(), choice.Chosen.Move) || budget.Use().Waiting != 0 {
			t.Errorf("%+v, %v; %+v", choice, err, budget.Use())
		}
	})
}

// Long searches leave something for those that come later, who then need not wait for them.
func TestScarceMemoryMakesTablesSmallerBeforeAnybodyWaits(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewBudget(512<<20)
	var sizes []int
	for used := 0; len(sizes) < 11; used = budget.Use().Used {
		defer hold(t, engine.Search{Budget: budget}, p)()
		sizes = append(sizes, (budget.Use().Used-used)>>20)
	}
	if want := []int{128, 128, 128, 64, 32, 16, 8, 4, 2, 1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("one after the other they took %v MiB, want %v", sizes, want)
	}
}

// Robots must move soon, whoever leaves an analysis running.
func TestWhoIsPressedForTimeNeedNotWaitForThoseWhoAreNot(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewBudget(512<<20)
	for range 11 {
		defer hold(t, engine.Search{Budget: budget}, p)()
	}
	if use := budget.Use(); use.Used != use.Limit {
		t.Fatalf("eleven endless searches use the budget like this: %+v", use)
	}
	defer hold(t, engine.Search{Limits: limits.Limits{Time: time.Second}, Budget: budget}, p)()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	choice, err := strategy.Choose(ctx, engine.Search{Limits: limits.Limits{Time: time.Second}, Budget: budget}, p, 0)
	if use := budget.Use(); err != nil || choice.Analysis.Depth < 3 || use.Waiting != 0 || use.Used != use.Limit+1<<20 {
		t.Errorf("came to a depth of %d, %v; %+v", choice.Analysis.Depth, err, use)
	}
}

// What becomes free is for those that wait: they must not be overtaken for ever by those that need not.
func TestWhoComesWhileOthersWaitTakesTheSmallestTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, budget := start(t, boards["hexagon of 5"]), engine.NewBudget(200<<20)
		letGo := hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p)
		served := make(chan func())
		go func() { served <- hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p) }()
		synctest.Wait()
		used := budget.Use().Used
		defer hold(t, engine.Search{Budget: budget}, p)()
		if use := budget.Use(); use.Waiting != 1 || use.Used-used != 1<<20 {
			t.Errorf("it took %d bytes of %+v", use.Used-used, use)
		}
		letGo()
		(<-served)()
	})
}

// The size of its table has a say in what a search finds.
func TestASearchWithLimitsThatPromiseTheSameAnswerGetsItsWholeTable(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewBudget(512<<20)
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p)()
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p)()
	defer hold(t, engine.Search{Limits: limits.Limits{Nodes: 1 << 40}, Budget: budget}, p)()
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Budget: budget}, p)()
	if use := budget.Use(); use.Used != use.Limit {
		t.Errorf("four searches of 128 MiB use the budget like this: %+v", use)
	}
}
