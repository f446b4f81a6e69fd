package gateway

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	strategyv1 "github.com/flipside-games/flipside/gen/go/flipside/strategy/v1"
	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// quotas returns new quotas.
func quotas(limit time.Duration) *searchQuotas { return newSearchQuotas(limit, nil) }

// startSearch starts a search of one thread within the quota.
func startSearch(t *testing.T, q *searchQuotas, caller string) *search {
	t.Helper()
	started, err := q.startSearch(t.Context(), caller, 1)
	if err != nil {
		t.Fatal(err)
	}
	return started
}

// A quota of one minute per minute lasts for one search without end, or for two during one minute.
func TestConcurrentSearchesAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := quotas(time.Minute)
		one := startSearch(t, q, "ann")
		time.Sleep(time.Hour)
		if one.Err() != nil {
			t.Fatal("a search within the quota was ended")
		}
		two := startSearch(t, q, "ann")
		time.Sleep(59 * time.Second)
		if one.Err() != nil || two.Err() != nil {
			t.Fatal("searches were ended before the quota was exhausted")
		}
		time.Sleep(2 * time.Second)
		for _, search := range []*search{one, two} {
			if fault.ReasonOf(context.Cause(search)) != fault.BudgetExceeded {
				t.Errorf("cause %v, want BUDGET_EXCEEDED", context.Cause(search))
			}
		}
		one.end()
		two.end()
		if _, err := q.startSearch(t.Context(), "ann", 1); fault.ReasonOf(err) != fault.BudgetExceeded {
			t.Errorf("another search: %v, want BUDGET_EXCEEDED", err)
		}
		startSearch(t, q, "bob").end()
	})
}

// A search with several threads counts as several searches.
func TestThreadsCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := quotas(time.Minute)
		match := startSearch(t, q, "ann")
		time.Sleep(time.Minute)
		match.setThreads(4) // It uses a minute in twenty seconds, since a third of that is refilled.
		time.Sleep(19 * time.Second)
		if match.Err() != nil {
			t.Fatal("the search was ended before the quota was exhausted")
		}
		time.Sleep(2 * time.Second)
		if fault.ReasonOf(context.Cause(match)) != fault.BudgetExceeded {
			t.Errorf("cause %v, want BUDGET_EXCEEDED", context.Cause(match))
		}
		match.end()
	})
}

// A client can leave before its request is sent. The search has ended then and uses no quota.
func TestEndedSearchUsesNoThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := quotas(time.Minute)
		one, two := startSearch(t, q, "ann"), startSearch(t, q, "ann")
		two.end()
		two.setThreads(4)
		time.Sleep(time.Hour)
		if one.Err() != nil {
			t.Error("a search within the quota was ended")
		}
		one.end()
	})
}

func TestThreadsOfRequests(t *testing.T) {
	engine := func(threads int32) *strategyv1.Strategy {
		return &strategyv1.Strategy{Kind: &strategyv1.Strategy_Engine{Engine: &strategyv1.Engine{Threads: threads}}}
	}
	nested := &strategyv1.Strategy{Kind: &strategyv1.Strategy_TryTwo{TryTwo: &strategyv1.TryTwo{
		First: engine(1), Second: &strategyv1.Strategy{Kind: &strategyv1.Strategy_Minimax{
			Minimax: &strategyv1.Minimax{Assumed: engine(3)},
		}},
	}}}
	for name, test := range map[string]struct {
		request any
		want    int
	}{
		"a strategy without threads":   {&strategyv1.ChooseMoveRequest{Strategy: &strategyv1.Strategy{}}, 1},
		"the default":                  {&strategyv1.ChooseMoveRequest{Strategy: engine(0)}, 1},
		"an analysis with threads":     {&strategyv1.AnalyzePositionRequest{Strategy: engine(8)}, 8},
		"nested strategies":            {&strategyv1.ChooseMoveRequest{Strategy: nested}, 3},
		"a match":                      {&strategyv1.PlayMatchRequest{Parallel: 4, First: engine(2), Second: nested}, 12},
		"a match without parallel":     {&strategyv1.PlayMatchRequest{First: engine(2)}, 2 * runtime.GOMAXPROCS(0)},
		"a match of simple strategies": {&strategyv1.PlayMatchRequest{Parallel: 5}, 5},
		"a request without a strategy": {&strategyv1.ListPositionMovesRequest{}, 1},
		"fewer games than one":         {&strategyv1.PlayMatchRequest{Parallel: -1000, First: engine(-5)}, 1},
		"more than the contract allows": {
			&strategyv1.PlayMatchRequest{Parallel: math.MaxInt32, First: engine(math.MaxInt32)}, 256 * 256,
		},
	} {
		if got := threads(test.request); got != test.want {
			t.Errorf("%s: %d threads, want %d", name, got, test.want)
		}
	}
}

func TestExhaustedQuotaHasARetryDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := quotas(6 * time.Second) // It refills by 0.1 s per second.
		search := startSearch(t, q, "ann")
		<-search.Done()
		search.end()
		_, err := q.startSearch(t.Context(), "ann", 1)
		exceeded, _ := errors.AsType[*fault.Error](err)
		if exceeded == nil || exceeded.Meta["limit"] != "6s" {
			t.Fatalf("error %v, want one with the limit 6s", err)
		}
		if wait := exceeded.RetryAfter; wait < 10*time.Second || wait > 11*time.Second {
			t.Errorf("retry delay %v, want 10s to 11s", wait)
		}
		time.Sleep(exceeded.RetryAfter)
		search = startSearch(t, q, "ann")
		time.Sleep(time.Second)
		if search.Err() != nil {
			t.Error("a search of one second was ended")
		}
		search.end()
	})
}

// Callers with ever new keys must not use more memory than the caches may.
func TestIdleQuotasAreBounded(t *testing.T) {
	caches := cache.NewBudget(100_000)
	q := newSearchQuotas(time.Minute, caches)
	for i := range 5000 {
		startSearch(t, q, fmt.Sprint("caller", i)).end()
	}
	if s := caches.Stats()[0]; s.Bytes > s.Limit || s.Entries == 0 || len(q.running) > 0 {
		t.Errorf("%+v and %d running, want as many idle quotas as fit", s, len(q.running))
	}
}
