package feedtest

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/contracttest"
)

func TestEveryPromiseIsTested(t *testing.T) {
	var tested []string
	for _, promise := range promised {
		tested = append(tested, promise.must)
	}
	contracttest.Compare(t, "../feed.go", tested)
}
