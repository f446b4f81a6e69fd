package feedtest

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/natsfeed"
	"github.com/flipside-games/flipside/services/game/natsfeed/natstest"
	"github.com/flipside-games/flipside/services/internal/contracttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLocalFeed(t *testing.T) {
	Run(t, func(*testing.T) (local, remote game.Feed) {
		feed := localfeed.New()
		return feed, feed
	})
}

func TestNATSFeed(t *testing.T) {
	open := func(t *testing.T, url string) game.Feed {
		feed, err := natsfeed.Open(natsfeed.Options{URL: url, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(feed.Close)
		return feed
	}
	t.Run("between processes", func(t *testing.T) {
		Run(t, func(t *testing.T) (local, remote game.Feed) {
			at := natstest.Start(t, nil).URL()
			return open(t, at), open(t, at)
		})
	})
	t.Run("without NATS, inside a process", func(t *testing.T) {
		Run(t, func(t *testing.T) (local, remote game.Feed) {
			feed := open(t, "nats://127.0.0.1:1")
			return feed, feed
		})
	})
}

func TestEveryRequirementIsTested(t *testing.T) {
	var tested []string
	for _, r := range requirements {
		tested = append(tested, r.must)
	}
	contracttest.Compare(t, "../feed.go", tested)
}
