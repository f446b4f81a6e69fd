package hashtable

// prefetch starts to load the bucket into all levels of the cache.
//
//go:noescape
func prefetch(b *Bucket)

// storeWords sets the two words of a slot. Plain stores are atomic on amd64. The stores of
// sync/atomic also wait until all other processors see them, which no reader of a slot needs.
//
//go:noescape
func storeWords(s *Slot, mixed, data uint64)
