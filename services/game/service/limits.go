package service

import (
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/internal/cache"
	"github.com/flipside-games/flipside/services/internal/callquota"
	"github.com/flipside-games/flipside/services/internal/fault"
)

// limits counts the calls and streams of callers and addresses in this process.
type limits struct {
	settings Settings
	calls    *callquota.Quotas
	players  *cache.Quotas // by address
	previews *cache.Quotas // by address

	mu sync.Mutex
	// callerStreams and addressStreams count the open streams of each caller and of each address
	// that has any.
	callerStreams, addressStreams map[string]int
}

// PreviewRate and PreviewBurst limit the previews for one address, which needs no key.
const (
	PreviewRate  = 5 // per second
	PreviewBurst = 60
)

func newLimits(s Settings, caches *cache.Budget) *limits {
	return &limits{
		settings: s,
		calls:    callquota.New(caches, "call", quotasWeight, s.CallRates),
		players:  cache.NewQuotas(caches, "player_quotas", quotasWeight, s.PlayerRate/60, s.PlayerRate),
		previews: cache.NewQuotas(caches, "preview_quotas", quotasWeight, PreviewRate, PreviewBurst),

		callerStreams: map[string]int{}, addressStreams: map[string]int{},
	}
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

// openStream counts an open stream until closed is called, or rejects it if the caller or the
// address has too many.
func (l *limits) openStream(from callquota.Source) (closed func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if limit := l.settings.MaxStreams; l.callerStreams[from.Caller] >= limit {
		return nil, tooManyStreams("too many open streams", limit)
	}
	if limit := l.settings.MaxAddressStreams; l.addressStreams[from.Address] >= limit {
		return nil, tooManyStreams("too many open streams from your address, over all keys", limit)
	}
	l.callerStreams[from.Caller]++
	if from.Address != "" {
		l.addressStreams[from.Address]++
	}
	return func() { l.closeStream(from) }, nil
}

func tooManyStreams(problem string, limit int) error {
	return fault.New(fault.TooManyStreams, "%s: at most %d", problem, limit).
		With("limit", limit).RetryIn(time.Second)
}

func (l *limits) closeStream(from callquota.Source) {
	l.mu.Lock()
	defer l.mu.Unlock()
	decrease(l.callerStreams, from.Caller)
	if from.Address != "" {
		decrease(l.addressStreams, from.Address)
	}
}

// decrease decreases a count and deletes it at 0.
func decrease(counts map[string]int, key string) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}
