package service

import (
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// limits counts the calls and streams of callers and addresses in this process.
type limits struct {
	settings Settings
	calls    *cache.Quotas // by caller
	players  *cache.Quotas // by address
	previews *cache.Quotas // by address

	mu sync.Mutex
	// streams counts the open streams of each caller who has any.
	streams map[string]int
}

// PreviewRate and PreviewBurst limit the previews for one address, which needs no key.
const (
	PreviewRate  = 5 // per second
	PreviewBurst = 60
)

func newLimits(s Settings, caches *cache.Budget) *limits {
	return &limits{
		settings: s,
		calls:    cache.NewQuotas(caches, "call_quotas", quotasWeight, s.CallRate, 2*s.CallRate),
		players:  cache.NewQuotas(caches, "player_quotas", quotasWeight, s.PlayerRate/60, s.PlayerRate),
		previews: cache.NewQuotas(caches, "preview_quotas", quotasWeight, PreviewRate, PreviewBurst),
		streams:  map[string]int{},
	}
}

// call counts a call, or rejects it if the rate is exceeded.
func (l *limits) call(key string, now time.Time) error {
	if delay := l.calls.Take(key, 1, now); delay > 0 {
		return fault.New(fault.RateLimited, "too many calls: at most %g per second", l.settings.CallRate).
			With("limit", l.settings.CallRate).RetryIn(delay)
	}
	return nil
}

// weigh takes the weight of a call, of which call has taken one unit, or rejects the call if the
// units are not left. No call weighs more than the burst.
func (l *limits) weigh(key string, weight int, now time.Time) error {
	weight = min(weight, l.calls.Burst())
	if weight <= 1 {
		return nil
	}
	if delay := l.calls.Take(key, weight-1, now); delay > 0 {
		return fault.New(fault.RateLimited, "too many calls: at most %g per second, and this one counts as %d",
			l.settings.CallRate, weight).With("limit", l.settings.CallRate).With("weight", weight).RetryIn(delay)
	}
	return nil
}

// createPlayer counts a new player from an address, or rejects it if the rate is exceeded.
func (l *limits) createPlayer(address string, now time.Time) error {
	if delay := l.players.Take(address, 1, now); delay > 0 {
		return fault.New(fault.RateLimited,
			"too many new players from your address: at most %g per minute", l.settings.PlayerRate).
			With("limit", l.settings.PlayerRate).RetryIn(delay)
	}
	return nil
}

// preview counts a preview for an address, or rejects it if the rate is exceeded.
func (l *limits) preview(address string, now time.Time) error {
	if delay := l.previews.Take(address, 1, now); delay > 0 {
		return fault.New(fault.RateLimited,
			"too many previews for your address: at most %d per second", PreviewRate).
			With("limit", PreviewRate).RetryIn(delay)
	}
	return nil
}

// openStream counts an open stream until closed is called, or rejects it if too many are open.
func (l *limits) openStream(key string) (closed func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams[key] >= l.settings.MaxStreams {
		return nil, fault.New(fault.TooManyStreams,
			"too many open streams: at most %d", l.settings.MaxStreams).
			With("limit", l.settings.MaxStreams).RetryIn(time.Second)
	}
	l.streams[key]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.streams[key]--; l.streams[key] == 0 {
			delete(l.streams, key)
		}
	}, nil
}
