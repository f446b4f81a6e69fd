package search

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// pollEvery is how many positions a search looks at between two looks at the clock: less than a millisecond's worth,
// and a power of two.
const pollEvery = 1024

// effort is what all goroutines of a request share: its limits and what has been spent.
type effort struct {
	ctx      context.Context
	start    time.Time
	deadline time.Time // zero for none
	maxNodes int64     // zero for none
	nodes    atomic.Int64
	over     atomic.Bool
	// cut tells that a branch was cut on the word of a shallower search.
	cut atomic.Bool
}

// clock counts one goroutine's positions and stops it when the effort is spent.
type clock struct {
	*effort
	nodes int64
	// reported are those of nodes that the effort knows of.
	reported int64
	// patient keeps the search going whatever the time, so that there is an answer.
	patient bool
	stopped bool
}

// visit counts a position.
func (c *clock) visit() {
	if c.nodes++; c.nodes-c.reported >= pollEvery {
		c.poll()
	}
}

func (c *clock) poll() {
	total := c.report()
	if c.patient {
		return
	}
	if c.maxNodes > 0 && total >= c.maxNodes || c.late() {
		c.over.Store(true)
	}
	c.stopped = c.over.Load()
}

// noteCut tells all goroutines of a branch that was cut. It writes once, since they would wait for each other's writes.
func (e *effort) noteCut() {
	if !e.cut.Load() {
		e.cut.Store(true)
	}
}

// report adds this goroutine's positions to those of all, and returns their number.
func (c *clock) report() int64 {
	total := c.effort.nodes.Add(c.nodes - c.reported)
	c.reported = c.nodes
	return total
}

// late looks at the time as well as at the context, which hears of its own deadline only when a timer gets to run.
func (e *effort) late() bool {
	return e.ctx.Err() != nil || !e.deadline.IsZero() && !time.Now().Before(e.deadline)
}

// left is how many positions one goroutine can still look at, if it goes on as it did with the first so many.
func (e *effort) left(nodes int64) float64 {
	left := math.Inf(1)
	if e.maxNodes > 0 {
		left = float64(e.maxNodes - e.nodes.Load())
	}
	if !e.deadline.IsZero() {
		spent := max(time.Since(e.start), time.Millisecond)
		left = min(left, float64(nodes)*float64(time.Until(e.deadline))/float64(spent))
	}
	return left
}
