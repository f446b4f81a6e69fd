package engine_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
	"github.com/flipside-games/flipside/services/strategy"
	"github.com/flipside-games/flipside/services/strategy/engine"
	"github.com/flipside-games/flipside/services/strategy/limits"
)

// hold starts a search and pauses it with its memory until it is released.
func hold(t *testing.T, s engine.Search, p rules.Position) (release func()) {
	t.Helper()
	started, resume, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for range s.Analyze(limits.NewMeter(t.Context()), p, 1) {
			close(started)
			<-resume
			return
		}
	}()
	<-started
	return func() { close(resume); <-ended }
}

func TestSearchesWaitForAFullBudget(t *testing.T) {
	p := start(t, boards["hexagon of 5"])
	deep := engine.Search{Limits: limits.Limits{Depth: 30}}
	for name, waits := range map[string]engine.Search{
		"a long time": {Limits: limits.Limits{Time: time.Hour, Nodes: 2000}},
		"no limit":    {},
		"a depth":     {Limits: limits.Limits{Depth: 3}},
		"nodes":       {Limits: limits.Limits{Nodes: 2000}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				budget := engine.NewMemoryBudget(limits.LargestTable)
				deep.Memory, waits.Memory = budget, budget
				release := hold(t, deep, p)
				analyses := make(chan strategy.Analysis)
				go func() {
					for a := range waits.Analyze(limits.NewMeter(t.Context()), p, 1) {
						if analyses <- a; a.Depth == 3 {
							break
						}
					}
					close(analyses)
				}()
				synctest.Wait()
				if use := budget.Usage(); use.Waiting != 1 || use.Running != 1 {
					t.Fatalf("with a full budget the usage is %+v", use)
				}
				time.Sleep(time.Hour) // longer than its time limit
				release()
				depth := 0
				for a := range analyses {
					depth = a.Depth
				}
				if use := budget.Usage(); depth < 3 || use.Used != 0 || use.Waiting != 0 {
					t.Errorf("it reached depth %d; then the usage is %+v", depth, use)
				}
			})
		})
	}
}

func TestASearchThatWaitsTooLongReturnsALegalMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, budget := start(t, boards["hexagon of 5"]), engine.NewMemoryBudget(limits.LargestTable)
		release := hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p)
		defer release()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		choice, err := strategy.Choose(ctx, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p, 0)
		if err != nil || !slices.Contains(p.Legal(), choice.Chosen.Move) || budget.Usage().Waiting != 0 {
			t.Errorf("%+v, %v; %+v", choice, err, budget.Usage())
		}
	})
}

func TestTablesGetSmallerBeforeASearchWaits(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewMemoryBudget(512<<20)
	var sizes []int
	for used := 0; len(sizes) < 11; used = budget.Usage().Used {
		defer hold(t, engine.Search{Memory: budget}, p)()
		sizes = append(sizes, (budget.Usage().Used-used)>>20)
	}
	if want := []int{128, 128, 128, 64, 32, 16, 8, 4, 2, 1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("the tables take %v MiB, want %v", sizes, want)
	}
}

// Robots must move soon, even beside endless analyses.
func TestAnUrgentSearchDoesNotWaitForLongOnes(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewMemoryBudget(512<<20)
	for range 11 {
		defer hold(t, engine.Search{Memory: budget}, p)()
	}
	if use := budget.Usage(); use.Used != use.Limit {
		t.Fatalf("with eleven endless searches the usage is %+v", use)
	}
	defer hold(t, engine.Search{Limits: limits.Limits{Time: time.Second}, Memory: budget}, p)()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	choice, err := strategy.Choose(ctx, engine.Search{Limits: limits.Limits{Time: time.Second}, Memory: budget}, p, 0)
	if use := budget.Usage(); err != nil || choice.Analysis.Depth < 3 || use.Waiting != 0 || use.Used != use.Limit+1<<20 {
		t.Errorf("it reached depth %d, %v; the usage is %+v", choice.Analysis.Depth, err, use)
	}
}

// Free memory is for the waiting searches; later ones must not overtake them forever.
func TestASearchGetsTheSmallestTableWhileOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, budget := start(t, boards["hexagon of 5"]), engine.NewMemoryBudget(200<<20)
		release := hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p)
		granted := make(chan func())
		go func() { granted <- hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p) }()
		synctest.Wait()
		used := budget.Usage().Used
		defer hold(t, engine.Search{Memory: budget}, p)()
		if use := budget.Usage(); use.Waiting != 1 || use.Used-used != 1<<20 {
			t.Errorf("it takes %d bytes; the usage is %+v", use.Used-used, use)
		}
		release()
		(<-granted)()
	})
}

// The size of the table affects the answer.
func TestADeterministicSearchGetsItsWholeTable(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewMemoryBudget(512<<20)
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p)()
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p)()
	defer hold(t, engine.Search{Limits: limits.Limits{Nodes: 1 << 40}, Memory: budget}, p)()
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p)()
	if use := budget.Usage(); use.Used != use.Limit {
		t.Errorf("with four searches of 128 MiB the usage is %+v", use)
	}
}

// A table is never larger than the budget, so that a process with little memory searches too.
func TestTablesFitIntoASmallBudget(t *testing.T) {
	p, budget := start(t, boards["hexagon of 5"]), engine.NewMemoryBudget(16<<20)
	defer hold(t, engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}, p)()
	if use := budget.Usage(); use.Used != 16<<20 || use.Limit != 16<<20 {
		t.Errorf("the usage is %+v", use)
	}
}

// played returns the position after the best move of a search and the first reply to it.
func played(t *testing.T, p rules.Position, a strategy.Analysis) rules.Position {
	t.Helper()
	for _, m := range a.Best().Moves[:2] {
		var err error
		if p, _, err = p.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// after returns the position after so many plies, each with the first legal move.
func after(t *testing.T, p rules.Position, plies int) rules.Position {
	t.Helper()
	for range plies {
		var err error
		if p, _, err = p.Play(p.Legal()[0]); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// analyzed returns the last analysis of a search.
func analyzed(t *testing.T, s engine.Search, p rules.Position) (last strategy.Analysis) {
	t.Helper()
	for last = range s.Analyze(limits.NewMeter(t.Context()), p, 1) {
	}
	return last
}

// A limit of nodes beside a long time makes a search that has to be fast, but not deterministic.
func nodes(count int64, m *engine.MemoryBudget) engine.Search {
	return engine.Search{Limits: limits.Limits{Time: time.Hour, Nodes: count}, Memory: m}
}

func TestASearchContinuesWithTheTableOfTheMoveBefore(t *testing.T) {
	for board, plies := range map[string]int{"8x8": 0, "hexagon of 5": 0, "cards, 5x5": 16} {
		t.Run(board, func(t *testing.T) {
			p, budget := after(t, start(t, boards[board]), plies), engine.NewMemoryBudget(limits.LargestTable)
			next := played(t, p, analyzed(t, nodes(300_000, budget), p))
			if use := budget.Usage(); use.Used != 0 || use.Idle == 0 {
				t.Fatalf("after a search the usage is %+v", use)
			}
			fresh := analyzed(t, nodes(10_000, nil), next)
			continued := analyzed(t, nodes(10_000, budget), next)
			if continued.Depth <= fresh.Depth {
				t.Errorf("it reaches depth %d, and %d without the table", continued.Depth, fresh.Depth)
			}
		})
	}
}

func TestADeterministicSearchStartsWithAnEmptyTable(t *testing.T) {
	for _, board := range []string{"8x8", "hexagon of 5", "cards, 5x5"} {
		t.Run(board, func(t *testing.T) {
			p, budget := start(t, boards[board]), engine.NewMemoryBudget(limits.LargestTable)
			next := played(t, p, analyzed(t, nodes(100_000, budget), p))
			deterministic := engine.Search{Limits: limits.Limits{Nodes: 5_000}}
			want := analyzed(t, deterministic, next)
			deterministic.Memory = budget
			got := analyzed(t, deterministic, next)
			if got.Time = want.Time; !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// The idle tables of one game must not disturb the others.
func TestASearchDoesNotContinueOneOnAnotherBoard(t *testing.T) {
	budget := engine.NewMemoryBudget(limits.LargestTable)
	for _, board := range []string{"8x8", "hexagon of 5", "square of 16", "cards", "cards, 5x5", "8x8, two flips"} {
		idle, s := budget.Usage().Idle, nodes(1000, budget)
		analyzed(t, s, start(t, boards[board]))
		if use := budget.Usage(); use.Idle <= idle {
			t.Errorf("%s: the usage is %+v, before %d bytes were idle", board, use, idle)
		}
	}
}

// begin starts a search with a table of 15 MiB and ends it at once.
func begin(t *testing.T, p rules.Position, budget *engine.MemoryBudget) {
	t.Helper()
	s := engine.Search{Limits: limits.Limits{Time: 300 * time.Millisecond}, Memory: budget}
	for range s.Analyze(limits.NewMeter(t.Context()), p, 1) {
		break
	}
}

func TestIdleTablesGoBeforeASearchWaits(t *testing.T) {
	p, budget := start(t, boards["8x8"]), engine.NewMemoryBudget(limits.LargestTable)
	begin(t, p, budget)
	if use := budget.Usage(); use.Idle>>20 != 14 {
		t.Fatalf("after a search the usage is %+v", use)
	}
	all := engine.Search{Limits: limits.Limits{Depth: 30}, Memory: budget}
	defer hold(t, all, start(t, boards["hexagon of 5"]))()
	if use := budget.Usage(); use.Idle != 0 || use.Used != use.Limit {
		t.Errorf("beside a search that takes all memory the usage is %+v", use)
	}
}

func TestIdleTablesTakeAtMostAQuarterOfTheMemory(t *testing.T) {
	p, budget := start(t, boards["8x8"]), engine.NewMemoryBudget(limits.LargestTable)
	for i, m := range p.Legal() {
		other, _, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		begin(t, other, budget)
		if use := budget.Usage(); use.Idle>>20 != min(i+1, 2)*144/10 {
			t.Errorf("after %d searches the usage is %+v", i+1, use)
		}
	}
}
