package service_test

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

// TestABusyStreamEndsWhenItsKeyWasReplacedElsewhere replaces the key in another process, which wakes nobody in this one.
func TestABusyStreamEndsWhenItsKeyWasReplacedElsewhere(t *testing.T) {
	inWorld(t, parts{}, func(w *world) {
		g := w.create(seat(w.bob), seat(w.bob))
		anns := w.watch(w.ann, g.ID, nil)
		other := start(w.T, w.store, parts{})
		if _, err := other.RotateKey(w.Context(), w.ann); err != nil {
			w.Fatal(err)
		}
		for range 3 {
			time.Sleep(4 * time.Second)
			w.mustMove(w.bob, g.ID)
		}
		w.hears(anns, "snapshot@2", "event@3", "event@4", "end:keyRevoked@4")
	})
}
