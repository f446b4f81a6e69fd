package cache

import (
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// DefaultBytes is the size of the budget that stands in for a missing one.
const DefaultBytes = 64 << 20

// Budget divides a number of bytes among caches by their weights, so that entries of one cache
// never displace those of another. It is safe for concurrent use, and a [prometheus.Collector] of
// the statistics of all its caches.
type Budget struct {
	bytes int64

	mu     sync.Mutex
	shares []share
}

// share is the part of the budget that a cache gets.
type share struct {
	name   string
	weight int64
	cache  interface { // a Cache of any type
		setLimit(bytes int64)
		Stats() Stats
	}
}

// NewBudget returns a budget without caches.
func NewBudget(bytes int64) *Budget { return &Budget{bytes: bytes} }

// Stats returns the statistics of every cache, in the order of their creation.
func (b *Budget) Stats() []Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Stats, len(b.shares))
	for i, s := range b.shares {
		all[i] = s.cache.Stats()
	}
	return all
}

func (b *Budget) add(s share) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.ContainsFunc(b.shares, func(other share) bool { return other.name == s.name }) {
		panic("cache: the budget already has a cache named " + s.name)
	}
	b.shares = append(b.shares, s)
	b.divide()
}

func (b *Budget) remove(cache any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shares = slices.DeleteFunc(b.shares, func(s share) bool { return s.cache == cache })
	b.divide()
}

// divide sets the limit of every cache. The caller holds mu.
func (b *Budget) divide() {
	total := int64(0)
	for _, s := range b.shares {
		total += s.weight
	}
	for _, s := range b.shares {
		s.cache.setLimit(b.bytes * s.weight / total)
	}
}

// metrics are the columns of [Stats] in metrics, with the name of the cache as label.
var metrics = []struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(Stats) float64
}{
	{describe("bytes", "Bytes that the entries of the cache use."),
		prometheus.GaugeValue, func(s Stats) float64 { return float64(s.Bytes) }},
	{describe("limit_bytes", "Bytes that the entries of the cache may use."),
		prometheus.GaugeValue, func(s Stats) float64 { return float64(s.Limit) }},
	{describe("entries", "Entries of the cache."),
		prometheus.GaugeValue, func(s Stats) float64 { return float64(s.Entries) }},
	{describe("hits_total", "Lookups that found an entry."),
		prometheus.CounterValue, func(s Stats) float64 { return float64(s.Hits) }},
	{describe("misses_total", "Lookups that found no entry."),
		prometheus.CounterValue, func(s Stats) float64 { return float64(s.Misses) }},
	{describe("evictions_total", "Entries removed because the cache was full."),
		prometheus.CounterValue, func(s Stats) float64 { return float64(s.Evictions) }},
}

func describe(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("flipside_cache_"+name, help, []string{"cache"}, nil)
}

// Describe implements [prometheus.Collector].
func (b *Budget) Describe(descs chan<- *prometheus.Desc) {
	for _, m := range metrics {
		descs <- m.desc
	}
}

// Collect implements [prometheus.Collector].
func (b *Budget) Collect(collected chan<- prometheus.Metric) {
	for _, s := range b.Stats() {
		for _, m := range metrics {
			collected <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(s), s.Name)
		}
	}
}
