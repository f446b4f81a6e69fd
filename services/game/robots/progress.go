package robots

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/flipside-games/flipside/services/game"
)

// progressInterval is the shortest time between two reports of a robot's progress to the watchers of
// its game, and the time before the first one.
const progressInterval = 500 * time.Millisecond

// progress publishes the progress of one attempt of a robot to the watchers of its game. Of the
// reports within an interval it publishes the last one. It may be used from many goroutines.
type progress struct {
	publish func(analysis json.RawMessage)

	mu     sync.Mutex
	latest json.RawMessage
	// timer publishes the latest report. It is nil while no report is due.
	timer   *time.Timer
	next    time.Time // the earliest time of the next report
	stopped bool
}

// newProgress returns the progress of an attempt. The caller stops it.
func (r *Robots) newProgress(ctx context.Context, g game.Game) *progress {
	return &progress{next: time.Now().Add(progressInterval), publish: func(analysis json.RawMessage) {
		r.feed.Publish(ctx, game.Wake{
			Topic:    game.GameTopic(g.ID),
			Version:  g.Version,
			Thinking: &game.Thinking{Side: g.Turn(), Analysis: analysis},
		})
	}}
}

// report publishes an analysis when the interval since the last one has passed.
func (p *progress) report(analysis json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = analysis
	if p.timer == nil && !p.stopped {
		p.timer = time.AfterFunc(time.Until(p.next), p.publishLatest)
	}
}

func (p *progress) publishLatest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.publish(p.latest)
	p.timer, p.next = nil, time.Now().Add(progressInterval)
}

// stop ends the reports. None follows after it returns.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if p.timer != nil {
		p.timer.Stop()
	}
}
