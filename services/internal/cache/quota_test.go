package cache_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/flipside-games/flipside/services/internal/cache"
)

func TestQuotas(t *testing.T) {
	q := cache.NewQuotas(nil, "test", 1, 10, 20)
	now := time.Now()
	wait := func(action string, got, want time.Duration) {
		t.Helper()
		if d := got - want; d < -time.Millisecond || d > time.Millisecond {
			t.Errorf("%s: wait %v, want %v", action, got, want)
		}
	}
	wait("of a new key", q.Wait("ann", now), 0)
	wait("15 of 20", q.Take("ann", 15, now), 0)
	wait("6 of 5", q.Take("ann", 6, now), 100*time.Millisecond)
	wait("after a take that failed", q.Take("ann", 5, now), 0)
	wait("of an empty quota", q.Wait("ann", now), 100*time.Millisecond)
	wait("another key", q.Take("bob", 20, now), 0)
	wait("more than the burst, full", q.Take("cat", 1000, now), 0)
	wait("more than the burst, empty", q.Take("cat", 1000, now), 2*time.Second)
	q.Settle("dan", 0, 15, now)
	q.Settle("dan", 0, 15, now)
	wait("a debt", q.Take("dan", 1, now), 1100*time.Millisecond)
	wait("15 for a use", q.Take("eve", 15, now), 0)
	q.Settle("eve", 15, 10, now)
	wait("what was given back", q.Take("eve", 10, now), 0)
	q.Settle("eve", 10, 12, now)
	wait("what was needed beyond", q.Take("eve", 1, now), 300*time.Millisecond)
	wait("the burst for a use", q.Take("fay", 1000, now), 0)
	q.Settle("fay", 1000, 500, now)
	wait("nothing was given back", q.Take("fay", 1, now), 100*time.Millisecond)
	wait("a debt that is paid", q.Take("dan", 1, now.Add(1100*time.Millisecond)), 0)
}

// Callers with ever new keys and addresses must not use more memory than the budget allows.
func TestQuotasAreBounded(t *testing.T) {
	b := cache.NewBudget(100_000)
	q := cache.NewQuotas(b, "test", 1, 1, 1)
	now := time.Now()
	for i := range 10_000 {
		if q.Take(fmt.Sprint(i), 1, now) > 0 {
			t.Fatal("a new key has to wait")
		}
	}
	if s := b.Stats()[0]; s.Bytes > s.Limit || s.Entries < 100 || s.Evictions == 0 {
		t.Errorf("%+v, want as many entries as fit", s)
	}
	if q.Take("9999", 1, now) == 0 {
		t.Error("a recently used quota was evicted")
	}
}
