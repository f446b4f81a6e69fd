// Package hugepages allocates tables that a search reads at random places. On pages of 4 KiB most
// of these reads also miss the processor's cache of page addresses; on huge pages they do not.
package hugepages

import "unsafe"

// size is the size of a huge page on amd64, and on arm64 with pages of 4 KiB.
const size = 2 << 20

// Make returns a slice of n zero values on huge pages, as far as the slice covers whole ones and
// the system has some. T must not contain pointers. If its size times n is a power of two, no value
// crosses the end of a cache line that it fits into.
func Make[T any](n int) []T {
	values := make([]T, n)
	if len(values) == 0 {
		return values
	}
	start := unsafe.Pointer(&values[0]) //nolint:gosec // The kernel needs the address.
	before := int(-uintptr(start) % size)
	whole := (n*int(unsafe.Sizeof(values[0])) - before) &^ (size - 1)
	if whole > 0 {
		//nolint:gosec // The bytes are inside values.
		advise(unsafe.Slice((*byte)(unsafe.Add(start, before)), whole))
	}
	return values
}
