package robots_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/flipside-games/flipside/services/game"
	"github.com/flipside-games/flipside/services/game/localfeed"
	"github.com/flipside-games/flipside/services/game/robots"
)

// reporting reports a depth every interval, up to a number, and then chooses the first legal move.
func reporting(interval time.Duration, depths int) strategies {
	return func(ctx context.Context, request robots.Request) (game.Choice, error) {
		for depth := range depths {
			time.Sleep(interval)
			request.Progress(json.RawMessage(fmt.Sprint(depth + 1)))
		}
		return immediate(ctx, request)
	}
}

// A robot reports its progress at most twice a second, always the last depth, and never after its
// move.
func TestRobotsReportProgress(t *testing.T) {
	for _, test := range []struct {
		name string
		strategies
		want []string
	}{
		{"many depths", reporting(220*time.Millisecond, 8), []string{"500ms 2", "1s 4", "1.5s 6"}},
		{"slow depths", reporting(2*time.Second, 2), []string{"2s 1"}},
		{"a short turn", reporting(time.Millisecond, 20), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			feed := localfeed.New()
			run(t, options{strategies: test.strategies, feed: feed}, func(f *fixture) {
				id := f.create(ann, robot)
				f.playFirst(id)
				start, turn := time.Now(), f.load(id)
				wakes := feed.Subscribe(game.GameTopic(id))
				defer wakes.Close()
				var got []string
				for timeout := time.After(10 * time.Second); ; {
					select {
					case wake := <-wakes.C():
						if wake.Thinking == nil || wake.Thinking.Side != turn.Turn() || wake.Version != turn.Version {
							f.Errorf("the feed published %+v", wake)
							continue
						}
						since := time.Since(start).Round(100 * time.Millisecond)
						got = append(got, fmt.Sprint(since, " ", string(wake.Thinking.Analysis)))
						continue
					case <-timeout:
					}
					break
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					f.Errorf("reports (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A strategy that goes on after its attempt has failed cannot report progress.
func TestFailedAttemptsReportNothing(t *testing.T) {
	feed := localfeed.New()
	stubborn := func(ctx context.Context, request robots.Request) (game.Choice, error) {
		time.AfterFunc(11*time.Second, func() { request.Progress(json.RawMessage("1")) })
		return never(ctx, request)
	}
	settings := robots.Settings{GracePeriod: 10 * time.Second, Attempts: 1}
	run(t, options{strategies: stubborn, feed: feed, settings: settings}, func(f *fixture) {
		id := f.create(ann, robot)
		wakes := feed.Subscribe(game.GameTopic(id))
		defer wakes.Close()
		f.playFirst(id)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		select {
		case wake := <-wakes.C():
			if wake.Thinking != nil {
				f.Errorf("the feed published %+v", wake)
			}
		default:
		}
	})
}
