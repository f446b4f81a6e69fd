package engine

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Budget bounds the memory that the searches of a process use at once. Processors need no bound: searches share them
// like all goroutines do, so that more of them get slower and none is turned away.
type Budget struct{ memory *semaphore.Weighted }

// NewBudget returns a budget of so many bytes, and at least what the largest search uses.
func NewBudget(bytes int) *Budget {
	return &Budget{semaphore.NewWeighted(int64(max(bytes, largestTable)))}
}

// take waits for memory until ctx ends, and returns how much there is and what gives it back. Who comes first is
// served first. After the end of ctx a search only has to name a legal move, for which little will do.
func (b *Budget) take(ctx context.Context, bytes int) (got int, giveBack func()) {
	if b == nil {
		return bytes, func() {}
	}
	if b.memory.Acquire(ctx, int64(bytes)) != nil {
		return smallestTable, func() {}
	}
	return bytes, func() { b.memory.Release(int64(bytes)) }
}
