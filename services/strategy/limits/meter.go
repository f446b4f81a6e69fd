package limits

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Meter measures the nodes and the time of one search and reports when a limit is reached. All
// threads of the search share it.
type Meter struct {
	ctx      context.Context
	outer    *Meter
	start    time.Time
	deadline time.Time // zero for none
	share    time.Time // when searches within the meter end; zero for the deadline
	maxNodes int64     // zero for none
	nodes    atomic.Int64
	stopped  atomic.Bool
}

// NewMeter starts a meter that has no limit but ctx.
func NewMeter(ctx context.Context) *Meter {
	m := &Meter{ctx: ctx, start: time.Now()}
	m.deadline, _ = ctx.Deadline()
	return m
}

// Within starts a meter for a search with its own limits, within the time limit of m. The depth
// is left to the search. The nodes count for m too.
func (m *Meter) Within(l Limits) *Meter {
	inner := &Meter{ctx: m.ctx, outer: m, start: time.Now(), deadline: m.end(), maxNodes: l.Nodes}
	if end := inner.start.Add(l.Time); l.Time > 0 && (inner.deadline.IsZero() || end.Before(inner.deadline)) {
		inner.deadline = end
	}
	return inner
}

// Part starts a meter for one of the equal parts of the work that is left. It has the deadline of
// m, but a search within it ends after its part of the time. One more part is kept as a reserve,
// since searches end a little late. The nodes count for m too.
func (m *Meter) Part(parts int) *Meter {
	inner := &Meter{ctx: m.ctx, outer: m, start: time.Now(), deadline: m.deadline}
	if end := m.end(); !end.IsZero() {
		inner.share = inner.start.Add(time.Until(end) / time.Duration(parts+1))
	}
	return inner
}

// end returns when a search within m must end, the zero time for no limit.
func (m *Meter) end() time.Time {
	if m.share.IsZero() {
		return m.deadline
	}
	return m.share
}

// Context returns the context that bounds the search. It does not end at the time limit of the
// meter.
func (m *Meter) Context() context.Context { return m.ctx }

// TimeLeft returns the time until the deadline, at least a nanosecond; 0 if there is no deadline.
func (m *Meter) TimeLeft() time.Duration {
	if m.deadline.IsZero() {
		return 0
	}
	return max(1, time.Until(m.deadline))
}

// TimeUp reports whether the context has ended or the deadline has passed. It compares the deadline
// with the clock because the context reports its own deadline only when a timer runs, which can be
// late on busy processors.
func (m *Meter) TimeUp() bool {
	return m.ctx.Err() != nil || !m.deadline.IsZero() && !time.Now().Before(m.deadline)
}

// Visit counts one node and reports whether there is time left. It suits callers that spend much
// time on each node; the others use a Counter.
func (m *Meter) Visit() bool {
	m.Add(1)
	return !m.TimeUp()
}

// Add counts nodes and returns the number of all nodes so far.
func (m *Meter) Add(nodes int64) int64 {
	if m.outer != nil {
		m.outer.Add(nodes)
	}
	return m.nodes.Add(nodes)
}

// Stop ends the search: it stops every counter of the meter at its next check.
func (m *Meter) Stop() { m.stopped.Store(true) }

// StartHelpers calls run for each thread from 1 to threads-1, each on a goroutine of its own. The
// returned function stops the search and waits until all calls have returned.
func (m *Meter) StartHelpers(threads int, run func(thread int)) (stop func()) {
	var helpers sync.WaitGroup
	for i := 1; i < threads; i++ {
		helpers.Go(func() { run(i) })
	}
	return func() {
		m.Stop()
		helpers.Wait()
	}
}

// Spent returns the nodes counted and the time passed so far.
func (m *Meter) Spent() (nodes int64, took time.Duration) {
	return m.nodes.Load(), time.Since(m.start)
}

// Counter counts the nodes of one thread. It adds them to the meter and checks the limits once per
// Interval, since both cost more than a node. Each counter belongs to one goroutine.
type Counter struct {
	*Meter
	// Nodes is the number of nodes that the thread has visited.
	Nodes int64
	// Interval is the number of nodes between two checks. At 1024, the usual interval, a check
	// costs less than a percent and the time between two checks is less than a millisecond.
	Interval int64
	// ExactNodes makes a search on one thread stop at exactly the node limit, and not up to an
	// Interval later.
	ExactNodes bool
	// MustFinish lets the thread ignore all limits, for the iteration that gives the first answer.
	MustFinish bool

	reported int64 // the part of Nodes that the meter has
	next     int64 // the value of Nodes at the next check
	stopped  bool
}

// Interval is the usual number of nodes between two checks of the limits.
const Interval = 1024

// Visit counts a node and reports whether the search may go on.
func (c *Counter) Visit() bool {
	if c.Nodes++; c.Nodes >= c.next {
		c.Check()
	}
	return !c.stopped
}

// Due reports whether the next check is due, for threads that count in Nodes and not with Visit.
func (c *Counter) Due() bool { return c.Nodes >= c.next }

// Check reports the nodes to the meter and stops the thread if a limit is reached or the meter is
// stopped.
func (c *Counter) Check() {
	total := c.Report()
	if c.MustFinish {
		return
	}
	if c.maxNodes > 0 && total >= c.maxNodes || c.TimeUp() {
		c.Stop()
	}
	c.stopped = c.Meter.stopped.Load()
}

// Report adds the nodes of this thread to the meter and returns the nodes of all threads.
func (c *Counter) Report() int64 {
	total := c.Add(c.Nodes - c.reported)
	c.reported = c.Nodes
	c.next = c.Nodes + c.Interval
	if c.ExactNodes && c.maxNodes > 0 {
		c.next = min(c.next, c.Nodes+max(1, c.maxNodes-total))
	}
	return total
}

// Stopped reports whether the last check has stopped the thread. From then on its results are not
// valid.
func (c *Counter) Stopped() bool { return c.stopped }

// Remaining estimates how many nodes the thread can still visit within the limits at its speed so
// far.
func (c *Counter) Remaining() float64 {
	left := math.Inf(1)
	if c.maxNodes > 0 {
		left = float64(c.maxNodes - c.nodes.Load())
	}
	if !c.deadline.IsZero() {
		spent := max(time.Since(c.start), time.Millisecond)
		left = min(left, float64(c.Nodes)*float64(time.Until(c.deadline))/float64(spent))
	}
	return left
}
