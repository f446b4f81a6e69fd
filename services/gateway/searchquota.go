package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// searchQuotas limits the total running time of the searches of each caller. Concurrent searches
// add up. A quota refills evenly and holds at most the limit of one minute. When it is exhausted,
// all searches of its caller end.
type searchQuotas struct {
	limit time.Duration // per minute

	mu     sync.Mutex
	quotas map[string]*searchQuota // by caller
	swept  time.Time
}

// searchQuota is the quota of one caller.
type searchQuota struct {
	// left is the remaining time at the time updated.
	left    time.Duration
	updated time.Time
	running map[*context.CancelCauseFunc]bool
	// exhausted fires when nothing is left.
	exhausted *time.Timer
}

func newSearchQuotas(limit time.Duration) *searchQuotas {
	return &searchQuotas{limit: limit, quotas: map[string]*searchQuota{}}
}

// startSearch charges a search to its caller. It returns the context of the search, which ends with
// the cause BUDGET_EXCEEDED when the quota is exhausted. Call done once, at the end of the search.
// It fails with BUDGET_EXCEEDED if nothing is left.
func (s *searchQuotas) startSearch(
	ctx context.Context, caller string,
) (searchCtx context.Context, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.quota(caller)
	if q.left <= 0 {
		return nil, nil, s.exceeded(q)
	}
	searchCtx, cancel := context.WithCancelCause(ctx)
	q.running[&cancel] = true
	s.setTimer(q)
	return searchCtx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		cancel(nil)
		s.update(q, time.Now())
		delete(q.running, &cancel)
		s.setTimer(q)
	}, nil
}

// quota returns the current quota of a caller. Once a minute it deletes the full quotas of others.
// The caller of quota holds mu.
func (s *searchQuotas) quota(caller string) *searchQuota {
	now := time.Now()
	if now.Sub(s.swept) > time.Minute {
		for name, q := range s.quotas {
			if s.update(q, now); len(q.running) == 0 && q.left == s.limit {
				delete(s.quotas, name)
			}
		}
		s.swept = now
	}
	q := s.quotas[caller]
	if q == nil {
		q = &searchQuota{left: s.limit, updated: now, running: map[*context.CancelCauseFunc]bool{}}
		q.exhausted = time.AfterFunc(time.Hour, func() { s.endSearches(q) })
		q.exhausted.Stop()
		s.quotas[caller] = q
	}
	s.update(q, now)
	return q
}

// update charges the running searches and refills the quota until now. The caller holds mu.
func (s *searchQuotas) update(q *searchQuota, now time.Time) {
	q.left = min(s.limit, q.left-time.Duration(s.netUse(q)*float64(now.Sub(q.updated))))
	q.updated = now
}

// netUse returns the decrease of a quota per unit of time.
func (s *searchQuotas) netUse(q *searchQuota) float64 { return float64(len(q.running)) - s.refill() }

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
	for cancel := range q.running {
		(*cancel)(s.exceeded(q))
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
