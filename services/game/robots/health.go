package robots

import (
	"log/slog"
	"sync"
	"time"
)

const (
	// toleratedFailures is the number of failed turns in a row that suspends a provider.
	toleratedFailures = 3
	// firstSuspension is the duration of the first suspension. It doubles with each further one, up
	// to longestSuspension.
	firstSuspension   = 30 * time.Second
	longestSuspension = 5 * time.Minute
)

// health records failed turns by strategy provider. It suspends a provider whose last turns all
// failed, so that games do not wait for it: the server plays simple moves in its place. After the
// suspension one turn tries the provider again with a single attempt. Success ends the suspension;
// failure starts a longer one.
type health struct {
	log *slog.Logger

	mu        sync.Mutex
	providers map[string]*providerHealth
}

// providerHealth is zero for a provider whose last turn succeeded.
type providerHealth struct {
	failures   int // failed turns in a row
	suspension time.Duration
	retry      time.Time // end of the suspension; zero for none
}

func newHealth(log *slog.Logger) *health {
	return &health{log: log, providers: map[string]*providerHealth{}}
}

// attempts returns the number of attempts that a turn may make: none while the provider is
// suspended, and at most limit. Turns that start while another one tries the provider again make
// none.
func (h *health) attempts(provider string, limit int, now time.Time) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.providers[provider]
	switch {
	case p == nil || p.retry.IsZero():
		return limit
	case now.Before(p.retry):
		return 0
	}
	p.retry = now.Add(p.suspension)
	return 1
}

// succeed records a turn with a usable answer.
func (h *health) succeed(provider string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.providers[provider]
	delete(h.providers, provider)
	if p != nil && !p.retry.IsZero() {
		h.log.Info("strategy provider works again", "provider", provider)
	}
}

// fail records a failed turn.
func (h *health) fail(provider string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.providers[provider]
	if p == nil {
		p = &providerHealth{}
		h.providers[provider] = p
	}
	if p.failures++; p.failures < toleratedFailures {
		return
	}
	p.suspension = min(max(firstSuspension, 2*p.suspension), longestSuspension)
	p.retry = now.Add(p.suspension)
	h.log.Warn("strategy provider suspended: the server plays simple moves for its robots",
		"provider", provider, "failedTurns", p.failures, "retry", p.retry)
}

// suspended returns the number of suspended providers.
func (h *health) suspended() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, p := range h.providers {
		if !p.retry.IsZero() {
			n++
		}
	}
	return n
}
