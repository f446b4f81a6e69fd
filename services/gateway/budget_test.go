package gateway

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// begins starts a search that is to be admitted.
func begins(t *testing.T, b *budgets, caller string) (search context.Context, done func()) {
	t.Helper()
	search, done, err := b.begin(t.Context(), caller)
	if err != nil {
		t.Fatal(err)
	}
	return search, done
}

// A minute of search a minute is one search all the time, and two for a minute from the start.
func TestSearchesAtTheSameTimeAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudgets(time.Minute)
		one, endOne := begins(t, b, "ann")
		time.Sleep(time.Hour)
		if one.Err() != nil {
			t.Fatal("a search that is within the limit was ended")
		}
		two, endTwo := begins(t, b, "ann")
		time.Sleep(59 * time.Second)
		if one.Err() != nil || two.Err() != nil {
			t.Fatal("searches were ended before their time")
		}
		time.Sleep(2 * time.Second)
		for _, search := range []context.Context{one, two} {
			if fault.ReasonOf(context.Cause(search)) != fault.BudgetExceeded {
				t.Errorf("a search of two goes on: %v", context.Cause(search))
			}
		}
		endOne()
		endTwo()
		if _, _, err := b.begin(t.Context(), "ann"); fault.ReasonOf(err) != fault.BudgetExceeded {
			t.Errorf("another search: %v", err)
		}
		_, done := begins(t, b, "bob")
		done()
	})
}

func TestARefusalSaysWhenThereIsTimeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudgets(6 * time.Second) // 0.1 s each second
		search, done := begins(t, b, "ann")
		<-search.Done()
		done()
		_, _, err := b.begin(t.Context(), "ann")
		refused, _ := errors.AsType[*fault.Error](err)
		if refused == nil || refused.Meta["limit"] != "6s" {
			t.Fatalf("refused with %v", err)
		}
		if wait := refused.RetryAfter; wait < 10*time.Second || wait > 11*time.Second {
			t.Errorf("it is to be tried again after %v", wait)
		}
		time.Sleep(refused.RetryAfter)
		search, done = begins(t, b, "ann")
		time.Sleep(time.Second)
		if search.Err() != nil {
			t.Error("there was no time for a second of search")
		}
		done()
	})
}

func TestUnusedSearchTimeIsSavedForAMinuteAndForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudgets(time.Minute)
		_, done := begins(t, b, "ann")
		done()
		time.Sleep(time.Hour)
		_, done = begins(t, b, "bob")
		defer done()
		if len(b.accounts) != 1 {
			t.Errorf("%d callers are remembered", len(b.accounts))
		}
		bob := b.account("bob")
		if bob.left != time.Minute {
			t.Errorf("bob has %v", bob.left)
		}
	})
}
