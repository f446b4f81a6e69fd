package service

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// limits counts the calls and streams of each caller in this process.
type limits struct {
	settings Settings

	mu     sync.Mutex
	usages map[string]*usage
	swept  time.Time
}

// usage is the current usage of one quota key.
type usage struct {
	calls   *rate.Limiter
	streams int
	last    time.Time
}

// usageTTL is the time after which an idle usage is deleted. An exhausted quota refills faster.
const usageTTL = time.Minute

func newLimits(s Settings) *limits { return &limits{settings: s, usages: map[string]*usage{}} }

// usage returns the usage of a quota key with a rate and a burst of calls. The caller holds mu.
func (l *limits) usage(key string, perSecond, burst float64, now time.Time) *usage {
	if now.Sub(l.swept) > usageTTL {
		for k, u := range l.usages {
			if u.streams == 0 && now.Sub(u.last) > usageTTL {
				delete(l.usages, k)
			}
		}
		l.swept = now
	}
	u := l.usages[key]
	if u == nil {
		u = &usage{calls: rate.NewLimiter(rate.Limit(perSecond), max(1, int(burst)))}
		l.usages[key] = u
	}
	u.last = now
	return u
}

// call counts a call, or rejects it if the rate is exceeded.
func (l *limits) call(key string, now time.Time) error {
	rate := l.settings.CallRate
	if delay := l.take(key, rate, 2*rate, now); delay > 0 {
		return fault.New(fault.RateLimited, "too many calls: at most %g per second", rate).
			With("limit", rate).RetryIn(delay)
	}
	return nil
}

// createPlayer counts a new player from an address, or rejects it if the rate is exceeded.
func (l *limits) createPlayer(address string, now time.Time) error {
	rate := l.settings.PlayerRate
	if delay := l.take("address/"+address, rate/60, rate, now); delay > 0 {
		return fault.New(fault.RateLimited,
			"too many new players from your address: at most %g per minute", rate).
			With("limit", rate).RetryIn(delay)
	}
	return nil
}

// previewRate and previewBurst limit the previews for one address, which needs no key.
const (
	previewRate  = 5.0 // per second
	previewBurst = 60
)

// preview counts a preview for an address, or rejects it if the rate is exceeded.
func (l *limits) preview(address string, now time.Time) error {
	if delay := l.take("preview/"+address, previewRate, previewBurst, now); delay > 0 {
		return fault.New(fault.RateLimited,
			"too many previews for your address: at most %g per second", previewRate).
			With("limit", previewRate).RetryIn(delay)
	}
	return nil
}

// take takes one call from a quota and returns 0. If the rate is exceeded it returns the delay
// after which to retry.
func (l *limits) take(key string, perSecond, burst float64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.usage(key, perSecond, burst, now).calls.ReserveN(now, 1)
	delay := r.DelayFrom(now)
	if r.OK() && delay == 0 {
		return 0
	}
	r.CancelAt(now)
	return max(delay, time.Millisecond)
}

// openStream counts an open stream until closed is called, or rejects it if too many are open.
func (l *limits) openStream(key string, now time.Time) (closed func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.usage(key, l.settings.CallRate, 2*l.settings.CallRate, now)
	if u.streams >= l.settings.MaxStreams {
		return nil, fault.New(fault.TooManyStreams,
			"too many open streams: at most %d", l.settings.MaxStreams).
			With("limit", l.settings.MaxStreams).RetryIn(time.Second)
	}
	u.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		u.streams--
	}, nil
}
