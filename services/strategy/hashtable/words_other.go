//go:build !amd64

package hashtable

func prefetch(*Bucket) {}

func storeWords(s *Slot, mixed, data uint64) {
	s.mixed.Store(mixed)
	s.data.Store(data)
}
