// Package cache provides the one cache type of this module: least recently used, bounded by bytes
// and safe for concurrent use. All caches of a process draw on one [Budget].
package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// EntryOverhead estimates the bytes that a cache itself uses for an entry: its links and its slot
// in a hash table.
const EntryOverhead = 192

// Cache maps keys to values and evicts the least recently used entries when their sizes exceed the
// limit. Values are shared by all callers, which must not change them. Entries do not expire: store
// a deadline in the value if they should.
type Cache[K comparable, V any] struct {
	budget *Budget
	size   func(K, V) int

	mu      sync.Mutex
	entries *simplelru.LRU[K, sized[V]]
	stats   Stats
}

// sized is a value with the size of its entry, which stays the same while the entry is cached.
type sized[V any] struct {
	value V
	bytes int64
}

// Stats are the limit, the content and the counters of a cache since it was created.
type Stats struct {
	Name                    string
	Limit, Bytes            int64
	Entries                 int
	Hits, Misses, Evictions uint64
}

// New returns an empty cache that gets weight ÷ (sum of the weights of all caches) of the budget. A
// nil budget stands for a new one of [DefaultBytes]. The name is the label of the cache in metrics;
// New panics if the budget already has a cache of that name.
//
// The function size returns the bytes that an entry keeps in memory: the key and the value with
// their headers, and everything that they refer to unless something else keeps it anyway, such as a
// table that all values share. It should count the parts that callers can make large exactly
// (strings, slices) and may estimate the fixed rest. It does not count [EntryOverhead]. It is
// called once for each Put, while no lock is held.
func New[K comparable, V any](
	budget *Budget, name string, weight int, size func(K, V) int,
) *Cache[K, V] {
	if budget == nil {
		budget = NewBudget(DefaultBytes)
	}
	c := &Cache[K, V]{budget: budget, size: size, stats: Stats{Name: name}}
	// The number of entries has no limit of its own. The callback runs for every entry that leaves
	// the list.
	c.entries, _ = simplelru.NewLRU(math.MaxInt, func(_ K, v sized[V]) { c.stats.Bytes -= v.bytes })
	budget.add(share{name, int64(weight), c})
	return c
}

// Get returns the value of a key and marks the entry as the most recently used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.entries.Get(key)
	if ok {
		c.stats.Hits++
	} else {
		c.stats.Misses++
	}
	return v.value, ok
}

// Put stores a value and replaces the previous value of the key. An entry that is larger than the
// whole cache is not stored, but the previous value is removed.
func (c *Cache[K, V]) Put(key K, value V) {
	v := sized[V]{value, EntryOverhead + int64(c.size(key, value))}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
	if v.bytes > c.stats.Limit {
		return
	}
	c.entries.Add(key, v)
	c.stats.Bytes += v.bytes
	c.evict()
}

// Delete removes a key. It does nothing if the key is not cached.
func (c *Cache[K, V]) Delete(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
}

// Stats returns the state of the cache at one moment.
func (c *Cache[K, V]) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries = c.entries.Len()
	return s
}

// Close removes all entries and returns the share of the cache to the budget. A closed cache stays
// empty.
func (c *Cache[K, V]) Close() {
	c.budget.remove(c)
	c.setLimit(0)
}

// setLimit changes the limit and evicts what exceeds it.
func (c *Cache[K, V]) setLimit(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Limit = bytes
	c.evict()
}

// evict removes the least recently used entries until the rest fits. The caller holds mu.
func (c *Cache[K, V]) evict() {
	for c.stats.Bytes > c.stats.Limit {
		c.entries.RemoveOldest()
		c.stats.Evictions++
	}
}
