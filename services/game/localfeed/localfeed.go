// Package localfeed is a [game.Feed] inside one process. It reaches no other process and stores
// nothing.
package localfeed

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/flipside-games/flipside/services/game"
)

// Feed wakes subscribers in this process. It is safe for concurrent use.
type Feed struct {
	mu     sync.Mutex
	topics map[string]map[*subscription]struct{}
}

var _ game.Feed = (*Feed)(nil)

// New returns a feed without subscribers.
func New() *Feed { return &Feed{topics: map[string]map[*subscription]struct{}{}} }

// Publish implements [game.Feed].
func (f *Feed) Publish(_ context.Context, wake game.Wake) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.topics[wake.Topic] {
		s.put(wake)
	}
}

// Subscribe implements [game.Feed]. A subscription has no goroutine.
func (f *Feed) Subscribe(topic string) game.Subscription {
	s := &subscription{feed: f, topic: topic, slot: make(chan game.Wake, 1)}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.topics[topic] == nil {
		f.topics[topic] = map[*subscription]struct{}{}
	}
	f.topics[topic][s] = struct{}{}
	return s
}

// Topics returns the topics with subscribers in random order.
func (f *Feed) Topics() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Keys(f.topics))
}

// subscription has a slot for one wake-up. The lock of the feed guards the writes to it.
type subscription struct {
	feed  *Feed
	topic string
	slot  chan game.Wake
}

func (s *subscription) C() <-chan game.Wake { return s.slot }

// Close implements [game.Subscription]. A wake-up in the slot can still be read.
func (s *subscription) Close() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	delete(s.feed.topics[s.topic], s)
	if len(s.feed.topics[s.topic]) == 0 {
		delete(s.feed.topics, s.topic)
	}
}

// put puts a wake-up into the slot, merged with the one that waits there.
func (s *subscription) put(wake game.Wake) {
	select {
	case waiting := <-s.slot:
		wake = waiting.Merge(wake)
	default:
	}
	s.slot <- wake
}
