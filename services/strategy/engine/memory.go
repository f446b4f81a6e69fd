package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/limits"
)

// MemoryBudget bounds the memory that the tables of all searches of a process use at the same time.
// It is safe for concurrent use. Processors have no budget: concurrent searches share them, so that
// each gets slower.
//
// If memory is scarce, a search gets a smaller table, so that it starts at once: at most half of
// the free memory, and the smallest table while other searches wait. A search waits in two cases:
// if the smallest table does not fit, and if the search is deterministic, since its answer depends
// on the size of its table. When memory becomes free, it goes to the first waiting search whose
// table fits. Another eighth of the limit is for the small tables of urgent searches, so that a few
// long searches do not make robots wait.
type MemoryBudget struct {
	limit int

	mu            sync.Mutex
	used, running int
	waiting       []*allocation
}

// allocation is the memory of a search, in bytes. The search waits until ready is closed.
type allocation struct {
	bytes int
	// limit bounds the memory in use together with the allocation.
	limit int
	ready chan struct{}
}

// Usage is a snapshot of a budget: the numbers of running and waiting searches, and the memory in
// bytes. Used can exceed Limit by an eighth.
type Usage struct {
	Running, Waiting int
	Used, Limit      int
}

// NewMemoryBudget returns a budget of a number of bytes, at least enough for the smallest table. No
// table is larger than the budget.
func NewMemoryBudget(bytes int) *MemoryBudget {
	return &MemoryBudget{limit: max(bytes, limits.SmallestTable)}
}

// Usage returns the current usage.
func (b *MemoryBudget) Usage() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Usage{Running: b.running, Waiting: len(b.waiting), Used: b.used, Limit: b.limit}
}

// request describes the memory that a search needs.
type request struct {
	bytes int
	// shrinkable allows a smaller table. urgent allows the last eighth for a shrinkable one.
	shrinkable, urgent bool
}

// acquire returns the size of the table that a search gets, and a function that releases it. It
// waits until ctx ends. Then it grants the smallest table, uncounted, since the search only has to
// return a legal move.
func (b *MemoryBudget) acquire(ctx context.Context, r request) (bytes int, release func()) {
	if b == nil {
		return r.bytes, func() {}
	}
	a := b.enqueue(r)
	select {
	case <-a.ready:
	case <-ctx.Done():
		if b.dequeue(a) {
			return limits.SmallestTable, func() {}
		}
	}
	return a.bytes, func() { b.release(a.bytes) }
}

func (b *MemoryBudget) enqueue(r request) *allocation {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := &allocation{bytes: min(r.bytes, b.limit), limit: b.limit, ready: make(chan struct{})}
	if r.shrinkable {
		free := (b.limit - b.used) / 2
		if len(b.waiting) > 0 {
			free = 0
		}
		a.bytes = max(limits.SmallestTable, min(a.bytes, free))
		if r.urgent {
			a.limit += b.limit / 8
		}
	}
	b.waiting = append(b.waiting, a)
	b.grant()
	return a
}

// grant starts the waiting searches whose memory is free. The caller holds the lock.
func (b *MemoryBudget) grant() {
	b.waiting = slices.DeleteFunc(b.waiting, func(a *allocation) bool {
		if a.bytes > a.limit-b.used {
			return false
		}
		b.used += a.bytes
		b.running++
		close(a.ready)
		return true
	})
}

// dequeue removes a waiting search and reports whether it was still waiting.
func (b *MemoryBudget) dequeue(a *allocation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.waiting, a)
	if i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
	return i >= 0
}

func (b *MemoryBudget) release(bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= bytes
	b.running--
	b.grant()
}
