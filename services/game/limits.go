package game

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

func newLimits(callRate float64, maxStreams int) *limits {
	return &limits{callRate: callRate, maxStreams: maxStreams, users: map[string]*usage{}}
}

// of returns the usage of a caller. The lock is held.
func (l *limits) of(caller string, now time.Time) *usage {
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
		u = &usage{calls: rate.NewLimiter(rate.Limit(l.callRate), max(1, int(2*l.callRate)))}
		l.users[caller] = u
	}
	u.last = now
	return u
}

// call refuses a call too many.
func (l *limits) call(caller string, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.of(caller, now).calls.ReserveN(now, 1); !r.OK() || r.DelayFrom(now) > 0 {
		delay := r.DelayFrom(now)
		r.CancelAt(now)
		return fault.New(fault.RateLimited, "too many calls: at most %g a second", l.callRate).
			With("limit", l.callRate).After(max(delay, time.Millisecond))
	}
	return nil
}

// openStream refuses a stream too many. The caller of an open one calls done when it closes.
func (l *limits) openStream(caller string, now time.Time) (done func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.of(caller, now)
	if u.streams >= l.maxStreams {
		return nil, fault.New(fault.TooManyStreams, "too many open streams: at most %d", l.maxStreams).
			With("limit", l.maxStreams).After(time.Second)
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

// allowance is what a caller's limits are counted under. A product that reads for nobody in particular is counted by its name.
func (c Caller) allowance() string {
	if c.Player.ID == "" {
		return "service/" + c.Service
	}
	return c.Player.ID
}
