package settings

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBackoffDoublesWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.IntRange(1, 1000).Draw(t, "attempts")
		most := 5 * time.Second
		if attempts < 7 {
			most = min(most, 100*time.Millisecond<<(attempts-1))
		}
		if wait := Backoff(attempts, nil); wait < most/2 || wait > most {
			t.Errorf("waits %v after %d attempts, want %v to %v", wait, attempts, most/2, most)
		}
	})
}
