package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// searchQuotas limits the total running time of the searches of each caller. Concurrent searches
// add up, and a search with several threads counts as several searches. A quota refills evenly and
// holds at most the limit of one minute. When it is exhausted, all searches of its caller end.
type searchQuotas struct {
	limit time.Duration // per minute

	mu sync.Mutex
	// running holds the quotas of callers with running searches.
	running map[string]*searchQuota
	// idle holds quotas of other callers. An evicted quota is full when its caller comes back.
	idle *cache.Cache[string, balance]
}

// balance is the state of a quota at a time.
type balance struct {
	left    time.Duration
	updated time.Time
}

// searchQuota is the quota of a caller with running searches.
type searchQuota struct {
	balance
	searches map[*search]struct{}
	// threads is the number of threads of all searches.
	threads int
	// exhausted fires when nothing is left.
	exhausted *time.Timer
}

// search is a running search.
type search struct {
	context.Context //nolint:containedctx // It ends with the search.

	quotas  *searchQuotas
	quota   *searchQuota
	caller  string
	cancel  context.CancelCauseFunc
	threads int
}

func newSearchQuotas(limit time.Duration, caches *cache.Budget) *searchQuotas {
	const balanceBytes = 64
	return &searchQuotas{
		limit:   limit,
		running: map[string]*searchQuota{},
		idle: cache.New(caches, "search_quotas", 1, func(caller string, _ balance) int {
			return balanceBytes + len(caller)
		}),
	}
}

// startSearch charges a search with a number of threads to its caller. The search is a context that
// ends with the cause BUDGET_EXCEEDED when the quota is exhausted. Call its method end once. It
// fails with BUDGET_EXCEEDED if nothing is left.
func (s *searchQuotas) startSearch(
	ctx context.Context, caller string, threads int,
) (*search, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.quota(caller)
	if s.update(q, time.Now()); q.left <= 0 {
		return nil, s.exceeded(q)
	}
	started := &search{quotas: s, quota: q, caller: caller}
	started.Context, started.cancel = context.WithCancelCause(ctx)
	if len(q.searches) == 0 {
		s.running[caller] = q
		s.idle.Delete(caller)
	}
	q.searches[started] = struct{}{}
	started.use(threads)
	return started, nil
}

// setThreads changes the number of threads of a search that has not ended.
func (x *search) setThreads(n int) {
	x.quotas.mu.Lock()
	defer x.quotas.mu.Unlock()
	if _, running := x.quota.searches[x]; !running {
		return
	}
	x.quotas.update(x.quota, time.Now())
	x.use(n)
}

// end ends a search.
func (x *search) end() {
	s, q := x.quotas, x.quota
	s.mu.Lock()
	defer s.mu.Unlock()
	x.cancel(nil)
	s.update(q, time.Now())
	x.use(0)
	if delete(q.searches, x); len(q.searches) == 0 {
		q.exhausted.Stop()
		delete(s.running, x.caller)
		s.idle.Put(x.caller, q.balance)
	}
}

// use sets the number of threads of a search. The caller holds mu and has updated the quota.
func (x *search) use(threads int) {
	x.quota.threads += threads - x.threads
	x.threads = threads
	x.quotas.setTimer(x.quota)
}

// quota returns the quota of a caller. The caller of quota holds mu.
func (s *searchQuotas) quota(caller string) *searchQuota {
	if q := s.running[caller]; q != nil {
		return q
	}
	b, ok := s.idle.Get(caller)
	if !ok {
		b = balance{left: s.limit, updated: time.Now()}
	}
	q := &searchQuota{balance: b, searches: map[*search]struct{}{}}
	q.exhausted = time.AfterFunc(time.Hour, func() { s.endSearches(q) })
	q.exhausted.Stop()
	return q
}

// update charges the running searches and refills the quota until now. The caller holds mu.
func (s *searchQuotas) update(q *searchQuota, now time.Time) {
	q.left = min(s.limit, q.left-time.Duration(s.netUse(q)*float64(now.Sub(q.updated))))
	q.updated = now
}

// netUse returns the decrease of a quota per unit of time.
func (s *searchQuotas) netUse(q *searchQuota) float64 { return float64(q.threads) - s.refill() }

// refill returns the refill of every quota per unit of time.
func (s *searchQuotas) refill() float64 { return float64(s.limit) / float64(time.Minute) }

// setTimer sets the timer of a quota to the time when it will be exhausted. The caller holds mu.
func (s *searchQuotas) setTimer(q *searchQuota) {
	if s.netUse(q) <= 0 {
		q.exhausted.Stop()
		return
	}
	q.exhausted.Reset(time.Duration(float64(max(q.left, 0))/s.netUse(q)) + time.Millisecond)
}

// endSearches ends all searches of an exhausted quota.
func (s *searchQuotas) endSearches(q *searchQuota) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.update(q, time.Now()); q.left > 0 {
		s.setTimer(q)
		return
	}
	for x := range q.searches {
		x.cancel(s.exceeded(q))
	}
}

// exceeded returns the error for an exhausted quota. Its retry delay ends when a search of one
// second is possible.
func (s *searchQuotas) exceeded(q *searchQuota) error {
	missing := min(time.Second, s.limit) - q.left
	return fault.New(fault.BudgetExceeded,
		"search quota exhausted: at most %v of search per minute is allowed", s.limit).
		With("limit", s.limit).RetryIn(time.Duration(float64(missing) / s.refill()))
}
