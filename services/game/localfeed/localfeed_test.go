package localfeed_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/feedtest"
	"github.com/flipside-games/flipside/services/game/localfeed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFeed(t *testing.T) {
	feedtest.Run(t, func(*testing.T) (here, there game.Feed) {
		feed := localfeed.New()
		return feed, feed
	})
}

func TestSubscriptionTakesNoGoroutine(t *testing.T) {
	feed := localfeed.New()
	before := runtime.NumGoroutine()
	for i := range 1000 {
		defer feed.Subscribe(fmt.Sprint("game.", i)).Close()
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("1000 subscriptions took %d goroutines", after-before)
	}
}

func TestWakeUpsWaitAsOne(t *testing.T) {
	feed := localfeed.New()
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	for _, version := range []int{4, 6, 5} {
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
	}
	if wake := <-sub.C(); wake.Version != 6 {
		t.Errorf("woken by %+v, want version 6", wake)
	}
	select {
	case wake := <-sub.C():
		t.Errorf("woken again by %+v", wake)
	default:
	}
}

func TestTopicsAreThoseThatHaveSubscribers(t *testing.T) {
	feed := localfeed.New()
	left, stays := feed.Subscribe("game.one"), feed.Subscribe("game.two")
	defer stays.Close()
	left.Close()
	if got := feed.Topics(); !slices.Equal(got, []string{"game.two"}) {
		t.Errorf("topics %q", got)
	}
}

// BenchmarkPublish wakes a thousand subscribers, of whom none reads.
func BenchmarkPublish(b *testing.B) {
	feed := localfeed.New()
	for range 1000 {
		defer feed.Subscribe("game.one").Close()
	}
	for b.Loop() {
		feed.Publish(b.Context(), game.Wake{Topic: "game.one", Version: 1})
	}
}
