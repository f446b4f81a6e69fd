package grpcapi

import (
	"sync"
	"sync/atomic"
)

// held keeps values by their keys, and lets go of all when there are too many. It may be used from many goroutines;
// looking up takes no lock, since a thousand watchers look up the same at once.
type held[K comparable, V any] struct {
	most   int64
	count  atomic.Int64
	values sync.Map
}

func newHeld[K comparable, V any](most int64) *held[K, V] { return &held[K, V]{most: most} }

func (h *held[K, V]) get(key K) (V, bool) {
	found, _ := h.values.Load(key)
	value, ok := found.(V)
	return value, ok
}

func (h *held[K, V]) put(key K, value V) {
	if _, replaced := h.values.Swap(key, value); !replaced && h.count.Add(1) > h.most {
		h.values.Clear()
		h.count.Store(0)
	}
}
