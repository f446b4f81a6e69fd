package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/flipside-games/flipside/services/strategy/limits"
)

// Budget bounds the memory that the searches of a process use at once. Processors need no bound: searches share them
// like all goroutines do, so that more of them get slower and none is turned away.
//
// Where memory is scarce a search gets along with a smaller table, so that it begins at once: half of what is free at
// most, so that something is left for the next, and the smallest while others wait. A search whose answer must not depend
// on the others, since nothing limits it but depth or nodes, gets the table that its limits ask for, and waits for it; so
// does everybody where not even the smallest table is free. Of those that wait, the first that what is free suffices for
// comes first. An eighth more than the limit is for small tables of searches that are pressed for time, so that a few long
// ones keep no robot waiting.
type Budget struct {
	limit int

	mu            sync.Mutex
	used, running int
	waiting       []*waiter
}

// waiter is a search that waits for so many bytes, until they are its own: until all that is used then is within room.
type waiter struct {
	bytes, room int
	ready       chan struct{}
}

// Use is how much of a budget is used at the moment, in bytes, and by how many searches.
type Use struct {
	Running, Waiting int
	Used, Limit      int
}

// NewBudget returns a budget of so many bytes, and at least what the largest search uses.
func NewBudget(bytes int) *Budget { return &Budget{limit: max(bytes, limits.LargestTable)} }

// Use returns how much is used now. It may be called from any goroutine.
func (b *Budget) Use() Use {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Use{Running: b.running, Waiting: len(b.waiting), Used: b.used, Limit: b.limit}
}

// take returns how much memory there is for a search that can make use of so much, and what gives it back. Only one
// that can do with less may get less. It waits until ctx ends; after that a search only has to name a legal move, for
// which little will do.
func (b *Budget) take(ctx context.Context, bytes int, lessWillDo, pressed bool) (got int, giveBack func()) {
	if b == nil {
		return bytes, func() {}
	}
	w := b.ask(bytes, lessWillDo, pressed)
	select {
	case <-w.ready:
	case <-ctx.Done():
		if b.giveUp(w) {
			return limits.SmallestTable, func() {}
		}
	}
	return w.bytes, func() { b.release(w.bytes) }
}

func (b *Budget) ask(bytes int, lessWillDo, pressed bool) *waiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if lessWillDo {
		spare := (b.limit - b.used) / 2
		if len(b.waiting) > 0 {
			spare = 0
		}
		bytes = max(limits.SmallestTable, min(bytes, spare))
	}
	w := &waiter{bytes: bytes, room: b.limit, ready: make(chan struct{})}
	if lessWillDo && pressed {
		w.room += b.limit / 8
	}
	b.waiting = append(b.waiting, w)
	b.serve()
	return w
}

// serve gives what is free to those that wait. The lock is held.
func (b *Budget) serve() {
	b.waiting = slices.DeleteFunc(b.waiting, func(w *waiter) bool {
		if w.bytes > w.room-b.used {
			return false
		}
		b.used += w.bytes
		b.running++
		close(w.ready)
		return true
	})
}

// giveUp reports whether a search was still waiting, and has it wait no longer.
func (b *Budget) giveUp(w *waiter) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.waiting, w)
	if i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
	return i >= 0
}

func (b *Budget) release(bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= bytes
	b.running--
	b.serve()
}
