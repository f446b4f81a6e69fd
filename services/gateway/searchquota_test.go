package gateway

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// startSearch starts a search within the quota.
func startSearch(t *testing.T, q *searchQuotas, caller string) (search context.Context, done func()) {
	t.Helper()
	search, done, err := q.startSearch(t.Context(), caller)
	if err != nil {
		t.Fatal(err)
	}
	return search, done
}

// A quota of one minute per minute lasts for one search without end, or for two during one minute.
func TestConcurrentSearchesAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newSearchQuotas(time.Minute)
		one, endOne := startSearch(t, q, "ann")
		time.Sleep(time.Hour)
		if one.Err() != nil {
			t.Fatal("a search within the quota was ended")
		}
		two, endTwo := startSearch(t, q, "ann")
		time.Sleep(59 * time.Second)
		if one.Err() != nil || two.Err() != nil {
			t.Fatal("searches were ended before the quota was exhausted")
		}
		time.Sleep(2 * time.Second)
		for _, search := range []context.Context{one, two} {
			if fault.ReasonOf(context.Cause(search)) != fault.BudgetExceeded {
				t.Errorf("cause %v, want BUDGET_EXCEEDED", context.Cause(search))
			}
		}
		endOne()
		endTwo()
		if _, _, err := q.startSearch(t.Context(), "ann"); fault.ReasonOf(err) != fault.BudgetExceeded {
			t.Errorf("another search: %v, want BUDGET_EXCEEDED", err)
		}
		_, done := startSearch(t, q, "bob")
		done()
	})
}

func TestExhaustedQuotaHasARetryDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newSearchQuotas(6 * time.Second) // It refills by 0.1 s per second.
		search, done := startSearch(t, q, "ann")
		<-search.Done()
		done()
		_, _, err := q.startSearch(t.Context(), "ann")
		exceeded, _ := errors.AsType[*fault.Error](err)
		if exceeded == nil || exceeded.Meta["limit"] != "6s" {
			t.Fatalf("error %v, want one with the limit 6s", err)
		}
		if wait := exceeded.RetryAfter; wait < 10*time.Second || wait > 11*time.Second {
			t.Errorf("retry delay %v, want 10s to 11s", wait)
		}
		time.Sleep(exceeded.RetryAfter)
		search, done = startSearch(t, q, "ann")
		time.Sleep(time.Second)
		if search.Err() != nil {
			t.Error("a search of one second was ended")
		}
		done()
	})
}

func TestFullQuotasAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newSearchQuotas(time.Minute)
		_, done := startSearch(t, q, "ann")
		done()
		time.Sleep(time.Hour)
		_, done = startSearch(t, q, "bob")
		defer done()
		if len(q.quotas) != 1 {
			t.Errorf("%d quotas, want 1", len(q.quotas))
		}
		if left := q.quota("bob").left; left != time.Minute {
			t.Errorf("%v left, want one minute", left)
		}
	})
}
