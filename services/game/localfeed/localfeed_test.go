package localfeed_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSubscriptionHasNoGoroutine(t *testing.T) {
	feed := localfeed.New()
	before := runtime.NumGoroutine()
	for i := range 1000 {
		defer feed.Subscribe(fmt.Sprint("game.", i)).Close()
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("1000 subscriptions started %d goroutines", after-before)
	}
}

func TestWaitingWakeUpsAreMerged(t *testing.T) {
	feed := localfeed.New()
	sub := feed.Subscribe("game.one")
	defer sub.Close()
	for _, version := range []int{4, 6, 5} {
		feed.Publish(t.Context(), game.Wake{Topic: "game.one", Version: version})
	}
	if wake := <-sub.C(); wake.Version != 6 {
		t.Errorf("got %+v, want version 6", wake)
	}
	select {
	case wake := <-sub.C():
		t.Errorf("got a second wake-up %+v", wake)
	default:
	}
}

func TestTopics(t *testing.T) {
	feed := localfeed.New()
	closed, open := feed.Subscribe("game.one"), feed.Subscribe("game.two")
	defer open.Close()
	closed.Close()
	if got := feed.Topics(); !slices.Equal(got, []string{"game.two"}) {
		t.Errorf("topics %q", got)
	}
}

// BenchmarkPublish wakes a thousand subscribers that do not read.
func BenchmarkPublish(b *testing.B) {
	feed := localfeed.New()
	for range 1000 {
		defer feed.Subscribe("game.one").Close()
	}
	for b.Loop() {
		feed.Publish(b.Context(), game.Wake{Topic: "game.one", Version: 1})
	}
}
