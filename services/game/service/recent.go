package service

import (
	"github.com/flipside-games/flipside/services/game"

	"slices"
	"sync"
)

// The bounds of recentEvents: games it holds, and events of each.
const (
	recentGames = 4096
	recentTail  = 16
)

// recentEvents keeps the last events of the games that changed last as far as this process knows, so that a thousand
// watchers of a game cost one read. It is no truth: what it does not hold without a gap is read from the store.
type recentEvents struct {
	mu    sync.RWMutex
	tails map[string][]game.Event
	// order holds the games of tails, the one that came first first.
	order []string
}

func newRecentEvents() *recentEvents { return &recentEvents{tails: map[string][]game.Event{}} }

// add remembers the last of events that were committed or read, one after the other, of one game. They may be told out of
// order: what leaves a gap starts anew, what is older is forgotten.
func (r *recentEvents) add(events []game.Event) {
	events = events[max(0, len(events)-recentTail):]
	if len(events) == 0 {
		return
	}
	id := events[0].GameID
	r.mu.Lock()
	defer r.mu.Unlock()
	tail, known := r.tails[id]
	if known {
		events = events[min(len(events), max(0, tail[len(tail)-1].Version+1-events[0].Version)):]
	}
	if len(events) == 0 {
		return
	}
	if known && tail[len(tail)-1].Version+1 != events[0].Version {
		tail = nil
	}
	// Readers hold slices of the old tail, so that it is copied once it has to be cut.
	if len(tail)+len(events) > recentTail {
		tail = slices.Clone(tail[len(tail)-min(len(tail), recentTail/2):])
	}
	r.tails[id] = append(tail, events...)
	if !known {
		r.order = append(r.order, id)
	}
	if len(r.order) > recentGames {
		delete(r.tails, r.order[0])
		r.order = r.order[1:]
	}
}

// between returns the events after one version up to another, nil if one of them is not here. The slice is
// shared and must not be changed.
func (r *recentEvents) between(id string, after, version int) []game.Event {
	r.mu.RLock()
	defer r.mu.RUnlock()
	tail := r.tails[id]
	if len(tail) == 0 || tail[0].Version > after+1 || tail[len(tail)-1].Version < version {
		return nil
	}
	from := after + 1 - tail[0].Version
	return tail[from : version+1-tail[0].Version : len(tail)]
}
