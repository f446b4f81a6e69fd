package strategy

import (
	"context"
	"time"

	"github.com/flipside-games/flipside/services/internal/fault"
)

// Work is the effort that goes into one answer: it counts positions and knows when the time is up. It is for one
// goroutine.
type Work struct {
	ctx   context.Context
	start time.Time
	nodes int64
}

// NewWork starts work that is to stop when ctx ends.
func NewWork(ctx context.Context) *Work { return &Work{ctx: ctx, start: time.Now()} }

// Context returns what ends the work, for a search that watches it by itself.
func (w *Work) Context() context.Context { return w.ctx }

// Visit counts one more position and reports whether there is still time.
func (w *Work) Visit() bool {
	w.nodes++
	return w.ctx.Err() == nil
}

// Count adds positions that were visited without Visit, such as those of a search on several threads.
func (w *Work) Count(positions int64) { w.nodes += positions }

// TimeUp reports whether the work is to stop. Unlike Visit it looks at the clock as well: a context hears of its own
// deadline only when a timer gets to run, which on busy processors may be late.
func (w *Work) TimeUp() bool {
	if w.ctx.Err() != nil {
		return true
	}
	deadline, limited := w.ctx.Deadline()
	return limited && !time.Now().Before(deadline)
}

// Spent returns the positions visited and the time taken so far.
func (w *Work) Spent() (nodes int64, took time.Duration) { return w.nodes, time.Since(w.start) }

// Limit leaves the work no more time than d, until lift is called.
func (w *Work) Limit(d time.Duration) (lift func()) {
	outer := w.ctx
	inner, cancel := context.WithTimeout(outer, d)
	w.ctx = inner
	return func() {
		cancel()
		w.ctx = outer
	}
}

// Unfinished is the error of a strategy that has no answer before it has looked at everything.
func Unfinished() error {
	return fault.New(fault.BudgetExceeded, "the time was up before the strategy had looked at everything it must")
}
