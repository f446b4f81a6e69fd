package sqlstore

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/flipside-games/flipside/services/game"
)

// health records whether the database is available: a failed call starts a failure and the next
// heartbeat that succeeds ends it. It logs the start and the end.
type health struct {
	log    *slog.Logger
	mu     sync.Mutex
	err    error
	closed bool
}

// close stops the log, since calls after the end of the store fail too. It returns false if it was
// called before.
func (h *health) close() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := !h.closed
	h.closed = true
	return first
}

// failing returns the first error of the failure, nil while the database is available.
func (h *health) failing() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// fail records an error if it means that the database is unavailable.
func (h *health) fail(err error) {
	if !errors.Is(err, game.ErrUnavailable) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil && !h.closed {
		h.log.Error("the store is unavailable", "error", err)
		h.err = err
	}
}

func (h *health) succeed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil && !h.closed {
		h.log.Info("the store is available again")
	}
	h.err = nil
}

// monitored is a database whose failures are recorded.
type monitored struct {
	database
	health *health
}

func (m monitored) read(ctx context.Context, do func(reader) error) error {
	err := m.database.read(ctx, do)
	if err != nil {
		m.health.fail(err)
	}
	return err
}

func (m monitored) transact(jobs []*job) (failed int, err error) {
	if failed, err = m.database.transact(jobs); err != nil {
		m.health.fail(err)
	}
	return failed, err
}
