package storetest

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/promises"
)

func TestEveryPromiseIsTested(t *testing.T) {
	var tested []string
	for _, promise := range promised {
		tested = append(tested, promise.must)
	}
	promises.Compare(t, "../store.go", tested)
}
