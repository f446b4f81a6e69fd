// Package feedtest is what every game.Feed must do, as one suite. Each "must" in the comments of the interface is a test of
// that name.
package feedtest

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// patience is how long a wake-up may take. A feed between processes is not at once.
const patience = 10 * time.Second

// Run tests a feed. open returns a new one as two processes have it, which are the same where it does not reach another.
func Run(t *testing.T, open func(t *testing.T) (here, there game.Feed)) {
	t.Helper()
	for _, promise := range promised {
		t.Run(promise.must, func(t *testing.T) {
			here, there := open(t)
			promise.test(t, processes{Feed: here, there: there})
		})
	}
}

// processes is a feed as the process has it that is looked at, and as another has it.
type processes struct {
	game.Feed
	there game.Feed
}

var promised = []struct {
	must string
	test func(t *testing.T, feed processes)
}{
	{"It must block neither on a subscriber nor on what takes wake-ups to other processes", neverBlocks},
	{"A wake-up published after Subscribe returned must be noticed", isNoticed},
	{"It must be all the same in which process it was published", comesFromAnywhere},
	{"C must hold at most one wake-up", holdsOne},
	{"Those that come while one is waiting must be merged into it", merges},
	{"It must be safe to call twice", closesTwice},
}

func neverBlocks(t *testing.T, feed processes) {
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	published := make(chan struct{})
	go func() {
		defer close(published)
		for version := range 1000 {
			feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
		}
	}()
	select {
	case <-published:
	case <-time.After(patience):
		t.Fatal("Publish waits for a subscriber who reads nothing")
	}
}

func isNoticed(t *testing.T, feed processes) {
	t.Run("by every subscriber of the topic", func(t *testing.T) {
		first, second := feed.Subscribe("game.one"), feed.Subscribe("game.one")
		defer first.Close()
		defer second.Close()
		wake := game.Wake{
			Topic: "game.one", Version: 7,
			Delayed: &game.Delayed{Side: rules.Second, Attempt: 2, Retry: time.Unix(1700000000, 5).UTC()},
		}
		feed.Publish(t.Context(), wake)
		for _, sub := range []game.Subscription{first, second} {
			if diff := cmp.Diff(wake, next(t, sub)); diff != "" {
				t.Errorf("wake-up (-published +received):\n%s", diff)
			}
		}
	})
	t.Run("and by no subscriber of another", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		feed.Publish(t.Context(), game.Wake{Topic: "game.two", Version: 2})
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 1})
		if wake := next(t, sub); wake.Topic != "game.one" {
			t.Errorf("woken by %+v", wake)
		}
	})
	t.Run("while others publish and subscribe", func(t *testing.T) {
		const publishers, wakes = 8, 200
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		var all sync.WaitGroup
		for range publishers {
			all.Go(func() {
				for version := range wakes {
					passer := feed.Subscribe("game.one")
					feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version + 1})
					passer.Close()
				}
			})
		}
		defer all.Wait()
		awaitVersion(t, sub, wakes)
	})
}

func comesFromAnywhere(t *testing.T, feed processes) {
	t.Run("and what it says is the same", func(t *testing.T) {
		here, there := feed.Subscribe("game.one"), feed.there.Subscribe("game.one")
		defer here.Close()
		defer there.Close()
		wake := game.Wake{
			Topic: "game.one", Version: 7,
			Delayed: &game.Delayed{Side: rules.Second, Attempt: 2, Retry: time.Unix(1700000000, 5).UTC()},
		}
		feed.there.Publish(t.Context(), wake)
		for _, sub := range []game.Subscription{here, there} {
			if diff := cmp.Diff(wake, next(t, sub)); diff != "" {
				t.Errorf("wake-up (-published +received):\n%s", diff)
			}
		}
	})
	t.Run("and wakes no subscriber of another topic", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		feed.there.Publish(t.Context(), game.Wake{Topic: "game.two", Version: 2})
		feed.there.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 1})
		if wake := next(t, sub); wake.Topic != "game.one" {
			t.Errorf("woken by %+v", wake)
		}
	})
	t.Run("and by how many at once", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		var publishing sync.WaitGroup
		defer publishing.Wait()
		for i, from := range []game.Feed{feed, feed.there} {
			publishing.Go(func() {
				for version := 1 + i; version <= 200; version += 2 {
					from.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
				}
			})
		}
		awaitVersion(t, sub, 200)
	})
}

func holdsOne(t *testing.T, feed processes) {
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	for version := range 10 {
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
		if waiting := len(sub.C()); waiting > 1 {
			t.Fatalf("%d wake-ups wait", waiting)
		}
	}
}

func merges(t *testing.T, feed processes) {
	t.Run("and the newest version is told", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		for _, version := range []int{1, 3, 2} {
			feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
		}
		awaitVersion(t, sub, 3)
	})
	t.Run("and a late robot is not forgotten", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 3, Delayed: &game.Delayed{Attempt: 1}})
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 3})
		for wake := next(t, sub); wake.Delayed == nil; {
			wake = next(t, sub)
		}
	})
}

func closesTwice(t *testing.T, feed processes) {
	closed, open := feed.Subscribe("game.one"), feed.Subscribe("game.one")
	defer open.Close()
	closed.Close()
	closed.Close()
	feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 1})
	awaitVersion(t, open, 1)
	select {
	case wake := <-closed.C():
		t.Errorf("after Close came %+v", wake)
	default:
	}
}

// next returns the next wake-up.
func next(t *testing.T, sub game.Subscription) game.Wake {
	t.Helper()
	select {
	case wake := <-sub.C():
		return wake
	case <-time.After(patience):
		t.Fatal("no wake-up came")
		return game.Wake{}
	}
}

// awaitVersion reads until a version is told.
func awaitVersion(t *testing.T, sub game.Subscription, version int) {
	t.Helper()
	for next(t, sub).Version != version {
	}
}
