package feedtest

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/internal/rules"
)

// timeout bounds the wait for a wake-up.
const timeout = 10 * time.Second

// Run tests a feed. open returns a new feed as two processes see it. Both are the same for a feed
// inside one process.
func Run(t *testing.T, open func(t *testing.T) (local, remote game.Feed)) {
	t.Helper()
	for _, r := range requirements {
		t.Run(r.must, func(t *testing.T) {
			local, remote := open(t)
			r.test(t, feeds{Feed: local, remote: remote})
		})
	}
}

// feeds is one feed as two processes see it.
type feeds struct {
	game.Feed
	remote game.Feed
}

// requirements are the sentences with "must" and their tests.
var requirements = []struct {
	must string
	test func(t *testing.T, feed feeds)
}{
	{"It must not wait for subscribers or for other processes", publishDoesNotWait},
	{"A wake-up that is published after Subscribe returns must wake the subscriber", subscribersWake},
	{"Subscribers must receive wake-ups of their own and of other processes alike", processesAreAlike},
	{"C must hold at most one wake-up", holdsOne},
	{"A wake-up that arrives while another one waits must be merged into it", merges},
	{"It must be safe to call twice", closesTwice},
}

func publishDoesNotWait(t *testing.T, feed feeds) {
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
	case <-time.After(timeout):
		t.Fatal("Publish waits for a subscriber that does not read")
	}
}

// lateRobot is a wake-up with all fields that cross processes.
var lateRobot = game.Wake{
	Topic: "game.one", Version: 7,
	Delayed:  &game.Delayed{Side: rules.Second, Attempt: 2, Retry: time.Unix(1700000000, 5).UTC()},
	Thinking: &game.Thinking{Side: rules.Second, Analysis: json.RawMessage(`{"depth":3}`)},
}

// receive fails the test unless all subscriptions receive a wake-up next.
func receive(t *testing.T, want game.Wake, subs ...game.Subscription) {
	t.Helper()
	for _, sub := range subs {
		if diff := cmp.Diff(want, next(t, sub)); diff != "" {
			t.Errorf("wake-up (-published +received):\n%s", diff)
		}
	}
}

// wakesOneTopic fails the test if a wake-up that from publishes on another topic wakes a subscriber
// of to.
func wakesOneTopic(t *testing.T, from, to game.Feed) {
	t.Helper()
	sub := to.Subscribe("game.one")
	defer sub.Close()
	from.Publish(t.Context(), game.Wake{Topic: "game.two", Version: 2})
	from.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 1})
	receive(t, game.Wake{Topic: "game.one", Version: 1}, sub)
}

func subscribersWake(t *testing.T, feed feeds) {
	t.Run("every subscriber of the topic", func(t *testing.T) {
		first, second := feed.Subscribe("game.one"), feed.Subscribe("game.one")
		defer first.Close()
		defer second.Close()
		feed.Publish(t.Context(), lateRobot)
		receive(t, lateRobot, first, second)
	})
	t.Run("no subscriber of another topic", func(t *testing.T) { wakesOneTopic(t, feed, feed) })
	t.Run("during concurrent publishes and subscriptions", func(t *testing.T) {
		const publishers, wakes = 8, 200
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		var all sync.WaitGroup
		for range publishers {
			all.Go(func() {
				for version := range wakes {
					brief := feed.Subscribe("game.one")
					feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version + 1})
					brief.Close()
				}
			})
		}
		defer all.Wait()
		awaitVersion(t, sub, wakes)
	})
}

func processesAreAlike(t *testing.T, feed feeds) {
	t.Run("with the same content", func(t *testing.T) {
		local, remote := feed.Subscribe("game.one"), feed.remote.Subscribe("game.one")
		defer local.Close()
		defer remote.Close()
		feed.remote.Publish(t.Context(), lateRobot)
		receive(t, lateRobot, local, remote)
	})
	t.Run("on the same topic only", func(t *testing.T) { wakesOneTopic(t, feed.remote, feed) })
	t.Run("from several processes at once", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		var publishing sync.WaitGroup
		defer publishing.Wait()
		for i, from := range []game.Feed{feed, feed.remote} {
			publishing.Go(func() {
				for version := 1 + i; version <= 200; version += 2 {
					from.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
				}
			})
		}
		awaitVersion(t, sub, 200)
	})
}

func holdsOne(t *testing.T, feed feeds) {
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	for version := range 10 {
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
		if waiting := len(sub.C()); waiting > 1 {
			t.Fatalf("%d wake-ups wait, want at most 1", waiting)
		}
	}
}

func merges(t *testing.T, feed feeds) {
	t.Run("keeping the highest version", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		for _, version := range []int{1, 3, 2} {
			feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
		}
		awaitVersion(t, sub, 3)
	})
	t.Run("keeping the delay of a robot", func(t *testing.T) {
		sub := feed.Subscribe("game.one")
		defer sub.Close()
		wake := game.Wake{Topic: "game.one", Version: 3}
		delayed := wake
		delayed.Delayed = &game.Delayed{Attempt: 1}
		feed.Publish(t.Context(), delayed)
		feed.Publish(t.Context(), wake)
		for wake := next(t, sub); wake.Delayed == nil; {
			wake = next(t, sub)
		}
	})
}

func closesTwice(t *testing.T, feed feeds) {
	closed, open := feed.Subscribe("game.one"), feed.Subscribe("game.one")
	defer open.Close()
	closed.Close()
	closed.Close()
	feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: 1})
	awaitVersion(t, open, 1)
	select {
	case wake := <-closed.C():
		t.Errorf("received %+v after Close", wake)
	default:
	}
}

// next returns the next wake-up.
func next(t *testing.T, sub game.Subscription) game.Wake {
	t.Helper()
	select {
	case wake := <-sub.C():
		return wake
	case <-time.After(timeout):
		t.Fatal("no wake-up arrived")
		return game.Wake{}
	}
}

// awaitVersion reads wake-ups until one has a version.
func awaitVersion(t *testing.T, sub game.Subscription, version int) {
	t.Helper()
	for next(t, sub).Version != version {
	}
}
