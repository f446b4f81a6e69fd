package feedtest

import (
	"testing"

	"github.com/flipside-games/flipside/services/internal/contracttest"
)

func TestEveryRequirementIsTested(t *testing.T) {
	var tested []string
	for _, r := range requirements {
		tested = append(tested, r.must)
	}
	contracttest.Compare(t, "../feed.go", tested)
}
