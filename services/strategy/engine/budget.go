package engine

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// Budget bounds the memory that the searches of a process use at once. Processors need no bound: searches share them
// like all goroutines do, so that more of them get slower and none is turned away.
type Budget struct {
	memory *semaphore.Weighted
	limit  int

	running, waiting, used atomic.Int64
}

// Use is how much of a budget is used at the moment, in bytes, and by how many searches.
type Use struct {
	Running, Waiting int
	Used, Limit      int
}

// NewBudget returns a budget of so many bytes, and at least what the largest search uses.
func NewBudget(bytes int) *Budget {
	limit := max(bytes, largestTable)
	return &Budget{memory: semaphore.NewWeighted(int64(limit)), limit: limit}
}

// Use returns how much is used now. It may be called from any goroutine.
func (b *Budget) Use() Use {
	return Use{
		Running: int(b.running.Load()), Waiting: int(b.waiting.Load()),
		Used: int(b.used.Load()), Limit: b.limit,
	}
}

// take waits for memory until ctx ends, and returns how much there is and what gives it back. Who comes first is
// served first. After the end of ctx a search only has to name a legal move, for which little will do.
func (b *Budget) take(ctx context.Context, bytes int) (got int, giveBack func()) {
	if b == nil {
		return bytes, func() {}
	}
	b.waiting.Add(1)
	err := b.memory.Acquire(ctx, int64(bytes))
	b.waiting.Add(-1)
	if err != nil {
		return smallestTable, func() {}
	}
	b.running.Add(1)
	b.used.Add(int64(bytes))
	return bytes, func() {
		b.running.Add(-1)
		b.used.Add(int64(-bytes))
		b.memory.Release(int64(bytes))
	}
}
