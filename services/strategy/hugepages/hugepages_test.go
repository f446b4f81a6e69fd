package hugepages_test

import (
	"testing"
	"unsafe"

	"github.com/flipside-games/flipside/services/strategy/hugepages"
)

type line [64]byte

// A bucket of a table is as large as a cache line. It must not lie on two of them.
func TestValuesAreAligned(t *testing.T) {
	for _, n := range []int{1, 2, 16, 1 << 10, 1 << 15, 1 << 17} {
		values := hugepages.Make[line](n)
		if len(values) != n || uintptr(unsafe.Pointer(&values[0]))%64 != 0 {
			t.Errorf("%d values of %d are at %p", len(values), n, &values[0])
		}
		if values[0] != (line{}) || values[n-1] != (line{}) {
			t.Errorf("%d values are not zero", n)
		}
		values[0][0], values[n-1][63] = 1, 1
	}
}

func TestNoValues(t *testing.T) {
	if values := hugepages.Make[line](0); len(values) != 0 {
		t.Errorf("%d values, want none", len(values))
	}
}
