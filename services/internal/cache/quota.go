package cache

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Quotas limit the rate at which each caller, address or other key uses something, in units that
// refill evenly. They are safe for concurrent use. The least recently used quotas are evicted; an
// evicted quota is full when its key comes back, so that a caller gains from it only with as many
// keys as the cache holds.
type Quotas struct {
	perSecond rate.Limit
	burst     int

	creating sync.Mutex
	limiters *Cache[string, *rate.Limiter]
}

// NewQuotas returns quotas of a number of units per second after a burst of at least one. They are
// a cache that draws on the budget, which may be nil, with a name and a weight like that of [New].
func NewQuotas(budget *Budget, name string, weight int, perSecond, burst float64) *Quotas {
	const limiterBytes = 96
	size := func(key string, _ *rate.Limiter) int { return limiterBytes + len(key) }
	return &Quotas{
		perSecond: rate.Limit(perSecond), burst: max(1, int(burst)),
		limiters: New(budget, name, weight, size),
	}
}

// Take takes n units, but at most the burst, and returns 0. If they are not left, it takes none and
// returns the time after which they will be.
func (q *Quotas) Take(key string, n int, now time.Time) time.Duration {
	r := q.limiter(key).ReserveN(now, min(n, q.burst))
	delay := r.DelayFrom(now)
	if delay > 0 {
		r.CancelAt(now)
	}
	return delay
}

// Settle charges the units that a use has needed in place of those that Take has taken for it. Each
// counts for at most the burst. Units that are not left are taken from what refills.
func (q *Quotas) Settle(key string, taken, used int, now time.Time) {
	if n := min(used, q.burst) - min(taken, q.burst); n != 0 {
		q.limiter(key).ReserveN(now, n) // A negative number gives units back.
	}
}

// Burst returns the number of units of a full quota.
func (q *Quotas) Burst() int { return q.burst }

// Wait returns the time after which one unit is left, 0 if it is left now. It takes none.
func (q *Quotas) Wait(key string, now time.Time) time.Duration {
	l, ok := q.limiters.Get(key)
	if !ok {
		return 0
	}
	missing := 1 - l.TokensAt(now)
	return max(0, time.Duration(missing/float64(q.perSecond)*float64(time.Second)))
}

// limiter returns the limiter of a key, which is new if there is none.
func (q *Quotas) limiter(key string) *rate.Limiter {
	if l, ok := q.limiters.Get(key); ok {
		return l
	}
	q.creating.Lock()
	defer q.creating.Unlock()
	l, ok := q.limiters.Get(key)
	if !ok {
		l = rate.NewLimiter(q.perSecond, q.burst)
		q.limiters.Put(key, l)
	}
	return l
}
