package cache_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/flipside-games/flipside/services/internal/cache"
)

// sizeOf makes an entry of n bytes from a value of n - EntryOverhead.
func sizeOf(_ string, value int) int { return value - cache.EntryOverhead }

const entry = 1000 // bytes

// filled returns a cache that is full with ten entries named 0 to 9.
func filled(b *cache.Budget, name string) *cache.Cache[string, int] {
	c := cache.New(b, name, 1, sizeOf)
	for i := range 10 {
		c.Put(fmt.Sprint(i), entry)
	}
	return c
}

func TestCacheEvictsTheLeastRecentlyUsed(t *testing.T) {
	c := filled(cache.NewBudget(10*entry), "test")
	if s := c.Stats(); s.Entries != 10 || s.Bytes != s.Limit || s.Evictions != 0 {
		t.Errorf("entries that fill the limit: %+v, want all ten", s)
	}
	c.Get("0")
	c.Put("new", entry+1)
	for key, want := range map[string]bool{"0": true, "1": false, "2": false, "3": true, "new": true} {
		if _, got := c.Get(key); got != want {
			t.Errorf("entry %s cached: %t, want %t", key, got, want)
		}
	}
	want := cache.Stats{Name: "test", Limit: 10 * entry, Bytes: 9*entry + 1, Entries: 9, Hits: 4, Misses: 2, Evictions: 2}
	if diff := cmp.Diff(want, c.Stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

func TestPutReplaces(t *testing.T) {
	c := cache.New(cache.NewBudget(10*entry), "test", 1, sizeOf)
	for _, test := range []struct {
		size, entries int
		bytes         int64
	}{
		{entry, 1, entry},
		{10 * entry, 1, 10 * entry},
		{2 * entry, 1, 2 * entry},
		{10*entry + 1, 0, 0},
		{entry, 1, entry},
	} {
		c.Put("key", test.size)
		if s := c.Stats(); s.Entries != test.entries || s.Bytes != test.bytes {
			t.Errorf("after an entry of %d bytes: %+v, want %d entries", test.size, s, test.entries)
		}
	}
	c.Put("large", 11*entry)
	if _, ok := c.Get("key"); !ok {
		t.Error("an entry larger than the cache evicted another")
	}
	c.Delete("key")
	c.Delete("unknown")
	if s := c.Stats(); s.Entries != 0 || s.Bytes != 0 || s.Evictions != 0 {
		t.Errorf("after Delete: %+v, want nothing", s)
	}
}

func TestBudgetIsDividedByWeight(t *testing.T) {
	b := cache.NewBudget(10 * entry)
	limits := func() map[string]int64 {
		all := map[string]int64{}
		for _, s := range b.Stats() {
			all[s.Name] = s.Limit
		}
		return all
	}
	first := filled(b, "first")
	second := cache.New(b, "second", 3, sizeOf)
	if diff := cmp.Diff(map[string]int64{"first": 2500, "second": 7500}, limits()); diff != "" {
		t.Errorf("limits of two (-want +got):\n%s", diff)
	}
	if s := first.Stats(); s.Entries != 2 || s.Bytes != 2*entry {
		t.Errorf("cache with a smaller limit: %+v, want two entries", s)
	}
	first.Close()
	first.Put("closed", cache.EntryOverhead)
	if s := first.Stats(); s.Entries != 0 || s.Bytes != 0 {
		t.Errorf("closed cache: %+v, want no entries", s)
	}
	if diff := cmp.Diff(map[string]int64{"second": 10_000}, limits()); diff != "" {
		t.Errorf("limits of one (-want +got):\n%s", diff)
	}
	second.Close()
	first.Close()
	if len(limits()) != 0 {
		t.Errorf("the budget still has %v", limits())
	}
}

func TestNamesAreUnique(t *testing.T) {
	b := cache.NewBudget(1)
	cache.New(b, "test", 1, sizeOf)
	defer func() {
		if recover() == nil {
			t.Error("two caches have one name")
		}
	}()
	cache.New(b, "test", 1, sizeOf)
}

func TestMetrics(t *testing.T) {
	b := cache.NewBudget(10 * entry)
	filled(b, "first").Get("0")
	filled(b, "second").Get("unknown")
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(b)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			got[f.GetName()] = append(got[f.GetName()], m.GetGauge().GetValue()+m.GetCounter().GetValue())
		}
	}
	want := map[string][]float64{
		"flipside_cache_bytes":           {5000, 5000},
		"flipside_cache_limit_bytes":     {5000, 5000},
		"flipside_cache_entries":         {5, 5},
		"flipside_cache_hits_total":      {1, 0},
		"flipside_cache_misses_total":    {0, 1},
		"flipside_cache_evictions_total": {5, 5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestConcurrentUse(t *testing.T) {
	b := cache.NewBudget(20 * entry)
	c := filled(b, "test")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 1000 {
				key := fmt.Sprint((i + n) % 20)
				c.Put(key, 1+cache.EntryOverhead+n)
				c.Get(key)
				c.Delete(fmt.Sprint(n % 20))
				if s := c.Stats(); s.Bytes > s.Limit || s.Bytes < 0 {
					t.Errorf("%d bytes, limit %d", s.Bytes, s.Limit)
				}
			}
			other := cache.New(b, fmt.Sprint(i), 1, sizeOf)
			b.Stats()
			other.Close()
		})
	}
	all.Wait()
	for i := range 20 {
		c.Delete(fmt.Sprint(i))
	}
	if s := c.Stats(); s.Entries != 0 || s.Bytes != 0 {
		t.Errorf("empty cache: %+v", s)
	}
}

// TestBytesAreThoseOfTheHeap compares the accounted bytes with the heap for entries whose overhead
// matters most.
func TestBytesAreThoseOfTheHeap(t *testing.T) {
	size := func(key, value string) int { return 32 + len(key) + len(value) }
	c := cache.New(nil, "test", 1, size)
	before := heap()
	for i := range 100_000 {
		c.Put(fmt.Sprintf("key-%011d-", i), strings.Repeat("v", 48))
	}
	used := float64(heap() - before)
	s := c.Stats()
	if ratio := float64(s.Bytes) / used; ratio < 0.8 || ratio > 1.5 {
		t.Errorf("%d bytes accounted, %.0f on the heap: ratio %.2f, want 0.8 to 1.5", s.Bytes, used, ratio)
	}
	if s.Entries != 100_000 || s.Limit != cache.DefaultBytes {
		t.Errorf("%+v, want 100,000 entries in the default budget", s)
	}
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func Example() {
	budget := cache.NewBudget(1 << 20)
	names := cache.New(budget, "names", 1, func(id, name string) int { return len(id) + len(name) + 32 })
	names.Put("ann", "Ann Smith")
	fmt.Println(names.Get("ann"))
	fmt.Println(names.Get("bob"))
	for _, s := range budget.Stats() {
		fmt.Printf("%s: %d entries, %d of %d bytes\n", s.Name, s.Entries, s.Bytes, s.Limit)
	}
	// Output:
	// Ann Smith true
	//  false
	// names: 1 entries, 236 of 1048576 bytes
}
