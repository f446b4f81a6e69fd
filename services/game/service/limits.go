package service

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// limits bounds what one caller may take of this process.
type limits struct {
	callRate   float64
	maxStreams int
	playerRate float64

	mu    sync.Mutex
	users map[string]*usage
	swept time.Time
}

// usage is what one caller takes at the moment.
type usage struct {
	calls   *rate.Limiter
	streams int
	last    time.Time
}

// forgetAfter is how long a caller is remembered who does nothing: longer than a spent allowance takes to refill.
const forgetAfter = time.Minute

func newLimits(s Settings) *limits {
	return &limits{callRate: s.CallRate, maxStreams: s.MaxStreams, playerRate: s.PlayerRate, users: map[string]*usage{}}
}

// of returns the usage of a caller, who may make calls at a rate after a burst. The lock is held.
func (l *limits) of(caller string, perSecond, burst float64, now time.Time) *usage {
	if now.Sub(l.swept) > forgetAfter {
		for id, u := range l.users {
			if u.streams == 0 && now.Sub(u.last) > forgetAfter {
				delete(l.users, id)
			}
		}
		l.swept = now
	}
	u := l.users[caller]
	if u == nil {
		u = &usage{calls: rate.NewLimiter(rate.Limit(perSecond), max(1, int(burst)))}
		l.users[caller] = u
	}
	u.last = now
	return u
}

// call refuses a call too many.
func (l *limits) call(caller string, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delay := l.of(caller, l.callRate, 2*l.callRate, now).take(now); delay > 0 {
		return fault.New(fault.RateLimited, "too many calls: at most %g a second", l.callRate).
			With("limit", l.callRate).RetryIn(delay)
	}
	return nil
}

// createPlayer refuses a player too many from an address.
func (l *limits) createPlayer(address string, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delay := l.of("address/"+address, l.playerRate/60, l.playerRate, now).take(now); delay > 0 {
		return fault.New(fault.RateLimited, "too many new players from your address: at most %g a minute", l.playerRate).
			With("limit", l.playerRate).RetryIn(delay)
	}
	return nil
}

// take counts a call, unless it is one too many: then it returns how long to wait.
func (u *usage) take(now time.Time) time.Duration {
	r := u.calls.ReserveN(now, 1)
	delay := r.DelayFrom(now)
	if r.OK() && delay == 0 {
		return 0
	}
	r.CancelAt(now)
	return max(delay, time.Millisecond)
}

// openStream refuses a stream too many. The caller of an open one calls done when it closes.
func (l *limits) openStream(caller string, now time.Time) (done func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.of(caller, l.callRate, 2*l.callRate, now)
	if u.streams >= l.maxStreams {
		return nil, fault.New(fault.TooManyStreams, "too many open streams: at most %d", l.maxStreams).
			With("limit", l.maxStreams).RetryIn(time.Second)
	}
	u.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		u.streams--
	}, nil
}

// Admit counts a call of a caller, and refuses one too many.
func (s *Service) Admit(caller Caller) error { return s.limits.call(caller.allowance(), s.now()) }

// AdmitNewcomer counts a player to be created from an address, and refuses one too many: there is no key to count by.
func (s *Service) AdmitNewcomer(address string) error { return s.limits.createPlayer(address, s.now()) }

// allowance is what a caller's limits are counted under. A product that reads for nobody in particular is counted by its name.
func (c Caller) allowance() string {
	if c.Player.ID == "" {
		return "service/" + c.Service
	}
	return c.Player.ID
}
