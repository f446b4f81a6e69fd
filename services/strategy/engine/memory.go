package engine

import (
	"context"
	"slices"
	"sync"
	"time"

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
//
// The tables of ended searches stay for the next move of their games. They take at most a quarter
// of the limit, of memory that no search needs: the oldest are the first to go. [Search.Ponder]
// fills them while the opponent thinks.
type MemoryBudget struct {
	limit int

	mu            sync.Mutex
	used, running int
	// threads is the number of threads of running searches.
	threads int
	waiting []*allocation
	// idle holds the tables of ended searches, the oldest first.
	idle      []*table
	idleBytes int
	// ponderingTime is the longest time of a pondering; 0 allows none.
	ponderingTime time.Duration
	ponderings    sync.WaitGroup
}

// table is the memory of a search.
type table struct {
	bytes int
	// engine has the table: an engineFor the positions of a game. It is nil before the search makes
	// a new one, and stays nil if no later search can continue this one.
	engine any
	// pondering uses the engine of an idle table; nil for none.
	pondering *pondering
}

// allocation is the memory of a search, in bytes. The search waits until ready is closed.
type allocation struct {
	bytes, threads int
	// limit bounds the memory in use together with the allocation.
	limit int
	ready chan struct{}
}

// Usage is a snapshot of a budget: the numbers of running and waiting searches and of ponderings,
// and the memory in bytes. Used is the memory of running searches; it can exceed Limit by an
// eighth. Idle is that of tables that wait for the next move of their games.
type Usage struct {
	Running, Waiting, Pondering int
	Used, Idle, Limit           int
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
	u := Usage{
		Running: b.running, Waiting: len(b.waiting),
		Used: b.used, Idle: b.idleBytes, Limit: b.limit,
	}
	for _, t := range b.idle {
		if t.pondering != nil {
			u.Pondering++
		}
	}
	return u
}

// request describes the memory that a search needs.
type request struct {
	bytes, threads int
	// game is the one whose pondering ends; empty for none.
	game string
	// shrinkable allows a smaller table. urgent allows the last eighth for a shrinkable one.
	shrinkable, urgent bool
	// continues reports whether the search continues an earlier one; nil means that it does not.
	continues func(engine any) bool
}

// acquire returns the table of a search, and a function that releases it. It waits until ctx ends.
// Then it grants the smallest table, uncounted, since the search only has to return a legal move.
func (b *MemoryBudget) acquire(ctx context.Context, r request) (t *table, release func()) {
	if b == nil {
		return &table{bytes: r.bytes}, func() {}
	}
	b.endPondering(r.game)
	if t := b.takeIdle(r); t != nil {
		return t, func() { b.release(t, r.threads) }
	}
	a := b.enqueue(r)
	select {
	case <-a.ready:
	case <-ctx.Done():
		if b.dequeue(a) {
			return &table{bytes: limits.SmallestTable}, func() {}
		}
	}
	t = &table{bytes: a.bytes}
	return t, func() { b.release(t, r.threads) }
}

// takeIdle returns the latest table of the search that this one continues, or nil.
func (b *MemoryBudget) takeIdle(r request) *table {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.indexIdle(r)
	if i < 0 {
		return nil
	}
	t := b.idle[i]
	b.idle = slices.Delete(b.idle, i, i+1)
	b.idleBytes -= t.bytes
	b.start(t.bytes, r.threads)
	return t
}

// indexIdle returns the index of the latest free table that a search continues, or -1. A table of
// less than half the requested size is not worth it. The caller holds the lock.
func (b *MemoryBudget) indexIdle(r request) int {
	if r.continues == nil {
		return -1
	}
	for i, t := range slices.Backward(b.idle) {
		if t.pondering == nil && 2*t.bytes > r.bytes && r.continues(t.engine) {
			return i
		}
	}
	return -1
}

// start counts a running search. The caller holds the lock.
func (b *MemoryBudget) start(bytes, threads int) {
	b.used += bytes
	b.running++
	b.threads += threads
	b.stopAllBut(b.spareProcessors())
}

func (b *MemoryBudget) enqueue(r request) *allocation {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := &allocation{
		bytes: min(r.bytes, b.limit), threads: r.threads, limit: b.limit, ready: make(chan struct{}),
	}
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
		b.start(a.bytes, a.threads)
		close(a.ready)
		return true
	})
	b.evict()
}

// evict drops idle tables that take more than a quarter of the limit or memory in use. The caller
// holds the lock.
func (b *MemoryBudget) evict() {
	for len(b.idle) > 0 && b.idleBytes > min(b.limit/4, b.limit-b.used) {
		if p := b.idle[0].pondering; p != nil {
			p.stop()
		}
		b.idleBytes -= b.idle[0].bytes
		b.idle = slices.Delete(b.idle, 0, 1)
	}
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

// release ends a search. Its table becomes idle if a later search can continue it.
func (b *MemoryBudget) release(t *table, threads int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= t.bytes
	b.running--
	b.threads -= threads
	if t.engine != nil {
		b.idle = append(b.idle, t)
		b.idleBytes += t.bytes
	}
	b.grant()
}
