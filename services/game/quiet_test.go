package game_test

import (
	"testing"
	"time"
)

// TestWhatIsNotToldPutsNoHeartbeatOff wakes a stream more often than it beats, by games that do not wait for who watches.
func TestWhatIsNotToldPutsNoHeartbeatOff(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		bobs := w.watchTurns(w.bob, nil)
		for range 6 {
			time.Sleep(4 * time.Second)
			w.create(seat(w.ann), seat(w.bob))
		}
		w.hears(bobs, "heartbeat", "heartbeat", "heartbeat")
	})
}
