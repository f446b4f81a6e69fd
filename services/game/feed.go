package game

import (
	"context"
	"time"

	"github.com/flipside-games/flipside/services/internal/rules"
)

// Feed tells the processes that serve games that something changed. It only wakes readers up, who then read the
// store: a wake-up may come twice, late, or together with others, and one that is lost is healed by the reader's
// next heartbeat. A feed that knows that wake-ups may have been lost wakes everybody with Missed set.
type Feed interface {
	// Publish wakes the subscribers of a topic, and of no other, in every process that shares the feed. It must block neither on
	// a subscriber nor on what takes wake-ups to other processes.
	Publish(ctx context.Context, wake Wake)

	// Subscribe returns a subscription to a topic, which the caller closes. A wake-up published after Subscribe returned must be
	// noticed. It must be all the same in which process it was published.
	Subscribe(topic string) Subscription
}

// Subscription receives the wake-ups of a topic.
type Subscription interface {
	// C must hold at most one wake-up. Those that come while one is waiting must be merged into it.
	C() <-chan Wake
	// Close ends the subscription. It must be safe to call twice.
	Close()
}

// Wake says what changed. Its Topic is a game, a player, the key of one, or the robots. It goes to other processes as JSON,
// which may run another version of this program.
type Wake struct {
	Topic string `json:"topic,omitempty"`
	// Version is how far a game has come; 0 for other topics.
	Version int `json:"version,omitempty"`
	// Delayed tells watchers of a game that a robot is late; nil for most wake-ups. It is not in the log, so it may be lost.
	Delayed *Delayed `json:"delayed,omitempty"`
	// Missed says that wake-ups of the topic may have been lost before this one, so that its readers look for themselves.
	Missed bool `json:"missed,omitempty"`
}

// Merge returns the wake-up that tells what two of the same topic do: how far the game has come, and what is known of
// its robot there.
func (w Wake) Merge(later Wake) Wake {
	missed := w.Missed || later.Missed
	switch {
	case later.Version > w.Version:
		w = later
	case later.Version == w.Version && later.Delayed != nil:
		w.Delayed = later.Delayed
	}
	w.Missed = missed
	return w
}

// Delayed says that a robot did not answer and when it is asked again.
type Delayed struct {
	Side    rules.Side `json:"side"`
	Attempt int        `json:"attempt"`
	Retry   time.Time  `json:"retry"`
}

// The topics.
func GameTopic(id string) string    { return "game." + id }
func PlayerTopic(id string) string  { return "player." + id }
func KeyTopic(player string) string { return "key." + player }

// RobotTopic wakes whoever works on robots' turns.
const RobotTopic = "robots"
