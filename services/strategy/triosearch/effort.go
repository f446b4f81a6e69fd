package triosearch

import (
	"sync/atomic"

	"github.com/flipside-games/flipside/services/strategy"
)

// effort is what all threads of a search share: its limits and what has been spent.
type effort struct {
	work     *strategy.Work
	maxNodes int64 // 0 for no limit
	// every is how many positions a thread looks at between two looks at the clock.
	every int64
	nodes atomic.Int64
	over  atomic.Bool
}

// movesBetweenLooks is how many moves a thread lists between two looks at the clock: about a millisecond's worth.
const movesBetweenLooks = 20_000

func newEffort(w *strategy.Work, maxNodes int64, movesAtRoot int) *effort {
	return &effort{work: w, maxNodes: maxNodes, every: max(1, min(1024, int64(movesBetweenLooks/movesAtRoot)))}
}

// clock counts the positions of one thread.
type clock struct {
	*effort
	// leads is set in the one thread that looks at the time.
	leads bool
	nodes int64
	// reported are those of nodes that the effort knows of; at next it is time to report again.
	reported, next int64
	stopped        bool
}

// visit counts a position.
func (c *clock) visit() {
	if c.nodes++; c.nodes >= c.next {
		c.report()
	}
}

// report tells the effort how many positions were visited, and learns whether it is over.
func (c *clock) report() {
	total := c.effort.nodes.Add(c.nodes - c.reported)
	c.reported = c.nodes
	if c.maxNodes > 0 && total >= c.maxNodes || c.leads && c.work.TimeUp() {
		c.over.Store(true)
	}
	c.stopped = c.over.Load()
	c.next = c.nodes + c.every
	if c.maxNodes > 0 {
		c.next = min(c.next, c.nodes+max(1, c.maxNodes-total))
	}
}
